// One contender in the virtual world: its state machine, its clock, its links, its timers. Plain data but for the
// inbox.
#pragma once
#include <array>
#include <vector>

#include "core/contend/contender.h"
#include "core/contend/worker.h"
#include "core/time/skewed_clock.h"
#include "simulator/engine/event_queue.h"
#include "simulator/fault/port.h"

namespace leasescope {

// A timer is armed in a generation; arming again or disarming makes the older entries of the queue void.
struct TimerSlot {
  std::uint32_t generation = 0;
  bool armed = false;
  Sequence cause = 0;

  bool valid(std::uint32_t of) const { return armed && generation == of; }
};

// One direction of a connection: draws its delays from a stream of its own and keeps the order, as TCP does.
struct Link {
  RandomStream delays;
  TrueTime last_arrival{};
  std::uint32_t cuts = 0;  // partitions lasting now
};

// A request that has not been answered; a lease call, the subscription and a release may be out together.
struct Outstanding {
  std::uint64_t request = 0;
  RequestKind kind = RequestKind::kAcquire;
};

struct Node {
  Contender contender;
  ContenderClock clock;
  Link up;
  Link down;
  Link messages;
  Name name;
  std::uint32_t mutex = 0;  // its place in the world
  std::uint32_t life = 0;
  std::array<TimerSlot, kContenderTimers> timers;
  std::array<Outstanding, 4> outstanding;
  Duration callback{};
  std::uint32_t pauses = 0;  // pauses lasting now
  std::uint32_t mutes = 0;   // notifications are lost now
  Sequence cause = 0;        // the latest event that led it to act
  bool alive = false;        // its process runs: started once and not crashed
  bool subscribed = false;
  std::vector<QueueEntry> inbox;  // what fell due during a pause, in order

  Node(const ContenderConfig& config, RandomStream jitter) : contender(config, jitter) {}
};

// One worker: the work of one contender on one resource.
struct Work {
  Worker worker;
  TimerSlot timer;
  RandomStream delays;

  Work(const WorkTerms& terms, RandomStream stream) : worker(terms), delays(stream) {}
};

}  // namespace leasescope
