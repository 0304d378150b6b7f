// What stands at the head of a recording of a watch.
#pragma once
#include <string>

#include "core/history/history_header.h"
#include "core/loop/loop.h"
#include "core/observe/watch.h"

namespace leasescope {

// The name of what was recorded, as scenarios have one.
inline constexpr const char* kWatchName = "watch";

// As a scenario: nobody ran anything, and it says no more than that.
std::string_view watch_scenario();

// "likely"; the words of --foreign.
std::string_view text(Foreign foreign);
// As its recording says how that store was looked at.
WatchSettings::Store settings_of(const std::string& store, const ObserverTerms& terms);

// `epoch_ns`: moment 0 of the watch in ns since 1970 (UTC), by this machine's clock.
HistoryHeader watch_header(const Watch& watch, const std::string& program, std::int64_t epoch_ns);

// This machine's wall clock, in ns since 1970 (UTC).
std::int64_t wall_clock_ns();
// Moment 0 of a loop by that clock. Between the two readings a process may have to wait for a processor, by which every
// moment of a recording would be told too late: of a few pairs the one is taken during which least passed.
std::int64_t zero_by_wall_clock(const Loop& loop);

}  // namespace leasescope
