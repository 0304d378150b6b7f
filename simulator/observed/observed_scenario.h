// A scenario after what was seen of one mutex, as TOML: what was observed stands in it, with how often it was; what was
// not is left at its default, and said to be.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/observe/watch.h"
#include "simulator/observed/estimate.h"

namespace leasescope {

// Which mutex it is.
struct ObservedMutex {
  std::string name;              // at its store
  std::string maker;             // of a lock that is not ours, in words: "Redisson fair lock"; empty: ours
  std::string system = "simba";  // of ours
  std::string model;             // that stands for its store in virtual time; empty: none does
};

std::string observed_scenario(const ObservedMutex& mutex, const Estimate& estimate, const NameTable& names);

// Of a mutex of a watch, between two moments. `round_trips`: of the observer of its store.
std::string watched_scenario(const WatchedMutex& mutex, const History& seen, std::string_view model,
                             std::vector<Duration> round_trips, TrueTime from = TrueTime{},
                             TrueTime to = TrueTime::max());

}  // namespace leasescope
