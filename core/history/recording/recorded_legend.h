// The legend of a recorded history: what its faults, mutexes, contenders and resources are, in words.
#pragma once
#include "core/history/legend.h"
#include "core/history/recording/facts.h"

namespace leasescope {

// In place of what was written there before.
void put_legend(const Legend& legend, Database& database, FactWriter& facts);
Legend read_legend(Database& database, const Facts& facts);

// What the calls go to, which is told by facts alone.
void put_store_legend(const StoreLegend& store, FactWriter& facts);
StoreLegend store_legend_of(const Facts& facts);

}  // namespace leasescope
