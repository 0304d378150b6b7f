#include "core/simba/contender.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/overloaded.h"
#include "core/simba/contend_period.h"

namespace leasescope {
namespace {

using std::chrono::milliseconds;

constexpr Duration kShortestRetry = milliseconds(100);
constexpr Duration kLongestRetry = std::chrono::seconds(1);
constexpr Duration kGrain = milliseconds(1);  // of what a store says is left

}  // namespace

SimbaContender SimbaContender::make(const ContenderSetting& setting, const Terms&, const Plan&) {
  SimbaConfig config;
  config.id = setting.id;
  config.mutex = setting.mutex;
  config.terms = setting.lease;
  config.behaviour = setting.behaviour;
  if (leasescope::generation(setting.behaviour).names_its_term) config.wake_up = setting.wake_up;
  config.timeout = setting.timeout;
  config.initial_delay = setting.initial_delay;
  config.reports_callbacks = setting.reports_callbacks;
  config.reports_work = true;
  return {config, setting.draws};
}

SimbaContender::SimbaContender(const SimbaConfig& config, RandomStream jitter)
    : config_(config), jitter_(jitter), waiting_(config.id) {}

Effects SimbaContender::step(const Input& input, Clocks now) {
  Effects out;
  std::visit(Overloaded{[&](const Start&) { on_start(out, now); }, [&](const Stop&) { on_stop(out, now); },
                        [&](const Close&) { on_close(out, now); },
                        [&](const TimerFired& fired) { on_timer(fired.timer, out, now); },
                        [&](const CallbackDone&) { on_callback_done(out, now); },
                        [&](const WorkDone&) { on_work_done(out, now); },
                        [&](const Reply& reply) { on_reply(reply, out, now); },
                        [&](const StoreEvent& event) { on_store_event(event, out, now); },
                        [&](const ExecutorLate& late) { late_ = late.by; }},
             input);
  return out;
}

// ---- life cycle

void SimbaContender::on_start(Effects& out, Clocks now) {
  if (status_ != Status::kInitial) {
    out.push(Refuse{LifecycleError::kCannotStart, status_});
    return;
  }
  status_ = Status::kStarting;
  // Only 3.0 can have kept its belief over a stop; it forgets without a word.
  if (believes())
    out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(DisbeliefReason::kStop), state_.after.token});
  state_ = MutexState{};
  flight_.end();  // a reply to an earlier life is no longer ours
  holds_lease_ = contend_again_ = in_callback_ = stop_waits_ = planned_ = called_back_ = false;
  works_ = doubtful_ = close_asked_ = in_line_ = false;
  term_ = kNoToken;
  if (!generation().outlives_stop) waiting_.clear();
  out.push(Note{EventKind::kStarted});
  lifecycle_call_ = send(RequestKind::kSubscribe, out).id;
  if (!waiting_.empty()) await_executor(out, now);
}

// The older generations free the lock while the application still works; ours stops the work first, and keeps the lease
// alive until it has stopped. 3.1 cannot stop while a callback runs either, because that holds its lock; 4.x can.
void SimbaContender::on_stop(Effects& out, Clocks now) {
  if (status_ != Status::kRunning || stop_waits_) {
    out.push(Refuse{LifecycleError::kCannotStop, stop_waits_ ? Status::kStopping : status_});
    return;
  }
  if (generation().stops_work_first) {
    status_ = Status::kStopping;
    stop_waits_ = true;
    if (executor_is_behind() && believes()) wait(MutexOwner::none(), DisbeliefReason::kStop, out, now);
    return go_on_stopping(out, now);
  }
  stop_waits_ = in_callback_ && generation().callback_blocks_stop;
  if (!stop_waits_) free_lock(out);
}

// From 3.2 on it does not complain when nothing runs; what is just starting it closes as soon as that runs.
void SimbaContender::on_close(Effects& out, Clocks now) {
  if (status_ == Status::kStarting && generation().close_is_quiet) {
    close_asked_ = true;
  } else if (status_ == Status::kRunning || !generation().close_is_quiet) {
    on_stop(out, now);
  }
}

