#include "core/fenced/fenced_contender.h"

#include <algorithm>

#include "core/history/operation.h"

namespace leasescope {
namespace {

constexpr std::uint32_t kThread = 0;  // the application has one
constexpr Duration kTryPause = std::chrono::milliseconds(100);

FencedClientConfig config_of(const ContenderSetting& setting, const FencedTerms& terms) {
  FencedClientConfig config;
  config.id = setting.id;
  config.mutex = setting.mutex;
  config.timeout = setting.timeout;
  config.ttl = setting.lease.ttl;
  config.retry = terms.retry;
  config.reports_unknown = terms.indeterminate == FencedTerms::Unknown::kReport;
  config.new_uid_a_try = !terms.memo;
  return config;
}

Operation operation_of(FencedCall call) {
  if (call == FencedCall::kUnlock) return Operation::kUnlock;
  return call == FencedCall::kLock ? Operation::kLock : Operation::kTryLock;
}

Ending ending_of(FencedResult result) {
  if (result == FencedResult::kDone) return Ending::kOk;
  return result == FencedResult::kUnknown ? Ending::kUnknown : Ending::kFailed;
}

}  // namespace

FencedContender::FencedContender(const ContenderSetting& setting, const FencedTerms& terms, const FencedPlan& plan)
    : setting_(setting), terms_(terms), plan_(plan), client_(config_of(setting, terms)) {}

FencedContender FencedContender::reborn(Name id) const {
  ContenderSetting setting = setting_;
  setting.id = id;
  return {setting, terms_, plan_};
}

Effects FencedContender::step(const Input& input, Clocks now) {
  Effects out;
  if (std::holds_alternative<Start>(input)) {
    on_start(out, now);
  } else if (std::holds_alternative<Stop>(input)) {
    on_stop(out, now);
  } else if (std::holds_alternative<Close>(input)) {
    if (running()) on_stop(out, now);
  } else if (const auto* fired = std::get_if<TimerFired>(&input)) {
    on_timer(fired->timer, out, now);
  } else if (std::holds_alternative<WorkDone>(input)) {
    on_work_done(out, now);
  } else if (const auto* reply = std::get_if<Reply>(&input)) {
    on_reply(*reply, out, now);
  }
  // Where the client tells of a loss at once, the application need not call to hear of it.
  if (believes_ && terms_.told == FencedTerms::Told::kHeartbeat && client_.lost(kThread))
    let_go(DisbeliefReason::kSession, out, now);
  return out;
}

// ---- its life

void FencedContender::on_start(Effects& out, Clocks now) {
  if (status_ != Status::kInitial) return out.push(Refuse{LifecycleError::kCannotStart, status_});
  status_ = Status::kRunning;
  out.push(Note{EventKind::kStarted});
  acquire(out, now);
}

// The work is stopped first, then the lock is given back, then the session closed.
void FencedContender::on_stop(Effects& out, Clocks now) {
  if (status_ != Status::kRunning) return out.push(Refuse{LifecycleError::kCannotStop, status_});
  status_ = Status::kStopping;
  if (believes_ && phase_ == Phase::kAcquires) return;  // once more, which comes to its end first
  if (believes_) return let_go(DisbeliefReason::kStop, out, now);
  // A call under way is given up, and with the session whatever it may have come to.
  if (phase_ != Phase::kLetsGo && phase_ != Phase::kUnlocks) close(out);
}

void FencedContender::close(Effects& out) {
  phase_ = Phase::kCloses;
  out.push(Disarm{FencedTimer::kApplication});
  if (!client_.close(out)) settle_stop(out);
}

void FencedContender::settle_stop(Effects& out) {
  phase_ = Phase::kIdle;
  status_ = Status::kInitial;
  entered_ = 0;
  out.push(Note{EventKind::kStopped});
}

// ---- what the application does

void FencedContender::call(FencedCall what, Effects& out, Clocks now) {
  if (!asks(what))
    out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(operation_of(what)), kNoToken,
                  static_cast<std::int64_t>(client_.next_uid())});
  if (const auto at_once = client_.call(what, kThread, plan_.wait, out, now)) on_answer(*at_once, out, now);
}

void FencedContender::acquire(Effects& out, Clocks now) {
  phase_ = Phase::kAcquires;
  call(plan_.wait > Duration::zero() ? FencedCall::kTryLock : FencedCall::kLock, out, now);
}

void FencedContender::hold(Effects& out, Clocks now) {
  phase_ = Phase::kHolds;
  Duration next = plan_.hold > Duration::zero() ? Duration(holds_until_ - now.steady) : Duration::max();
  if (plan_.asks > Duration::zero()) next = std::min(next, plan_.asks);
  if (next != Duration::max()) out.push(Arm{FencedTimer::kApplication, std::max(next, Duration::zero())});
}

void FencedContender::let_go(DisbeliefReason reason, Effects& out, Clocks now) {
  out.push(Disarm{FencedTimer::kApplication});
  out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason), fence_});
  believes_ = false;
  phase_ = Phase::kLetsGo;
  tell(false, out, now);
}

