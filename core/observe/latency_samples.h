// How long stores took to answer the questions of their observers: the newest of them, by store.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "core/observe/watch.h"

namespace leasescope {

// An observer tells how long its last answer took alone, so it is to be asked often: what came between two times is
// known by its last one.
class LatencySamples {
 public:
  static constexpr std::size_t kHeld = 10'000;  // of a store

  void take(const Watch& watch);
  std::vector<Duration> of(std::size_t store) const;

 private:
  struct Store {
    std::uint64_t answers = 0;  // at the last time
    std::deque<Duration> took;
  };
  std::vector<Store> stores_;
};

}  // namespace leasescope