// Ours, step by step: the application is told, its last write ends, no longer than the lease is held; then it leaves.
void SimbaContender::go_on_stopping(Effects& out, Clocks now) {
  if (in_callback_ || !waiting_.empty()) return;
  if (change(MutexOwner::none(), DisbeliefReason::kStop, out, now)) call_back(state_, out);
  if (works_ && holds_lease_ && !past_deadline(now)) return;
  leave(out, now);
}

// An acquire under way may have begun a term, whose token only its answer tells; and so may one that ended unknown: a
// guard that names no term renews nothing, but is told which there is. It is asked again for as long as that term could
// last.
void SimbaContender::leave(Effects& out, Clocks now) {
  contend_again_ = false;
  if (flight_.active() && !holds_lease_) return;
  // Likewise who has a place in the line: it leaves that before the channel, and what it was granted by then it is
  // told.
  if (std::exchange(in_line_, false) && !holds_lease_) {
    doubtful_ = true;
    term_ = kNoToken;  // of an older one it may have lost
    deadline_ = flight_.sent + place_lasts(config_.terms.lease()) + config_.terms.lease();
  }
  if (!holds_lease_ && doubtful_ && !past_deadline(now)) return call(RequestKind::kGuard, out, now);
  free_lock(out);
}

// Ours releases first: the channel's end is worth no wait of others.
void SimbaContender::free_lock(Effects& out) {
  status_ = Status::kStopping;
  stop_waits_ = false;
  if (planned_) out.push(Disarm{SimbaTimer::kContend});
  if (holds_lease_ && generation().watchdog) out.push(Disarm{SimbaTimer::kWatchdog});
  planned_ = contend_again_ = false;
  if (generation().stops_work_first) return release_term(out);
  holds_lease_ = false;
  send(RequestKind::kUnsubscribe, out);
  lifecycle_call_ = send(RequestKind::kRelease, out).id;
}

void SimbaContender::release_term(Effects& out) {
  const bool holds = std::exchange(holds_lease_, false);
  flight_.end();  // a guard at most: whatever it comes to, its term is given back
  if (holds) lifecycle_call_ = send(RequestKind::kRelease, out).id;
  send(RequestKind::kUnsubscribe, out);
  term_ = kNoToken;
  if (!holds) settle_stop(out);
}

void SimbaContender::on_callback_done(Effects& out, Clocks now) {
  in_callback_ = false;
  if (stop_waits_ && waiting_.empty()) return generation().stops_work_first ? go_on_stopping(out, now) : free_lock(out);
  if (stop_waits_ && generation().callback_blocks_stop) free_lock(out);  // it has waited for longest
  run_waiting(out, now);
}

void SimbaContender::on_work_done(Effects& out, Clocks now) {
  if (called_back_) return;  // it has begun anew meanwhile
  works_ = false;
  if (stop_waits_ && generation().stops_work_first) go_on_stopping(out, now);
}

void SimbaContender::settle_stop(Effects& out) {
  status_ = Status::kInitial;
  out.push(Note{EventKind::kStopped});
}

// ---- inputs

void SimbaContender::on_timer(Timer timer, Effects& out, Clocks now) {
  const bool contends = status_ == Status::kRunning || stop_waits_;
  if (timer == SimbaTimer::kContend && contends) {
    planned_ = false;
    return contend(out, now);
  }
  if (timer == SimbaTimer::kExecutor) return run_waiting(out, now);
  if (!contends || timer == SimbaTimer::kContend) return;
  if (!past_deadline(now)) {
    // A loop that cannot wait for as long as that fires early.
    if (generation().lease_outlives_belief && holds_lease_)
      out.push(Arm{SimbaTimer::kWatchdog, deadline_ - now.steady});
    return;
  }
  if (!generation().lease_outlives_belief) holds_lease_ = false;
  tell(MutexOwner::none(), DisbeliefReason::kWatchdog, out, now);
  if (!generation().lease_outlives_belief) return;
  // The store may hold the term for a little longer, so that the next call is a guard.
  if (stopping()) return go_on_stopping(out, now);
  if (!flight_.active() && !planned_) plan(Duration::zero(), out);
}