void FencedContender::rest(Duration least, Effects& out, Clocks now) {
  if (status_ == Status::kStopping) return close(out);
  const Duration pause = std::max(plan_.rest, least);
  if (pause <= Duration::zero()) return acquire(out, now);
  phase_ = Phase::kRests;
  out.push(Arm{FencedTimer::kApplication, pause});
}

void FencedContender::tell(bool owns, Effects& out, Clocks now) {
  MutexOwner mine = MutexOwner::none();
  mine.owner = setting_.id;
  mine.acquired_at = now.wall;
  mine.ttl_at = mine.transition_at = now.wall + setting_.lease.ttl;
  mine.token = fence_;
  out.push(Notify{MutexState::of_self(owns, mine)});
}

// ---- inputs

void FencedContender::on_timer(Timer timer, Effects& out, Clocks now) {
  if (timer != FencedTimer::kApplication) return client_.on_timer(timer, out, now);
  if (phase_ == Phase::kRests) return acquire(out, now);
  if (phase_ != Phase::kHolds) return;
  if (plan_.hold > Duration::zero() && now.steady >= holds_until_) return let_go(DisbeliefReason::kStop, out, now);
  phase_ = Phase::kAsks;
  call(FencedCall::kIsLocked, out, now);
}

// As `finally` does, it unlocks whatever it has been told.
void FencedContender::on_work_done(Effects& out, Clocks now) {
  if (believes_ || phase_ != Phase::kLetsGo) return;
  if (plan_.forgets && running()) {
    phase_ = Phase::kIdle;
    return;
  }
  phase_ = Phase::kUnlocks;
  call(FencedCall::kUnlock, out, now);
}

void FencedContender::on_reply(const Reply& reply, Effects& out, Clocks now) {
  if (client_.closed(reply)) {
    if (phase_ == Phase::kCloses) settle_stop(out);
    return;
  }
  if (phase_ == Phase::kCloses || status_ == Status::kInitial) return;
  if (const auto answer = client_.on_reply(reply, out, now)) on_answer(*answer, out, now);
}

void FencedContender::on_answer(const FencedAnswer& answer, Effects& out, Clocks now) {
  if (asks(answer.call)) return on_question_answered(answer, out, now);
  out.push(Note{EventKind::kReturned, static_cast<std::uint8_t>(operation_of(answer.call)),
                answer.result == FencedResult::kDone ? answer.fence : kNoToken, static_cast<std::int64_t>(answer.uid),
                static_cast<std::int64_t>(ending_of(answer.result))});
  if (acquires(answer.call)) {
    // Of one more entry, when the lock is lost already and the work under it has not ended.
    if (phase_ == Phase::kLetsGo) return;
    return on_acquire_ended(answer, out, now);
  }
  // As often as it was told that it entered, and no more: of what else the store counts it knows nothing.
  if (answer.result == FencedResult::kDone && --entered_ > 0) return call(FencedCall::kUnlock, out, now);
  rest(answer.result == FencedResult::kUnknown ? kTryPause : Duration::zero(), out, now);
}

void FencedContender::on_acquire_ended(const FencedAnswer& answer, Effects& out, Clocks now) {
  constexpr auto kAsked = static_cast<std::int64_t>(RequestKind::kLock);
  if (answer.result == FencedResult::kDone) {
    if (!believes_) {
      fence_ = answer.fence;
      entered_ = 0;
      holds_until_ = now.steady + plan_.hold;
      believes_ = true;
      const Duration left = std::max<Duration>(client_.session_until() - now.steady, Duration::zero());
      out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(AttemptResult::kWon), fence_, left.count(), kAsked});
      out.push(Note{EventKind::kBelieved, 0, fence_, left.count(), setting_.lease.ttl.count()});
      tell(true, out, now);
    }
    ++entered_;
    if (status_ == Status::kStopping) return let_go(DisbeliefReason::kStop, out, now);
    if (entered_ < plan_.times) return acquire(out, now);
    return hold(out, now);
  }
  if (believes_) {
    if (answer.result == FencedResult::kOwnershipLost) return let_go(DisbeliefReason::kSession, out, now);
    if (status_ == Status::kStopping) return let_go(DisbeliefReason::kStop, out, now);
    return hold(out, now);  // it may not enter once more
  }
  if (status_ == Status::kStopping) return close(out);
  const bool unknown = answer.result == FencedResult::kUnknown;  // the application asks anew, and soon
  out.push(Note{EventKind::kAttempt,
                static_cast<std::uint8_t>(unknown ? AttemptResult::kUnknown : AttemptResult::kLost), kNoToken, 0,
                kAsked});
  if (!unknown) return rest(plan_.wait > Duration::zero() ? Duration::zero() : kTryPause, out, now);
  phase_ = Phase::kRests;
  out.push(Arm{FencedTimer::kApplication, kTryPause});
}

void FencedContender::on_question_answered(const FencedAnswer& answer, Effects& out, Clocks now) {
  if (phase_ != Phase::kAsks) return;
  // Naively a loser that asks is told the winner's fence, and takes it for its own.
  if (terms_.fence == FencedTerms::Fence::kHolders) {
    if (answer.fence != kNoToken) fence_ = answer.fence;
  } else if (answer.result == FencedResult::kOwnershipLost) {
    return let_go(DisbeliefReason::kSession, out, now);
  }
  hold(out, now);
}

}  // namespace leasescope
