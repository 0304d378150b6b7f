#include "core/contend/contender.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/lease/contend_period.h"

namespace leasescope {
namespace {

using std::chrono::milliseconds;

constexpr Duration kShortestRetry = milliseconds(100);
constexpr Duration kLongestRetry = std::chrono::seconds(1);

// A loop of std::get_if would test every alternative; inputs are told apart once.
template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

Duration saturated(SteadyTime from, Duration left) {
  return left == kForever ? Duration(SteadyTime::max() - from) : left;
}

}  // namespace

Contender::Contender(const ContenderConfig& config, RandomStream jitter) : config_(config), jitter_(jitter) {}

Effects Contender::step(const Input& input, Clocks now) {
  Effects out;
  std::visit(Overloaded{[&](const Start&) { on_start(out); }, [&](const Stop&) { on_stop(out, now); },
                        [&](const Close&) {
                          if (status_ == Status::kRunning || !has_watchdog()) on_stop(out, now);
                        },
                        [&](const TimerFired& fired) { on_timer(fired.timer, out, now); },
                        [&](const CallbackDone&) { on_callback_done(out, now); },
                        [&](const Reply& reply) { on_reply(reply, out, now); },
                        [&](const StoreEvent& event) { on_store_event(event, out, now); }},
             input);
  return out;
}

// ---- life cycle

void Contender::on_start(Effects& out) {
  if (status_ != Status::kInitial) {
    out.push(Refuse{LifecycleError::kCannotStart, status_});
    return;
  }
  status_ = Status::kStarting;
  state_ = MutexState{};
  flight_.active = false;  // a reply to an earlier life is no longer ours
  holds_lease_ = contend_again_ = in_callback_ = stop_waits_ = planned_ = false;
  out.push(Note{EventKind::kStarted});
  lifecycle_call_ = send(RequestKind::kSubscribe, out).id;
}

void Contender::on_stop(Effects& out, Clocks now) {
  if (status_ != Status::kRunning) {
    out.push(Refuse{LifecycleError::kCannotStop, status_});
    return;
  }
  status_ = Status::kStopping;
  if (firm() && in_callback_) {
    stop_waits_ = true;  // the lease is kept alive until on_acquired returns: its work is protected by it
    return;
  }
  if (planned_) out.push(Disarm{Timer::kContend});
  if (holds_lease_ && has_watchdog()) out.push(Disarm{Timer::kWatchdog});
  planned_ = contend_again_ = holds_lease_ = false;
  // The older generations free the lock while the application still works; ours stops the work first.
  if (firm()) tell(MutexOwner::none(), DisbeliefReason::kStop, out, now);
  send(RequestKind::kUnsubscribe, out);
  release(out);
}

void Contender::on_callback_done(Effects& out, Clocks now) {
  in_callback_ = false;
  if (!stop_waits_) return;
  stop_waits_ = false;
  status_ = Status::kRunning;
  on_stop(out, now);
}

void Contender::release(Effects& out) { lifecycle_call_ = send(RequestKind::kRelease, out).id; }

void Contender::settle_stop(Effects& out) {
  status_ = Status::kInitial;
  out.push(Note{EventKind::kStopped});
}

// ---- inputs

void Contender::on_timer(Timer timer, Effects& out, Clocks now) {
  if (status_ != Status::kRunning && !stop_waits_) return;
  if (timer == Timer::kContend) {
    planned_ = false;
    contend(out, now);
    return;
  }
  if (now.steady < deadline_) return;
  holds_lease_ = false;
  tell(MutexOwner::none(), DisbeliefReason::kWatchdog, out, now);
  if (firm() && !flight_.active && !planned_) plan(margin(), out);
}

void Contender::on_reply(const Reply& reply, Effects& out, Clocks now) {
  if (reply.request == lifecycle_call_ && reply.kind == RequestKind::kSubscribe) {
    if (status_ != Status::kStarting) return;
    // Messages are only hints to the default behaviour: it contends without them; the others need the channel to start.
    if (reply.ending != Ending::kOk && !firm()) {
      status_ = Status::kInitial;
      out.push(Refuse{LifecycleError::kStoreFailed, status_});
      return;
    }
    status_ = Status::kRunning;
    plan(config_.initial_delay, out);
    return;
  }
  if (reply.request == lifecycle_call_ && reply.kind == RequestKind::kRelease) {
    if (status_ != Status::kStopping) return;
    tell(MutexOwner::none(), DisbeliefReason::kStop, out, now);
    settle_stop(out);
    if (reply.ending == Ending::kFailed) out.push(Refuse{LifecycleError::kStoreFailed, status_});
    return;
  }
  if (!flight_.active || reply.request != flight_.id) return;
  flight_.active = false;
  if (status_ != Status::kRunning && !stop_waits_) {
    on_late_reply(reply, out, now);
  } else if (reply.ending == Ending::kOk) {
    on_lease_reply(reply, out, now);
  } else {
    const AttemptResult result = reply.ending == Ending::kFailed ? AttemptResult::kFailed : AttemptResult::kUnknown;
    out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(result), kNoToken, 0,
                  static_cast<std::int64_t>(reply.kind)});
    on_failure(reply.kind, out, now);
  }
  if (contend_again_ && !flight_.active) {
    contend_again_ = false;
    contend(out, now);
  }
}