void SimbaContender::on_reply(const Reply& reply, Effects& out, Clocks now) {
  if (reply.request == lifecycle_call_)
    return reply.kind == RequestKind::kSubscribe ? on_subscribed(reply, out, now) : on_released(reply, out, now);
  if (!flight_.active() || reply.request != flight_.id) return;
  flight_.end();
  // After a pause the answer may be handed in before the watchdog: what was owned has ended all the same.
  if (generation().compares_clock && believes() && past_deadline(now))
    tell(MutexOwner::none(), DisbeliefReason::kWatchdog, out, now);
  if (status_ != Status::kRunning && !stop_waits_) {
    on_late_reply(reply, out, now);
  } else if (reply.ending == Ending::kOk) {
    on_lease_reply(reply, out, now);
  } else {
    const AttemptResult result = reply.ending == Ending::kFailed ? AttemptResult::kFailed : AttemptResult::kUnknown;
    out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(result), kNoToken, reply.error.handle,
                  static_cast<std::int64_t>(reply.kind)});
    on_failure(reply, out, now);
  }
  if (contend_again_ && !flight_.active()) {
    contend_again_ = false;
    contend(out, now);
  }
}

void SimbaContender::on_subscribed(const Reply& reply, Effects& out, Clocks now) {
  if (status_ != Status::kStarting) return;
  // Messages are only hints to the default behaviour: it contends without them; the others need the channel to start.
  if (reply.ending != Ending::kOk && !generation().messages_are_hints) {
    status_ = Status::kInitial;
    out.push(Refuse{LifecycleError::kStoreFailed, status_});
    return;
  }
  status_ = Status::kRunning;
  if (std::exchange(close_asked_, false)) return on_stop(out, now);
  plan(config_.initial_delay, out);
}

// The store has let go, or nobody knows: the generations that tell their application only now do so.
void SimbaContender::on_released(const Reply& reply, Effects& out, Clocks now) {
  if (status_ != Status::kStopping || stop_waits_) return;
  lifecycle_call_ = 0;
  switch (generation().farewell) {
    case Generation::Farewell::kIfFreed:
      if (reply.ending == Ending::kOk) tell(MutexOwner::none(), DisbeliefReason::kStop, out, now);
      break;  // else the exception comes before the notification, and it goes on believing
    case Generation::Farewell::kByCaller:
      waiting_.clear();
      if (change(MutexOwner::none(), DisbeliefReason::kStop, out, now)) call_back(state_, out);
      break;
    case Generation::Farewell::kAfterward:
      tell(MutexOwner::none(), DisbeliefReason::kStop, out, now);
      break;
    case Generation::Farewell::kFirst:
      break;
  }
  if (reply.ending == Ending::kFailed) out.push(Refuse{LifecycleError::kStoreFailed, Status::kInitial});
  if (generation().farewell != Generation::Farewell::kAfterward || waiting_.empty())
    settle_stop(out);  // 4.x waits for its on_released
}

// An acquire that completes after the stop is undone: nobody would ever release it.
void SimbaContender::on_late_reply(const Reply& reply, Effects& out, Clocks) {
  const bool won = reply.ending == Ending::kOk && reply.owner == config_.id;
  if (won && status_ == Status::kInitial) send(RequestKind::kRelease, out);
}

void SimbaContender::on_lease_reply(const Reply& reply, Effects& out, Clocks now) {
  const MutexOwner owner = owner_until(now.wall + reply.remaining, reply.owner, reply.token);
  const bool ours = reply.owner == config_.id;
  const bool won = ours && (reply.done || !generation().names_its_term);
  const bool doubtful = std::exchange(doubtful_, false);
  if (waits_in_line()) seen_ = std::max({seen_, reply.token, Token{reply.number}});
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(won ? AttemptResult::kWon : AttemptResult::kLost),
                reply.token, reply.remaining.count(), static_cast<std::int64_t>(reply.kind)});
  if (won) {
    generation().names_its_term ? on_own_term(reply, owner, out, now) : on_own_lease(reply, owner, out, now);
  } else if (ours) {
    on_another_term(reply, owner, doubtful, out, now);
  } else {
    on_others_lease(reply, owner, out, now);
  }
}

