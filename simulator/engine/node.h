// One contender in the virtual world: its state machine, its clock, its ways to the store, its timers. Plain data but
// for the inbox.
#pragma once
#include <array>
#include <vector>

#include "core/contend/worker.h"
#include "core/simba/contender.h"
#include "core/time/skewed_clock.h"
#include "simulator/engine/link.h"

namespace leasescope {

// A timer is armed in a generation; arming again or disarming makes the older entries of the queue void.
struct TimerSlot {
  std::uint32_t generation : 31 = 0;
  std::uint32_t armed : 1 = false;
  Sequence cause = 0;
  SteadyTime due{};

  bool valid(std::uint32_t of) const { return armed != 0 && generation == of; }
};

// A request that has not been answered; a lease call, the subscription and a release may be out together.
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

// The contender's own, in the order of Timer, then that of its application.
enum NodeTimer : std::size_t { kContendTimer, kWatchdogTimer, kExecutorTimer, kCallbackTimer, kNodeTimers };
inline NodeTimer node_timer(Timer timer) { return static_cast<NodeTimer>(timer); }

// In lines of memory: what every input looks at shares one, and of timers, requests and ways those used most lie first.
struct alignas(kCacheLine) Node {
  SimbaContender contender;
  alignas(kCacheLine) ContenderClock clock;
  std::uint32_t mutex = 0;  // its place in the world
  std::uint32_t life = 0;
  Name name;
  Sequence cause = 0;        // the latest event that led it to act
  std::uint32_t pauses = 0;  // lasting now
  std::uint32_t starves = 0;
  std::uint32_t disturbed = 0;  // place + 1 of what is wrong around it; 0 = nothing ever was
  std::uint16_t latency = 0;    // which distribution
  bool alive = false;           // its process runs: started once and not crashed
  bool subscribed = false;      // it asked for messages
  bool listening = false;       // the store sends them to it
  std::array<TrueTime, kWays> last_arrivals{};
  alignas(kCacheLine) std::array<TimerSlot, kNodeTimers> timers;
  std::array<Outstanding, 4> outstanding;
  std::array<RandomStream, kWays> delays;
  std::vector<QueueEntry> inbox;  // what fell due during a pause, in order
  Duration callback{};            // the application's, of on_acquired

  Node(const SimbaConfig& config, RandomStream jitter) : contender(config, jitter) {}
  TrueTime& last_arrival(Way way) { return last_arrivals[static_cast<std::size_t>(way)]; }
  RandomStream& delay(Way way) { return delays[static_cast<std::size_t>(way)]; }
  bool held() const { return (pauses | starves) != 0; }
};

// One worker: the work of one contender on one resource.
struct Work {
  Worker worker;
  TimerSlot timer;
  RandomStream delays;

  explicit Work(RandomStream stream) : delays(stream) {}
};

}  // namespace leasescope
