// What is printed of a watch at one moment: a table, JSON, a sentence.
#pragma once
#include <string>

#include "core/observe/watch.h"

namespace leasescope::ctl {

// All its mutexes by name, a line each below one with the titles.
std::string watched_table(const Watch& watch, TrueTime now);
// {"at_ns":…,"mutexes":[…],"stores":[…]}. epoch_ns: the wall clock at the watch's zero, ns since 1970.
std::string watched_json(const Watch& watch, TrueTime now, std::int64_t epoch_ns);
// "orders: api-2 holds it, for ≥ 4.2 s, #8812, 5.7 s left; 2 wait (redis://host)", and a line feed.
std::string watched_sentence(const WatchedMutex& mutex, const WatchedStore& store, TrueTime now);
// A line for each process that has told what it believes of it, or one that none has; for whoever listens.
std::string belief_lines(const WatchedMutex& mutex, TrueTime now, std::int64_t epoch_ns);

}  // namespace leasescope::ctl