void SimbaContender::on_own_lease(const Reply& reply, const MutexOwner& owner, Effects& out, Clocks now) {
  holds_lease_ = true;
  // Counted from the moment of sending: whatever the way back or a pause took is already lost.
  const bool endless = reply.remaining < Duration::zero();
  deadline_ = endless ? SteadyTime::max() : flight_.sent + reply.remaining;
  const Duration left = deadline_ - now.steady;
  const bool expired = generation().watchdog && left <= Duration::zero();
  tell(owner, DisbeliefReason::kLost, out, now);
  if (expired) {
    holds_lease_ = false;
    tell(MutexOwner::none(), DisbeliefReason::kWatchdog, out, now);
  } else if (generation().watchdog && !endless) {
    out.push(Arm{SimbaTimer::kWatchdog, left});
  }
  plan(ContendPeriod::ensure(ContendPeriod::next_delay_of_owner(owner, now.wall)), out);
}

// Deadline and renewal count from the moment of sending: whatever the way back or a pause took is already lost, and a
// slow answer never lets the deadline come before the renewal. A term that is over by then is not told: the next call
// renews it, at once.
void SimbaContender::on_own_term(const Reply& reply, const MutexOwner& owner, Effects& out, Clocks now) {
  holds_lease_ = true;
  in_line_ = false;
  term_ = reply.token;
  const bool endless = reply.remaining < Duration::zero();
  deadline_ = endless ? SteadyTime::max() : flight_.sent + reply.remaining - margin();
  const bool expired = past_deadline(now);
  if (believes() && (expired || state_.after.token != term_))
    tell(MutexOwner::none(), expired ? DisbeliefReason::kWatchdog : DisbeliefReason::kLost, out, now);
  if (!expired && (status_ == Status::kRunning || believes())) tell(owner, DisbeliefReason::kLost, out, now);
  if (!expired && !endless) out.push(Arm{SimbaTimer::kWatchdog, deadline_ - now.steady});
  if (stopping() && !believes()) go_on_stopping(out, now);
  if (!stop_waits_ && stopping()) return;  // it has left
  if (endless) return plan(config_.terms.ttl, out);
  const SteadyTime renewal = flight_.sent + reply.remaining - config_.terms.transition;
  plan(expired ? Duration::zero() : ContendPeriod::ensure(renewal - now.steady), out);
}

// The store holds for us, but not in the term we know: an acquire of ours was late, or another process has our id. Two
// of those would depose each other as fast as the network carries it, so that once a lease we ask at once, then we wait
// as for anybody else.
void SimbaContender::on_another_term(const Reply& reply, const MutexOwner& owner, bool doubtful, Effects& out,
                                     Clocks now) {
  lose_lease(out);
  tell(MutexOwner::none(), DisbeliefReason::kLost, out, now);
  if (!stopping() && now.steady < calm_from_) return plan_after(owner, out, now);
  calm_from_ = now.steady + config_.terms.lease();
  if (!stopping()) return plan(Duration::zero(), out);
  if (doubtful) {  // our acquire has begun it: to be given back
    holds_lease_ = true;
    term_ = reply.token;
    deadline_ = now.steady;
  }
  go_on_stopping(out, now);
}

void SimbaContender::lose_lease(Effects& out) {
  if (holds_lease_ && generation().watchdog) out.push(Disarm{SimbaTimer::kWatchdog});
  holds_lease_ = false;
}

void SimbaContender::on_others_lease(const Reply& reply, const MutexOwner& owner, Effects& out, Clocks now) {
  lose_lease(out);
  tell(owner, DisbeliefReason::kLost, out, now);
  if (generation().stops_work_first && stopping()) return go_on_stopping(out, now);
  if (generation().polls_endless_lease && !reply.owner.empty() && reply.remaining < Duration::zero()) {
    plan(config_.terms.ttl, out);  // a lease without end: only a floor keeps the polling slow
    return;
  }
  if (!reply.owner.empty() && reply.kind == RequestKind::kAcquire && (waits_in_line() || reply.answer == kComesFirst))
    return wait_in_line(reply, out, now);
  if (!reply.owner.empty() && waits_in_line()) return plan(Duration::zero(), out);  // a guard took no place
  plan_after(owner, out, now);
}

