// What a fault can do to a world. Both worlds offer it, so that a fault is written once. What a world cannot do is
// refused by the fault's kind (`live = false`) before a run; here it would be a mistake in the program.
#pragma once
#include <cstdint>

#include "core/base/expect.h"
#include "core/time/clock.h"

namespace leasescope {

// A contender's place in the fleet, from 0.
using NodeIndex = std::uint32_t;

enum class LinkDirection : std::uint8_t { kBoth, kToStore, kFromStore };

// What one fault may do to a link beside cutting or clogging it. Those of several faults act one after the other.
struct LinkTrouble {
  std::int64_t loss_ppm = 0;         // of the packets, besides the scenario's own loss
  std::int64_t duplication_ppm = 0;  // arrive twice
  std::int64_t reordering_ppm = 0;   // fall behind, and those sent after them need not wait
  Duration behind{};                 // by up to so much, uniformly
  Duration delay{};                  // each takes so much longer
  Duration jitter{};                 // and up to so much more, uniformly
};

// What can happen to a server's state from outside. A model takes in what concerns it; the rest changes nothing.
enum class Disturbance : std::uint8_t {
  kCrash,        // the process ended: what was under way is gone
  kRestart,      // and came back: what was not persistent is gone
  kFailover,     // the replica takes over: what it had not yet got is gone
  kReplicaCut,   // replication stops
  kReplicaHeal,  // and goes on
  kErase,        // an operator deletes the key or row of the first mutex
  kStall,        // a transaction stalls while it holds the first mutex's row
  kUnstall,
  kClockChanged,  // the server's clock shows another time, or runs at another rate, from now on
  kLeaderLost,    // of several members: another is elected
  kCloseSession,  // the session of whoever holds the first mutex is ended by force
};

class FaultPort {
 public:
  virtual ~FaultPort() = default;

  // The contender takes no input until resumed; its clocks run on.
  virtual void pause(NodeIndex node) = 0;
  virtual void resume(NodeIndex node) = 0;
  // The way between the contender and the store; packets are held up for ever, connections stay open.
  virtual void cut(NodeIndex node, LinkDirection direction) = 0;
  virtual void heal(NodeIndex node, LinkDirection direction) = 0;
  virtual void step_clock(NodeIndex node, Duration by) = 0;
  virtual void step_store_clock(Duration by) = 0;  // virtual world only
  // Messages the store publishes do not reach the contender; its requests and replies do.
  virtual void mute(NodeIndex node) = 0;
  virtual void unmute(NodeIndex node) = 0;

  // Steps of the plan.
  virtual void start(NodeIndex node) = 0;
  virtual void stop(NodeIndex node) = 0;
  virtual void crash(NodeIndex node) = 0;
  virtual void restart(NodeIndex node) = 0;
  // What it asks the store arrives later by so much; may be negative: takes it back. What it gives up arrives all the
  // same, and what it sends afterwards goes by another connection.
  virtual void delay_requests(NodeIndex node, Duration by) = 0;

  // ---- what a world need not offer: a kind that is not `live` calls it in the virtual world only

  // The contender's clocks stand still, beside a pause: a virtual machine that is migrated.
  virtual void stop_clocks(NodeIndex) { refuse(); }
  virtual void run_clocks(NodeIndex) { refuse(); }
  // Timers, replies and messages wait while the work goes on.
  virtual void starve(NodeIndex) { refuse(); }
  virtual void feed(NodeIndex) { refuse(); }
  // Runs faster by so many parts per million, on top of what it had.
  virtual void speed_clock(NodeIndex, ClockOf, std::int32_t /*ppm*/) { refuse(); }
  // Packets wait for the end, then arrive in their order.
  virtual void clog(NodeIndex, LinkDirection) { refuse(); }
  virtual void unclog(NodeIndex, LinkDirection) { refuse(); }
  // `fault` keys the draws of this trouble, and names it when it ends.
  virtual void trouble(NodeIndex, LinkDirection, const LinkTrouble&, std::uint64_t /*fault*/) { refuse(); }
  virtual void untrouble(NodeIndex, LinkDirection, std::uint64_t /*fault*/) { refuse(); }
  virtual void delay_messages(NodeIndex, Duration /*by*/) { refuse(); }  // may be negative: takes it back
  // The connections are dead and nobody was told: requests until the first time-out, messages until close.
  virtual void half_open(NodeIndex) { refuse(); }
  virtual void close_half_open(NodeIndex) { refuse(); }
  // Its writes reach the resource later by so much.
  virtual void delay_writes(NodeIndex, Duration /*by*/) { refuse(); }
  // Others hold so many connections of its pool.
  virtual void take_connections(NodeIndex, std::int32_t /*count*/) { refuse(); }
  // Its application's executor comes to what it is told later by so much; may be negative.
  virtual void delay_callbacks(NodeIndex, Duration /*by*/) { refuse(); }
  // A new process under the id of another contender.
  virtual void restart_as(NodeIndex, NodeIndex /*other*/) { refuse(); }

  virtual void speed_store_clock(std::int32_t /*ppm*/) { refuse(); }
  virtual void crash_store() { refuse(); }    // every connection breaks, and new ones are refused
  virtual void restore_store() { refuse(); }  // takes connections again; what it remembers: disturb
  virtual void freeze_store() { refuse(); }
  virtual void thaw_store() { refuse(); }
  virtual void slow_store(Duration /*by*/) { refuse(); }  // each request takes so much longer; may be negative
  virtual void disturb_store(Disturbance) { refuse(); }
  // A session of its own holds the first mutex's row; `fault` names it when it ends. A crash has ended it before.
  virtual void stall_row(std::uint64_t /*fault*/) { refuse(); }
  virtual void unstall_row(std::uint64_t /*fault*/) { refuse(); }

 protected:
  static void refuse() { expect(false, "this world cannot produce that fault, and its kind did not say so"); }
};

}  // namespace leasescope
