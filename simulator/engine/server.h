// One server in the virtual world: the model of what it does, its clock, and what it suffers.
#pragma once
#include <vector>

#include "core/base/random_stream.h"
#include "core/time/skewed_clock.h"
#include "simulator/engine/event_queue.h"
#include "simulator/model/server_model.h"

namespace leasescope {

// The queue's entry for the moment that the model named for one of its tags. Renewals move that moment later, so the
// entry looks again when it pops, and only an earlier moment needs a new one.
struct Wake {
  TrueTime at = TrueTime::max();
  std::uint32_t generation = 0;
};

struct Server {
  ServerNow now(TrueTime at) const { return {clock.at(at), at}; }

  ServerModel model;
  SkewedClock<ServerTime> clock;
  Name name;
  std::uint8_t place = 0;             // among several
  std::uint32_t crashes = 0;          // lasting now: it refuses connections
  std::uint32_t freezes = 0;          // lasting now: what arrives waits
  std::uint32_t life = 0;             // a crash breaks every connection and begins a new one
  std::int32_t ppm = 0;               // what its clock runs fast by
  Duration service{};                 // each request keeps it busy for so long
  RandomStream tells;                 // draws how long after a change it does so
  bool attends = false;               // to the first in line
  bool overslept = false;             // what it was to do by itself while it was down or frozen
  std::vector<QueueEntry> line;       // who waits for a slow server, in order
  std::vector<QueueEntry> inbox;      // what arrived while it was frozen, in order
  std::vector<Disturbance> asked;     // likewise, of those that are asked of it
  std::vector<ServerStep> unsent;     // answers it would have given meanwhile
  std::vector<std::uint64_t> stalls;  // sessions that hold a row and do not go on, by their fault
  std::vector<Wake> wakes;            // by the model's tags
};

}  // namespace leasescope