// Whoever comes first asks at the very end of the lease, the earliest there may be by its own clock, and a little later
// again where that was too early; the others leave it a head start. A place in the line is to be taken again before.
void SimbaContender::wait_in_line(const Reply& reply, Effects& out, Clocks now) {
  if (waits_in_line()) {
    in_line_ = true;
    placed_ = flight_.sent;
    if (take_over(out, now)) return;
  }
  Duration delay, jitter{};
  if (reply.answer == kComesFirst) {
    delay = std::max<Duration>(flight_.sent + reply.remaining + kGrain - now.steady, kGrain);
  } else {
    const MutexOwner owner = owner_until(now.wall + reply.remaining, reply.owner, reply.token);
    jitter = ContendPeriod::draw(ContendPeriod::range(owner, config_.terms.jitter), jitter_);
    delay = ContendPeriod::ensure(reply.remaining + jitter);
  }
  if (waits_in_line()) delay = std::min(delay, place_renewed_after(config_.terms.lease()));
  out.push(Note{EventKind::kWakeupPlanned, 0, reply.token, delay.count(), jitter.count()});
  plan(delay, out);
}

// A message granted a term to the place in the line, which lasts for a whole lease from then on. Belief counts from
// what this contender knows itself: the store had its last call that was answered "you wait" after it was sent, and
// before the grant, if that bears a higher token than any there was by then. However late the message, belief ends
// before the lease.
bool SimbaContender::take_over(Effects& out, Clocks now) {
  if (!in_line_ || handed_ <= seen_) return false;
  in_line_ = doubtful_ = false;
  seen_ = handed_;
  holds_lease_ = true;
  term_ = handed_;
  deadline_ = placed_ + config_.terms.lease() - margin();
  if (!past_deadline(now)) {
    tell(owner_until(now.wall + (deadline_ - now.steady), config_.id, term_), DisbeliefReason::kLost, out, now);
    out.push(Arm{SimbaTimer::kWatchdog, deadline_ - now.steady});
  }
  call(RequestKind::kGuard, out, now);
  return true;
}

void SimbaContender::on_failure(const Reply& reply, Effects& out, Clocks now) {
  switch (generation().failure) {
    case Generation::Failure::kEndsItsSchedule:
      return;
    case Generation::Failure::kStepsDown:
      if (believes()) tell(MutexOwner::none(), DisbeliefReason::kFailure, out, now);
      return plan(config_.terms.ttl, out);
    case Generation::Failure::kTriesOn:
      break;
  }
  if (reply.kind == RequestKind::kAcquire && reply.ending == Ending::kUnknown) {
    doubtful_ = true;
    if (generation().names_its_term) deadline_ = flight_.sent + config_.terms.lease();
  }
  if (!stopping() && take_over(out, now)) return;  // of what came meanwhile this call would have known
  const Duration left = deadline_ - now.steady;
  const bool asked =
      generation().stops_work_first && stopping() && !holds_lease_ && doubtful_ && reply.kind == RequestKind::kGuard;
  if (asked && left > Duration::zero()) return plan(std::min(kShortestRetry, left), out);
  if (generation().stops_work_first && stopping() && (!holds_lease_ || left <= Duration::zero()))
    return go_on_stopping(out, now);
  if (holds_lease_ && left > Duration::zero()) {
    return plan(std::clamp(left / 2, std::min(kShortestRetry, config_.terms.ttl), config_.terms.ttl), out);
  }
  if (generation().lease_outlives_belief || holds_lease_ || believes())
    tell(MutexOwner::none(), DisbeliefReason::kFailure, out, now);
  if (!generation().lease_outlives_belief) holds_lease_ = false;
  plan(generation().retries_soon ? std::min(config_.terms.ttl, kLongestRetry) : config_.terms.ttl, out);
}

