// A contender's process, whichever system it contends by and in whichever world it lives: its clock, its timers, what a
// pause keeps back, the work under the mutex. What a pause, a starved renewer, a crash, a restart and a late executor
// do to it is written here, once. A value; what is around it comes through a port, of which the world is made:
//
//   TrueTime now()
//   Effects step(const Input&, Clocks)            the contender: one input; what it answers
//   Name id()                                     under which it contends
//   bool believes(), bool owns(SteadyTime), Token token()
//   void reborn(Name id)                          the contender of a new process
//   Sequence note(EventKind, Sequence cause, std::uint8_t detail, Token, std::int64_t a, std::int64_t b)
//   void due(TrueTime at, std::size_t timer, std::uint32_t generation)       on_timer then
//   void work_due(TrueTime at, std::uint32_t work, std::uint32_t generation) on_work then
//   void work_now(std::uint32_t work, std::uint32_t generation)              before all that is handed over again
//   void hand_again(const Entry&)                 a pause has kept it, and is over
//   bool is_work(const Entry&)                    a starved process is handed it all the same
//   void drop(const Entry&)                       a pause had kept it, and the process is gone
//   void send(const Request&, SteadyTime now)
//   void write(std::uint32_t work, Token)         value and token go to the resource; the time-out stands in the timer
//   void computes()                               a worker has begun to
//   Work& work(std::uint32_t), const WorkTerms& terms(std::uint32_t), std::uint32_t works()
//   Duration callback()                           its application's, of on_acquired
//   Duration late_callbacks()                     its executor's
//   void told(bool owns)                          its application is, beside the works
//   bool rests()                                  its application has nothing under way, beside the works
//   void ended()                                  the process is gone, and what was on its way for it
//   void begun()                                  a new one begins: start it
#pragma once
#include <array>
#include <vector>

#include "core/base/random_stream.h"
#include "core/contend/effect.h"
#include "core/contend/worker.h"
#include "core/time/skewed_clock.h"

namespace leasescope {

// A timer is armed in a generation; arming again or disarming makes the older ones void.
struct TimerSlot {
  std::uint32_t generation : 31 = 0;
  std::uint32_t armed : 1 = false;
  Sequence cause = 0;
  SteadyTime due{};

  bool valid(std::uint32_t of) const { return armed != 0 && generation == of; }
  std::uint32_t arm(SteadyTime at) {
    ++generation;
    armed = true;
    due = at;
    return generation;
  }
};

// One worker: the work of one contender on one resource.
struct Work {
  Worker worker;
  TimerSlot timer;
  RandomStream delays;  // of what it writes

  explicit Work(RandomStream stream) : delays(stream) {}
};

// The contender's own timers by their numbers, then that of its application.
inline constexpr std::size_t kCallbackTimer = kContenderTimers;
inline constexpr std::size_t kHostTimers = kCallbackTimer + 1;

template <class Entry>
struct Host {
  ContenderClock clock;
  std::array<TimerSlot, kHostTimers> timers;
  std::uint32_t mutex = 0;  // its place in the world
  std::uint32_t life = 0;   // a crash and a restart begin a new one
  Name name;
  Sequence cause = 0;        // the latest event that led it to act
  std::uint32_t pauses = 0;  // lasting now
  std::uint32_t starves = 0;
  bool alive = false;        // its process runs: started once and not crashed
  bool subscribed = false;   // it asked for messages
  bool refused = false;      // its status forbade what it was asked for; reset by who asks
  bool stalled = false;      // some of its work has stopped at a check, and has not been told so
  std::vector<Entry> inbox;  // what fell due during a pause, in order

  bool held() const { return (pauses | starves) != 0; }

  // ---- what it is handed
  template <class Port>
  void hand(Port port, const Input& input, Sequence led_by);
  // False where the timer was armed anew or disarmed meanwhile.
  template <class Port>
  bool on_timer(Port port, std::size_t timer, std::uint32_t generation);
  // False where nobody waits for it any more; kept while it pauses.
  template <class Port>
  bool on_work(Port port, std::uint32_t work, const Entry& entry, std::uint32_t generation);
  template <class Port>
  bool on_write_answered(Port port, std::uint32_t work, const Entry& entry, std::uint32_t number);

  // ---- what it suffers
  void pause() { ++pauses; }
  void starve() { ++starves; }
  template <class Port>
  void resume(Port port);
  template <class Port>
  void feed(Port port);
  template <class Port>
  void crash(Port port);
  // Under that id; `as`: its handle, 0 for its own.
  template <class Port>
  void restart(Port port, Name id, std::int64_t as);
  // Its steady clock runs at another rate: what is armed falls due at other true times, or never while it stands.
  template <class Port>
  void rearm(Port port, bool stands);