// An acquire that completes after the stop is undone: nobody would ever release it.
void Contender::on_late_reply(const Reply& reply, Effects& out, Clocks) {
  const bool won = reply.ending == Ending::kOk && reply.owner == config_.id;
  if (won && status_ == Status::kInitial) send(RequestKind::kRelease, out);
}

void Contender::on_lease_reply(const Reply& reply, Effects& out, Clocks now) {
  MutexOwner owner = MutexOwner::none();
  if (!reply.owner.empty()) {
    owner.owner = reply.owner;
    owner.transition_at = now.wall + reply.remaining;
    owner.ttl_at = owner.transition_at - config_.terms.transition;
    owner.acquired_at = owner.ttl_at - config_.terms.ttl;
    owner.token = reply.token;
  }
  const bool won = reply.owner == config_.id;
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(won ? AttemptResult::kWon : AttemptResult::kLost),
                reply.token, reply.remaining.count(), static_cast<std::int64_t>(reply.kind)});
  if (won) {
    on_own_lease(reply, owner, out, now);
  } else {
    on_others_lease(reply, owner, out, now);
  }
}

void Contender::on_own_lease(const Reply& reply, const MutexOwner& owner, Effects& out, Clocks now) {
  holds_lease_ = true;
  // Counted from the moment of sending: whatever the way back or a pause took is already lost.
  const bool endless = reply.remaining < Duration::zero();
  deadline_ = endless ? SteadyTime::max() : flight_.sent + reply.remaining - margin();
  const Duration left = saturated(now.steady, endless ? kForever : deadline_ - now.steady);
  const bool expired = has_watchdog() && left <= Duration::zero();
  if (!believes()) {
    const Duration counted = has_watchdog() ? left : reply.remaining;
    out.push(Note{EventKind::kBelieved, 0, reply.token, counted.count(), config_.terms.ttl.count()});
  }
  tell(owner, DisbeliefReason::kLost, out, now);
  if (expired) {
    holds_lease_ = false;
    tell(MutexOwner::none(), DisbeliefReason::kWatchdog, out, now);
    if (firm()) return plan(Duration::zero(), out);
  } else if (has_watchdog() && !endless) {
    out.push(Arm{Timer::kWatchdog, left});
  }
  plan(ContendPeriod::ensure(ContendPeriod::next_delay_of_owner(owner, now.wall)), out);
}

void Contender::on_others_lease(const Reply& reply, const MutexOwner& owner, Effects& out, Clocks now) {
  if (holds_lease_ && has_watchdog()) out.push(Disarm{Timer::kWatchdog});
  holds_lease_ = false;
  tell(owner, DisbeliefReason::kLost, out, now);
  if (firm() && !reply.owner.empty() && reply.remaining < Duration::zero()) {
    plan(config_.terms.ttl, out);  // a lease without end: only a floor keeps the polling slow
    return;
  }
  plan_after(owner, out, now);
}

void Contender::on_failure(RequestKind, Effects& out, Clocks now) {
  switch (config_.behaviour) {
    case Behaviour::k30:
      return;  // the exception ends its schedule for good; it goes on believing
    case Behaviour::k31:
      tell(MutexOwner::none(), DisbeliefReason::kFailure, out, now);
      return plan(config_.terms.ttl, out);
    case Behaviour::k4x:
    case Behaviour::kLeasescope:
      break;
  }
  const Duration left = deadline_ - now.steady;
  if (holds_lease_ && left > Duration::zero()) {
    return plan(std::clamp(left / 2, std::min(kShortestRetry, config_.terms.ttl), config_.terms.ttl), out);
  }
  holds_lease_ = false;
  tell(MutexOwner::none(), DisbeliefReason::kFailure, out, now);
  plan(firm() ? std::min(config_.terms.ttl, kLongestRetry) : config_.terms.ttl, out);
}