void SimbaContender::on_store_event(const StoreEvent& event, Effects& out, Clocks now) {
  if (status_ != Status::kRunning || event.mutex != config_.mutex) return;
  if (event.kind == StoreEventKind::kReleased) return on_released_event(out, now);
  if (event.kind == StoreEventKind::kHandedOver) return on_handed_over(event, out, now);
  if (event.owner == config_.id && generation().knows_own_message)
    return;  // from 3.3 on it knows better by its own reply
  if (generation().messages_are_hints && holds_lease_) return contend(out, now);
  tell(owner_until(now.wall + config_.terms.lease(), event.owner, kNoToken), DisbeliefReason::kEvent, out, now);
}

// A message may be late, lost or out of order. The older generations believe it; ours only asks the store at once.
void SimbaContender::on_released_event(Effects& out, Clocks now) {
  if (!generation().messages_are_hints || !believes()) tell(MutexOwner::none(), DisbeliefReason::kEvent, out, now);
  switch (generation().wake) {
    case Generation::Wake::kAsks:
      return contend(out, now);
    case Generation::Wake::kPlans:
      return plan(Duration::zero(), out);
    case Generation::Wake::kAcquires:  // on the thread of the message, whatever it believes
      if (flight_.active()) return contend(out, now);
      return call(RequestKind::kAcquire, out, now);
  }
}

// The answer of a call under way says whether it was granted before or after; what it holds already no message changes.
void SimbaContender::on_handed_over(const StoreEvent& event, Effects& out, Clocks now) {
  if (!waits_in_line() || event.owner != config_.id) return;
  handed_ = std::max(handed_, event.token);
  if (!flight_.active() && !holds_lease_) take_over(out, now);
}

// ---- what they share

Duration SimbaContender::margin() const { return lease_margin(config_.terms); }

bool SimbaContender::renews() const { return generation().renews_by_reply ? holds_lease_ : believes(); }

Request& SimbaContender::send(RequestKind kind, Effects& out) {
  Request& call = out.send();
  call.id = ++requests_;
  call.kind = kind;
  call.lease.wire = generation().wire;
  call.lease.wake_up = config_.wake_up;
  call.mutex = config_.mutex;
  call.contender = config_.id;
  call.lease.ttl = config_.terms.ttl;
  const bool short_guard = generation().guards_for_ttl && kind == RequestKind::kGuard;
  call.lease.length = short_guard ? config_.terms.ttl : config_.terms.lease();
  call.timeout = config_.timeout;
  if (generation().names_its_term && kind != RequestKind::kAcquire) call.lease.term = term_;
  return call;
}

void SimbaContender::contend(Effects& out, Clocks now) {
  // While it stops it may renew, never take.
  if (generation().stops_work_first && stopping() && !holds_lease_)
    return doubtful_ ? go_on_stopping(out, now) : void();
  if (flight_.active()) {
    contend_again_ = !generation().wake_up_is_lost;
    return;
  }
  call(renews() ? RequestKind::kGuard : RequestKind::kAcquire, out, now);
}

void SimbaContender::call(RequestKind kind, Effects& out, Clocks now) {
  if (planned_) out.push(Disarm{SimbaTimer::kContend});
  planned_ = false;
  flight_.id = send(kind, out).id;
  flight_.sent = now.steady;
}

void SimbaContender::plan(Duration delay, Effects& out) {
  planned_ = true;
  out.push(Arm{SimbaTimer::kContend, delay});
}

void SimbaContender::plan_after(const MutexOwner& owner, Effects& out, Clocks now) {
  if (owner.owner.empty()) return plan(Duration::zero(), out);
  const Duration jitter = ContendPeriod::draw(ContendPeriod::range(owner, config_.terms.jitter), jitter_);
  const Duration delay = ContendPeriod::ensure(ContendPeriod::next_delay_of_contender(owner, now.wall, jitter));
  out.push(Note{EventKind::kWakeupPlanned, 0, owner.token, delay.count(), jitter.count()});
  plan(delay, out);
}

// ---- what the application is told

MutexOwner SimbaContender::owner_until(WallTime transition_at, Name owner, Token token) const {
  if (owner.empty()) return MutexOwner::none();
  const WallTime ttl_at = transition_at - config_.terms.transition;
  return {owner, ttl_at - config_.terms.ttl, ttl_at, transition_at, token};
}

