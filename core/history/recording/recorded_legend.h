// The legend of a recorded history: what its faults, mutexes, contenders and resources are, in words.
#pragma once
#include "core/history/legend.h"
#include "core/history/recording/facts.h"

namespace leasescope {

// In place of what was written there before.
void put_legend(const Legend& legend, Database& database, FactWriter& facts);
Legend read_legend(Database& database, const Facts& facts);

}  // namespace leasescope
