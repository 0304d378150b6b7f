// The way between a contender and the store, one direction of it, and what may be wrong with it.
#pragma once
#include <vector>

#include "core/lease/random_stream.h"
#include "simulator/engine/event_queue.h"
#include "simulator/fault/port.h"

namespace leasescope {

// Draws its delays from a stream of its own and keeps the order, as TCP does.
struct Link {
  RandomStream delays;
  TrueTime last_arrival{};
};

enum class Way : std::uint8_t { kUp, kDown, kMessages };
inline constexpr std::size_t kWays = 3;

// What disturbs one way now. Its draws come from a stream of its own, so that a fault shifts nobody else's.
struct DisturbedWay {
  RandomStream draws;
  std::uint32_t cuts = 0;   // partitions lasting now: what is sent is lost
  std::uint32_t clogs = 0;  // lasting now: what is sent waits for their end
  LinkTrouble trouble;
  std::vector<QueueEntry> waiting;  // behind a clog, in order of sending; `at` is when it would have arrived
};

// Everything that is wrong around one contender; made when its first fault hits it, since few are ever disturbed.
struct Disturbed {
  std::array<DisturbedWay, kWays> ways;
  Duration late_writes{};
  std::uint32_t mutes = 0;          // notifications are lost now
  std::uint32_t half_opens = 0;     // its messages' connection is dead and nobody has noticed
  bool half_open_requests = false;  // likewise that of its requests, until the first time-out
  std::uint32_t stopped_clocks = 0;
  std::int32_t wall_ppm = 0;  // what its clocks run fast by
  std::int32_t steady_ppm = 0;
  std::uint32_t taken_connections = 0;  // of its pool, by others
  std::vector<Request> waiting_for_connection;

  DisturbedWay& way(Way which) { return ways[static_cast<std::size_t>(which)]; }
};

}  // namespace leasescope
