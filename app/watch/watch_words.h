// What is said on a terminal of a watched mutex and of what happens to it: one wording, wherever it stands.
#pragma once
#include <cstdint>
#include <string>

#include "core/history/history.h"
#include "core/observe/watched_row.h"

namespace leasescope::ctl {

// For how long it has been so: "4.2 s", or "≥ 4.2 s" where nobody knows for how much longer.
std::string lasting_text(const WatchedRow& row);
// Of its lease: "5.7 s", "no end", "–" of one that nobody holds.
std::string left_text(const WatchedRow& row);
// "–" of none, which is 0.
std::string number_text(std::uint64_t number);

// The wall clock of this machine at a moment of a watch, in UTC: "03:12:04.127". epoch_ns: at its zero, ns since 1970.
std::string clock_text(std::int64_t epoch_ns, TrueTime at);
// The same, and its day where that is not the day of `now`: "2026-11-28 03:12:04.127".
std::string moment_text(std::int64_t epoch_ns, TrueTime at, TrueTime now);
// To the second, or of another day to the minute: "03:12:04", "11-28 03:12".
std::string short_moment_text(std::int64_t epoch_ns, TrueTime at, TrueTime now);

// "03:12:04.127  orders  granted to api-2 #8812  (in the 0.50 s before)"; empty: there is nothing to say of it.
std::string event_text(const History& history, const Event& event, std::int64_t epoch_ns);

}  // namespace leasescope::ctl
