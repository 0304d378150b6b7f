// Random sequences of lease calls, of a few clients on a few mutexes, that a model and its server are to answer alike.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/store/port.h"

namespace leasescope::tests {

struct LeaseStep {
  enum class What : std::uint8_t {
    kAcquire,
    kGuard,
    kRelease,
    kPass,   // until every brief lease is over; the server may be killed and started again meanwhile
    kCrash,  // the client begins another life, under another id, and knows of no term
  };
  enum class Meant : std::uint8_t { kLatest, kEarlier, kAsBefore, kNone };  // which term a guard or release names

  What what = What::kAcquire;
  std::uint8_t client = 0;
  std::uint8_t mutex = 0;
  bool brief = false;  // a lease that is over at the next kPass
  Meant meant = Meant::kLatest;
};

struct LeaseSequence {
  std::uint64_t seed = 0;
  std::uint8_t clients = 2;
  std::uint8_t mutexes = 2;
  bool fenced = false;                  // the last client is one of 4.x
  WakeUp wake_up = WakeUp::kBroadcast;  // of all others, where the store knows it
  std::vector<LeaseStep> steps;
};

LeaseSequence lease_sequence(std::uint64_t seed);
std::string text(const LeaseStep& step);

}  // namespace leasescope::tests
