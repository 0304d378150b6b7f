// One contender's process in the virtual world, and its ways to the store. Plain data but for the inbox.
#pragma once
#include <array>

#include "core/base/prefetch.h"
#include "core/contend/host.h"
#include "simulator/engine/link.h"

namespace leasescope {

// A request that has not been answered; a lease call, the subscription and a release may be out together. Where there
// are more, of several servers or of one who does not wait for answers, the world keeps them beside the nodes.
struct Outstanding {
  std::uint64_t request = 0;  // 0 = none
  SteadyTime due{};           // its time-out, on the contender's clock
  TrueTime expires{};         // the same moment
  RequestKind kind = RequestKind::kAcquire;
  std::uint8_t store = 0;
  // Its time-out is in the queue. Most answers come in time, so it is put there only once this one may not.
  bool watched = false;
  bool pooled = false;  // holds a connection of the pool

  // What the time-out's entry carries: low bits of the life and of the request, far apart from their next equal.
  std::uint32_t tag(std::uint32_t life) const { return life << 24 | (static_cast<std::uint32_t>(request) & 0xffffff); }
};

// In lines of memory: of what an input looks at, what is used most lies first.
struct alignas(kCacheLine) Node : Host<QueueEntry> {
  std::uint64_t name_hash = 0;  // of its text
  std::uint32_t disturbed = 0;  // place + 1 of what is wrong around it; 0 = nothing ever was
  std::uint16_t latency = 0;    // which distribution
  std::uint8_t listening = 0;   // the servers that send it the messages it asked for, as bits
  std::array<TrueTime, kWays> last_arrivals{};
  std::array<Outstanding, 4> outstanding;
  std::array<RandomStream, kWays> delays;

  TrueTime& last_arrival(Way way) { return last_arrivals[static_cast<std::size_t>(way)]; }
  RandomStream& delay(Way way) { return delays[static_cast<std::size_t>(way)]; }
  const RandomStream& delay(Way way) const { return delays[static_cast<std::size_t>(way)]; }
};

}  // namespace leasescope