 private:
  template <class Port>
  void arm(Port port, std::size_t timer, Duration delay, SteadyTime now);
  template <class Port>
  bool on_notify(Port port, const MutexState& state, SteadyTime now);
  template <class Port>
  void run_work(Port port, std::uint32_t work, WorkInput input);
  template <class Port>
  void work_rests(Port port);
  template <class Port>
  void go_on_working(Port port);
  template <class Port>
  void hand_over(Port port);
};

// ---- what it is handed

template <class Entry>
template <class Port>
void Host<Entry>::hand(Port port, const Input& input, Sequence led_by) {
  if (led_by != 0) cause = led_by;
  const Clocks at = clock.at(port.now());
  const Effects effects = port.step(input, at);
  bool told_released = false;
  for (const Effect& effect : effects) {
    if (const auto* call = std::get_if<Send>(&effect)) {
      port.send(call->request, at.steady);
    } else if (const auto* armed = std::get_if<Arm>(&effect)) {
      arm(port, static_cast<std::size_t>(armed->timer), armed->delay, at.steady);
    } else if (const auto* noted = std::get_if<Note>(&effect)) {
      cause = port.note(noted->kind, cause, noted->detail, noted->token, noted->a, noted->b);
    } else if (const auto* disarmed = std::get_if<Disarm>(&effect)) {
      timers[static_cast<std::size_t>(disarmed->timer)].armed = false;
    } else if (const auto* notify = std::get_if<Notify>(&effect)) {
      told_released |= on_notify(port, notify->state, at.steady);
    } else if (const auto* refusal = std::get_if<Refuse>(&effect)) {
      cause = port.note(EventKind::kRefused, cause, static_cast<std::uint8_t>(refusal->error), kNoToken,
                        static_cast<std::int64_t>(refusal->status), 0);
      refused = refused || refusal->error != LifecycleError::kStoreFailed;
    }
  }
  if (stalled && port.owns(at.steady)) go_on_working(port);
  if (told_released) work_rests(port);  // only now: it may lead to another step
}

template <class Entry>
template <class Port>
bool Host<Entry>::on_timer(Port port, std::size_t timer, std::uint32_t generation) {
  TimerSlot& slot = timers[timer];
  if (!slot.valid(generation)) return false;
  slot.armed = false;
  if (timer == kCallbackTimer) {
    hand(port, CallbackDone{}, 0);
  } else {
    hand(port, TimerFired{static_cast<Timer>(timer)}, slot.cause);
  }
  return true;
}

template <class Entry>
template <class Port>
void Host<Entry>::arm(Port port, std::size_t timer, Duration delay, SteadyTime now) {
  TimerSlot& slot = timers[timer];
  const std::uint32_t generation = slot.arm(now + delay);
  slot.cause = cause;
  port.due(delay <= Duration::zero() ? port.now() : std::max(port.now(), clock.steady.when(slot.due)), timer,
           generation);
}

template <class Entry>
template <class Port>
void Host<Entry>::rearm(Port port, bool stands) {
  const auto again = [&](TimerSlot& slot, const auto& due) {
    if (!slot.armed) return;
    slot.arm(slot.due);
    if (!stands) due(std::max(port.now(), clock.steady.when(slot.due)), slot.generation);
  };
  for (std::size_t i = 0; i < kHostTimers; ++i)
    again(timers[i], [&](TrueTime at, std::uint32_t generation) { port.due(at, i, generation); });
  for (std::uint32_t i = 0; i < port.works(); ++i)
    again(port.work(i).timer, [&](TrueTime at, std::uint32_t generation) { port.work_due(at, i, generation); });
}

// True when the application was told that it no longer owns.
template <class Entry>
template <class Port>
bool Host<Entry>::on_notify(Port port, const MutexState& state, SteadyTime now) {
  const Name id = port.id();
  const bool acquired = state.is_acquired(id);
  if (!acquired && !state.is_released(id)) return false;
  if (acquired && port.callback() > Duration::zero()) arm(port, kCallbackTimer, port.callback(), now);
  for (std::uint32_t i = 0; i < port.works(); ++i)
    run_work(port, i, acquired ? WorkInput::kAcquired : WorkInput::kReleased);
  port.told(acquired);
  return !acquired;
}

// ---- the work under the mutex

template <class Entry>
template <class Port>
bool Host<Entry>::on_work(Port port, std::uint32_t index, const Entry& entry, std::uint32_t generation) {
  Work& work = port.work(index);
  if (!work.timer.valid(generation)) return false;
  if (pauses > 0) {
    inbox.push_back(entry);
    return false;
  }
  work.timer.armed = false;
  run_work(port, index, WorkInput::kTimer);
  return true;
}

template <class Entry>
template <class Port>
bool Host<Entry>::on_write_answered(Port port, std::uint32_t index, const Entry& entry, std::uint32_t number) {
  if (!alive || !port.work(index).worker.awaits(number)) return false;  // crashed since, or given up
  if (pauses > 0) {
    inbox.push_back(entry);
    return false;
  }
  run_work(port, index, WorkInput::kAnswered);
  return true;
}

template <class Entry>
template <class Port>
void Host<Entry>::run_work(Port port, std::uint32_t index, WorkInput input) {
  Work& work = port.work(index);
  const TrueTime now = port.now();
  const bool owns = input == WorkInput::kTimer && port.owns(clock.steady.at(now));
  const WorkStep step = work.worker.step(port.terms(index), input, owns, owns ? port.token() : kNoToken);
  if (step.checked) cause = port.note(EventKind::kChecked, cause, 0, step.token, 0, 0);
  stalled = stalled || work.worker.stalled();
  if (step.timer == WorkEffect::kDisarm) work.timer.armed = false;
  if (step.timer == WorkEffect::kArm) {
    const std::uint32_t generation = work.timer.arm(clock.steady.at(now) + step.delay);
    if (step.writes) return port.write(index, step.token);
    port.work_due(step.delay <= Duration::zero() ? now : clock.steady.when(work.timer.due), index, generation);
  }
  if (step.computes) port.computes();
  if (step.rests && input != WorkInput::kReleased) work_rests(port);
}

// Its application has stopped once all it does under the mutex has.
template <class Entry>
template <class Port>
void Host<Entry>::work_rests(Port port) {
  for (std::uint32_t i = 0; i < port.works(); ++i)
    if (!port.work(i).worker.resting()) return;
  if (port.rests()) hand(port, WorkDone{}, 0);
}

// Its lease was over by its own clock, and an answer that had been held back has renewed it all the same.
template <class Entry>
template <class Port>
void Host<Entry>::go_on_working(Port port) {
  stalled = false;
  for (std::uint32_t i = 0; i < port.works(); ++i)
    if (port.work(i).worker.stalled()) run_work(port, i, WorkInput::kAcquired);
}

// ---- what it suffers

// A pause ends: first the step the work was in, then what fell due meanwhile in its order, then the next cycle.
template <class Entry>
template <class Port>
void Host<Entry>::resume(Port port) {
  if (--pauses > 0) return;
  for (std::uint32_t i = 0; i < port.works(); ++i) {
    Work& work = port.work(i);
    if (!work.worker.computing() || !work.timer.armed) continue;
    // A compute under way counts as finished, however long it had to go.
    port.work_now(i, work.timer.arm(work.timer.due));
  }
  hand_over(port);
}

template <class Entry>
template <class Port>
void Host<Entry>::feed(Port port) {
  if (--starves == 0) hand_over(port);
}

template <class Entry>
template <class Port>
void Host<Entry>::hand_over(Port port) {
  std::vector<Entry> kept;
  kept.swap(inbox);
  for (const Entry& entry : kept) {
    if (port.is_work(entry)) continue;
    if (held()) {
      inbox.push_back(entry);
    } else {
      port.hand_again(entry);
    }
  }
  for (const Entry& entry : kept) {
    if (!port.is_work(entry)) continue;
    if (pauses > 0) {
      inbox.push_back(entry);
    } else {
      port.hand_again(entry);
    }
  }
}

// Replies, messages and time-outs of the old process find nobody.
template <class Entry>
template <class Port>
void Host<Entry>::crash(Port port) {
  if (!alive) return;
  ++life;
  alive = subscribed = false;
  for (const Entry& entry : inbox) port.drop(entry);
  inbox.clear();
  for (TimerSlot& timer : timers) timer.armed = false;
  for (std::uint32_t i = 0; i < port.works(); ++i) port.work(i).timer.armed = false;
  port.ended();
  if (port.believes())
    port.note(EventKind::kDisbelieved, cause, static_cast<std::uint8_t>(DisbeliefReason::kStop), port.token(), 0, 0);
  cause = port.note(EventKind::kCrashed, cause, 0, kNoToken, 0, 0);
}

// It lives from here on, though its start may have to wait for the end of a pause: a crash until then takes that back.
template <class Entry>
template <class Port>
void Host<Entry>::restart(Port port, Name id, std::int64_t as) {
  if (alive) return;
  cause = port.note(EventKind::kRestarted, cause, 0, kNoToken, 0, as);
  ++life;
  alive = true;
  port.reborn(id);
  if (const Duration late = port.late_callbacks(); late > Duration::zero()) hand(port, ExecutorLate{late}, 0);
  for (std::uint32_t i = 0; i < port.works(); ++i) port.work(i).worker = port.work(i).worker.reborn();
  port.begun();
}

}  // namespace leasescope