void Contender::on_store_event(const StoreEvent& event, Effects& out, Clocks now) {
  if (status_ != Status::kRunning || event.mutex != config_.mutex) return;
  const bool self = event.owner == config_.id;
  if (event.kind == StoreEventKind::kReleased) {
    // A message may be late, lost or out of order. The older generations believe it; ours only asks the store at once.
    if (!firm() || !believes()) tell(MutexOwner::none(), DisbeliefReason::kEvent, out, now);
    if (has_watchdog()) return contend_soon(out, now);
    return plan(Duration::zero(), out);
  }
  if (self && has_watchdog()) return;
  if (firm() && holds_lease_) return contend_soon(out, now);
  MutexOwner owner;
  owner.owner = event.owner;
  owner.acquired_at = now.wall;
  owner.ttl_at = now.wall + config_.terms.ttl;
  owner.transition_at = owner.ttl_at + config_.terms.transition;
  if (self && !believes())
    out.push(Note{EventKind::kBelieved, 0, kNoToken, config_.terms.lease().count(), config_.terms.ttl.count()});
  tell(owner, DisbeliefReason::kEvent, out, now);
}

// ---- what they share

Duration Contender::margin() const { return firm() ? config_.terms.lease() / 100 + milliseconds(2) : Duration::zero(); }

bool Contender::renews() const { return has_watchdog() ? holds_lease_ : believes(); }

Request& Contender::send(RequestKind kind, Effects& out) {
  Request& call = out.send();
  call.id = ++requests_;
  call.kind = kind;
  call.wire = has_watchdog() ? Wire::kFenced : Wire::kTokenless;
  call.mutex = config_.mutex;
  call.contender = config_.id;
  call.ttl = config_.terms.ttl;
  const bool short_guard = config_.behaviour == Behaviour::k30 && kind == RequestKind::kGuard;
  call.lease = short_guard ? config_.terms.ttl : config_.terms.lease();
  call.timeout = config_.timeout;
  return call;
}

void Contender::contend(Effects& out, Clocks now) {
  if (flight_.active) {
    // Up to 3.1 the reply's own delay replaces this wake-up, which is lost.
    contend_again_ = has_watchdog();
    return;
  }
  if (planned_) out.push(Disarm{Timer::kContend});
  planned_ = false;
  const RequestKind kind = renews() ? RequestKind::kGuard : RequestKind::kAcquire;
  flight_.id = send(kind, out).id;
  flight_.kind = kind;
  flight_.sent = now.steady;
  flight_.active = true;
}

void Contender::contend_soon(Effects& out, Clocks now) { contend(out, now); }

void Contender::plan(Duration delay, Effects& out) {
  planned_ = true;
  out.push(Arm{Timer::kContend, delay});
}

void Contender::plan_after(const MutexOwner& owner, Effects& out, Clocks now) {
  if (owner.owner.empty()) return plan(Duration::zero(), out);
  const Duration jitter = ContendPeriod::draw(ContendPeriod::range(owner, config_.terms.jitter), jitter_);
  const Duration delay = ContendPeriod::ensure(ContendPeriod::next_delay_of_contender(owner, now.wall, jitter));
  out.push(Note{EventKind::kWakeupPlanned, 0, owner.token, delay.count(), jitter.count()});
  plan(delay, out);
}

// Believed is noted by whoever knows the deadline; disbelieved here, in one place.
void Contender::tell(const MutexOwner& after, DisbeliefReason reason, Effects& out, Clocks) {
  const bool believed = believes();
  const Token token = state_.after.token;
  state_ = MutexState{state_.after, after};
  if (!state_.is_changed()) return;
  if (believed) out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason), token});
  if (believes() && config_.reports_callbacks) in_callback_ = true;
  out.push(Notify{state_});
}

// ---- texts

std::string_view text(Status status) {
  static constexpr std::array<std::string_view, 4> kTexts{"INITIAL", "STARTING", "RUNNING", "STOPPING"};
  return kTexts[static_cast<std::size_t>(status)];
}

std::string_view text(Behaviour behaviour) {
  static constexpr std::array<std::string_view, 4> kTexts{"leasescope", "4.x", "3.1", "3.0"};
  return kTexts[static_cast<std::size_t>(behaviour)];
}

tl::expected<Behaviour, std::string> parse_behaviour(std::string_view wanted) {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31, Behaviour::k30})
    if (text(behaviour) == wanted) return behaviour;
  return tl::make_unexpected(fmt::format("\"{}\" is not a behaviour: expected leasescope, 4.x, 3.1 or 3.0", wanted));
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
