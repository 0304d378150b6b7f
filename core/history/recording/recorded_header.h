// What a recording is of, as facts.
#pragma once
#include "core/history/history_header.h"
#include "core/history/recording/facts.h"

namespace leasescope {

void put_header(const HistoryHeader& header, FactWriter& facts);
HistoryHeader header_of(const Facts& facts);

}  // namespace leasescope
