// The ways between a contender and the store, and what may be wrong with one.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "core/base/random_stream.h"
#include "simulator/engine/event_queue.h"
#include "simulator/fault/port.h"

namespace leasescope {

// Each draws its delays from a stream of its own and keeps the order, as TCP does. A call needs those of up and down,
// which share a line of memory (node.h).
enum class Way : std::uint8_t { kMessages, kUp, kDown };
inline constexpr std::size_t kWays = 3;

// One fault's trouble on one way. It draws from a stream of its own and as often for every packet, so that no other
// fault shifts its draws.
struct ActiveTrouble {
  std::uint64_t fault = 0;
  LinkTrouble by;
  RandomStream draws;
};

// What disturbs one way now.
struct DisturbedWay {
  std::uint32_t cuts = 0;   // partitions lasting now: what is sent is lost
  std::uint32_t clogs = 0;  // lasting now: what is sent waits for their end
  std::vector<ActiveTrouble> troubles;
  std::vector<QueueEntry> waiting;  // behind a clog, in order of sending; `at` is when it would have arrived
};

// Everything that is wrong around one contender; made when its first fault hits it, since few are ever disturbed.
struct Disturbed {
  std::array<DisturbedWay, kWays> ways;
  Duration late_writes{};
  Duration late_requests{};
  Duration late_messages{};
  Duration late_callbacks{};
  std::uint32_t mutes = 0;           // notifications are lost now
  std::uint32_t half_opens = 0;      // its messages' connection is dead and nobody has noticed
  bool half_open_requests = false;   // likewise that of its requests, until the first time-out
  std::uint32_t half_open_life = 0;  // of the process they belong to
  std::uint32_t stopped_clocks = 0;  // lasting now
  std::int32_t own_wall_ppm = 0;     // what its clocks run fast by, left alone
  std::int32_t own_steady_ppm = 0;
  std::int32_t wall_ppm = 0;  // what faults add to that
  std::int32_t steady_ppm = 0;
  std::uint32_t taken_connections = 0;  // of its pool, by others
  std::vector<Request> waiting_for_connection;

  DisturbedWay& way(Way which) { return ways[static_cast<std::size_t>(which)]; }
  const DisturbedWay& way(Way which) const { return ways[static_cast<std::size_t>(which)]; }
  // Nothing lasts any more.
  bool neutral() const;
};

inline bool Disturbed::neutral() const {
  const bool quiet = std::all_of(ways.begin(), ways.end(), [](const DisturbedWay& way) {
    return way.cuts == 0 && way.clogs == 0 && way.troubles.empty() && way.waiting.empty();
  });
  return quiet && late_writes == Duration::zero() && late_requests == Duration::zero() &&
         late_messages == Duration::zero() && late_callbacks == Duration::zero() && mutes == 0 && half_opens == 0 &&
         !half_open_requests && stopped_clocks == 0 && wall_ppm == 0 && steady_ppm == 0 && taken_connections == 0;
}

}  // namespace leasescope