// Up to 4.x isOwner itself changes only when the executor comes to the notification; of ours only the callbacks wait.
void SimbaContender::tell(const MutexOwner& after, DisbeliefReason reason, Effects& out, Clocks now) {
  const bool waits =
      !generation().belief_is_prompt && (executor_is_behind() || (in_callback_ && generation().one_by_one));
  if (waits) return wait(after, reason, out, now);
  if (!change(after, reason, out, now)) return;
  if (generation().belief_is_prompt && executor_is_behind()) return wait(after, reason, out, now);
  call_back(state_, out);
}

// False when the owner is still the same: that is not told.
bool SimbaContender::change(const MutexOwner& after, DisbeliefReason reason, Effects& out, Clocks now) {
  const bool believed = believes();
  const Token token = state_.after.token;
  state_ = MutexState{state_.after, after};
  if (!state_.is_changed()) return false;
  if (believed) out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason), token});
  if (believes()) {
    const Duration left =
        generation().watchdog ? Duration(deadline_ - now.steady) : Duration(after.transition_at - now.wall);
    out.push(Note{EventKind::kBelieved, 0, after.token, left.count(), config_.terms.ttl.count()});
  }
  return true;
}

void SimbaContender::call_back(const MutexState& state, Effects& out) {
  const bool owns = state.is_owner(config_.id);
  if (owns != state.before.is_owner(config_.id) && owns == called_back_) return;  // the executor came to it before
  called_back_ = owns;
  if (owns && config_.reports_callbacks) in_callback_ = true;
  if (owns && config_.reports_work) works_ = true;
  out.push(Notify{state});
}

void SimbaContender::wait(const MutexOwner& after, DisbeliefReason reason, Effects& out, Clocks now) {
  waiting_.add({after.owner, reason, after.token, after.transition_at, now.steady + late_});
  if (waiting_.size() == 1) await_executor(out, now);
}

void SimbaContender::await_executor(Effects& out, Clocks now) {
  if (in_callback_ && generation().one_by_one) return;  // whose end comes first
  out.push(Arm{SimbaTimer::kExecutor, waiting_.front().due - now.steady});
}

void SimbaContender::run_waiting(Effects& out, Clocks now) {
  while (!waiting_.empty() && waiting_.front().due <= now.steady && !(in_callback_ && generation().one_by_one)) {
    const Notification next = waiting_.pop();
    const MutexOwner owner = owner_until(next.transition_at, next.owner, next.token);
    if (generation().belief_is_prompt) {
      MutexOwner before = MutexOwner::none();
      if (called_back_) before.owner = config_.id;
      if (owner.is_owner(config_.id) != called_back_) call_back({before, owner}, out);
    } else if (running() || owner.owner.empty() || generation().outlives_stop) {
      if (change(owner, next.reason, out, now)) call_back(state_, out);
    }
  }
  if (!waiting_.empty()) return await_executor(out, now);
  if (in_callback_) return;
  if (stop_waits_) return generation().stops_work_first ? go_on_stopping(out, now) : free_lock(out);
  if (generation().farewell == Generation::Farewell::kAfterward && status_ == Status::kStopping && lifecycle_call_ == 0)
    settle_stop(out);
}

// ---- texts

std::string_view text(Status status) {
  static constexpr std::array<std::string_view, 4> kTexts{"INITIAL", "STARTING", "RUNNING", "STOPPING"};
  return kTexts[static_cast<std::size_t>(status)];
}

std::string lifecycle_message(LifecycleError error, std::string_view mutex, Status status) {
  switch (error) {
    case LifecycleError::kCannotStart:
      return fmt::format("Cannot start from state [{}]. Expected: [INITIAL]", text(status));
    case LifecycleError::kCannotStop:
      return fmt::format("Cannot stop mutex:[{}] from state:[{}]. Expected:[RUNNING]", mutex, text(status));
    case LifecycleError::kStoreFailed:
      return fmt::format("The store failed mutex:[{}]", mutex);
  }
  return {};
}

}  // namespace leasescope
