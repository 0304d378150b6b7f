#include "core/advisory/advisory_contender.h"

#include <utility>

namespace leasescope {
namespace {

constexpr Duration kNever = std::chrono::hours(24 * 365);
constexpr Duration kWithoutEnd = Duration::max();
constexpr auto kAsked = static_cast<std::int64_t>(RequestKind::kLock);

SessionAnswer said(const Reply& reply) { return static_cast<SessionAnswer>(reply.answer); }

// A connection error: nobody has answered in time, or there is no such connection any more.
bool is_broken(const Reply& reply) {
  return reply.ending != Ending::kOk || said(reply) == SessionAnswer::kSessionEnded;
}

}  // namespace

AdvisoryContender::AdvisoryContender(const ContenderSetting& setting, const AdvisoryTerms& terms,
                                     const AdvisoryPlan& plan)
    : setting_(setting), terms_(terms), plan_(plan) {}

AdvisoryContender AdvisoryContender::reborn(Name id) const {
  ContenderSetting setting = setting_;
  setting.id = id;
  return {setting, terms_, plan_};
}

Effects AdvisoryContender::step(const Input& input, Clocks now) {
  Effects out;
  if (const auto* reply = std::get_if<Reply>(&input)) {
    on_reply(*reply, out, now);
  } else if (const auto* fired = std::get_if<TimerFired>(&input)) {
    on_timer(fired->timer, out, now);
  } else if (std::holds_alternative<WorkDone>(input)) {
    on_work_done(out);
  } else if (std::holds_alternative<Start>(input)) {
    on_start(out);
  } else if (std::holds_alternative<Stop>(input)) {
    on_stop(out, now);
  } else if (std::holds_alternative<Close>(input)) {
    if (running()) on_stop(out, now);
  }
  return out;
}

// ---- its life

void AdvisoryContender::on_start(Effects& out) {
  if (status_ != Status::kInitial) return out.push(Refuse{LifecycleError::kCannotStart, status_});
  status_ = Status::kRunning;
  out.push(Note{EventKind::kStarted});
  lock(out);
}

// The work is stopped first, then the lock is given back, then the connection closed.
void AdvisoryContender::on_stop(Effects& out, Clocks now) {
  if (status_ != Status::kRunning) return out.push(Refuse{LifecycleError::kCannotStop, status_});
  status_ = Status::kStopping;
  if (phase_ == Phase::kLetsGo || phase_ == Phase::kUnlocks) return;
  // A call under way is given up, and what it may have come to ends with the connection.
  if (phase_ == Phase::kLocks) returned(lock_operation(), call_ == 0 ? Ending::kFailed : Ending::kUnknown, out);
  call_ = 0;
  if (believes_) return let_go(DisbeliefReason::kStop, out, now);
  close(out);
}

void AdvisoryContender::close(Effects& out) {
  phase_ = Phase::kCloses;
  if (line_ != Line::kStands) return settle_stop(out);
  send(RequestKind::kCloseSession, setting_.timeout, out);
  call_ = requests_;
}

void AdvisoryContender::settle_stop(Effects& out) {
  phase_ = Phase::kIdle;
  status_ = Status::kInitial;
  line_ = Line::kNone;
  opened_by_ = connection_ = call_ = look_ = 0;
  entered_ = 0;
  out.push(Disarm{AdvisoryTimer::kApplication});
  out.push(Disarm{AdvisoryTimer::kConnection});
  out.push(Note{EventKind::kStopped});
}

// ---- inputs

void AdvisoryContender::on_timer(Timer timer, Effects& out, Clocks now) {
  if (timer == AdvisoryTimer::kConnection) {
    if (line_ == Line::kRests) return open(out);
    if (line_ == Line::kStands) look_after(out);
    return;
  }
  if (phase_ == Phase::kRests) return lock(out);
  if (phase_ == Phase::kHolds) let_go(DisbeliefReason::kStop, out, now);
}

// As `finally` does, it unlocks whatever it has been told.
void AdvisoryContender::on_work_done(Effects& out) {
  if (!believes_ && phase_ == Phase::kLetsGo) unlock(out);
}

// By its number: an answer to what was asked over an earlier connection is nobody's.
void AdvisoryContender::on_reply(const Reply& reply, Effects& out, Clocks now) {
  if (line_ == Line::kOpens && reply.request == opened_by_) return on_opened(reply, out);
  if (line_ != Line::kStands) return;
  if (reply.request == look_) return on_looked(reply, out, now);
  if (reply.request != call_) return;
  call_ = 0;
  if (phase_ == Phase::kCloses) return settle_stop(out);
  if (is_broken(reply))
    return lose_connection(reply.ending == Ending::kOk ? Ending::kFailed : Ending::kUnknown, out, now);
  if (phase_ == Phase::kLocks) return on_lock_answered(reply, out, now);
  if (phase_ == Phase::kUnlocks) on_unlocked(said(reply) == SessionAnswer::kDone ? Ending::kOk : Ending::kFailed, out);
}

// ---- the connection

void AdvisoryContender::open(Effects& out) {
  line_ = Line::kOpens;
  send(RequestKind::kOpenSession, setting_.timeout, out);
  opened_by_ = requests_;
}

void AdvisoryContender::on_opened(const Reply& reply, Effects& out) {
  if (is_broken(reply)) return rest_before_opening(out);
  line_ = Line::kStands;
  connection_ = reply.number;
  kept_ = reply.remaining;
  out.push(Note{EventKind::kConnected});
  if (phase_ == Phase::kLocks) ask(out);
}

void AdvisoryContender::rest_before_opening(Effects& out) {
  line_ = Line::kRests;
  opened_by_ = connection_ = 0;
  const auto longest = static_cast<std::uint64_t>(terms_.reconnect.count());
  out.push(Arm{AdvisoryTimer::kConnection, Duration(setting_.draws.below(longest))});
}

void AdvisoryContender::look_after(Effects& out) {
  if (look_ != 0) return;
  const bool waits_still = phase_ == Phase::kLocks && call_ != 0;
  if (!waits_still && phase_ != Phase::kHolds) return;
  send(RequestKind::kHeartbeat, setting_.timeout, out);
  look_ = requests_;
}

// The server tells how often this connection holds the lock (`number`), and whether it waits for it (`done`). What was
// lost of a call or its answer, TCP would have sent again: so it shows now.
void AdvisoryContender::on_looked(const Reply& reply, Effects& out, Clocks now) {
  look_ = 0;
  if (is_broken(reply))
    return lose_connection(reply.ending == Ending::kOk ? Ending::kFailed : Ending::kUnknown, out, now);
  if (phase_ == Phase::kHolds && terms_.check > Duration::zero())
    return out.push(Arm{AdvisoryTimer::kConnection, terms_.check});
  if (phase_ != Phase::kLocks || call_ == 0) return;
  if (reply.number > static_cast<std::uint64_t>(entered_)) return on_locked(out, now);
  if (!reply.done) return ask(out);
  out.push(Arm{AdvisoryTimer::kConnection, terms_.keep_alive});
}

// Its locks are gone with it, or will be; whoever called is told so, and calls anew over another one.
void AdvisoryContender::lose_connection(Ending of_the_call, Effects& out, Clocks now) {
  out.push(Note{EventKind::kDisconnected});
  rest_before_opening(out);
  call_ = look_ = 0;
  entered_ = 0;
  switch (phase_) {
    case Phase::kCloses:
      return settle_stop(out);
    case Phase::kUnlocks:
      return on_unlocked(of_the_call, out);
    case Phase::kLocks:
      returned(lock_operation(), Ending::kUnknown, out);
      if (believes_) return let_go(DisbeliefReason::kSession, out, now);
      out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(AttemptResult::kUnknown), kNoToken, 0, kAsked});
      return lock(out);
    case Phase::kHolds:
      return let_go(DisbeliefReason::kSession, out, now);
    default:
      return;
  }
}

// ---- the lock

void AdvisoryContender::lock(Effects& out) {
  phase_ = Phase::kLocks;
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(lock_operation()), kNoToken,
                static_cast<std::int64_t>(++uids_)});
  if (line_ == Line::kStands) return ask(out);
  if (line_ == Line::kNone) open(out);
}

// Who waits in the queue is answered when it is his turn, and by no time-out.
void AdvisoryContender::ask(Effects& out) {
  Request& asked = send(RequestKind::kLock, waits() ? kNever : setting_.timeout, out);
  asked.session.uid = uids_;
  asked.session.wait = waits() ? kWithoutEnd : Duration::zero();
  call_ = requests_;
  look_ = 0;  // what was asked before tells of the time before
  if (waits()) out.push(Arm{AdvisoryTimer::kConnection, terms_.keep_alive});
}

void AdvisoryContender::on_lock_answered(const Reply& reply, Effects& out, Clocks now) {
  if (said(reply) == SessionAnswer::kDone) return on_locked(out, now);
  returned(lock_operation(), Ending::kFailed, out);
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(AttemptResult::kLost), kNoToken, 0, kAsked});
  phase_ = Phase::kRests;
  out.push(Arm{AdvisoryTimer::kApplication, plan_.tries});
}

void AdvisoryContender::on_locked(Effects& out, Clocks now) {
  call_ = 0;
  out.push(Disarm{AdvisoryTimer::kConnection});
  returned(lock_operation(), Ending::kOk, out);
  if (entered_++ == 0) {
    believes_ = true;
    out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(AttemptResult::kWon), kNoToken, kNoDeadline, kAsked});
    out.push(Note{EventKind::kBelieved, 0, kNoToken, kNoDeadline, kept_.count()});
    tell(true, out, now);
  }
  if (entered_ < plan_.times) return lock(out);
  hold(out);
}

// Over the connection in which it locked; without that there is nothing to unlock.
void AdvisoryContender::unlock(Effects& out) {
  phase_ = Phase::kUnlocks;
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kUnlock), kNoToken,
                static_cast<std::int64_t>(++uids_)});
  if (line_ != Line::kStands || entered_ == 0) return on_unlocked(Ending::kFailed, out);
  send(RequestKind::kUnlock, setting_.timeout, out).session.uid = uids_;
  call_ = requests_;
}

// As often as it entered.
void AdvisoryContender::on_unlocked(Ending ending, Effects& out) {
  returned(Operation::kUnlock, ending, out);
  if (ending == Ending::kOk && --entered_ > 0) return unlock(out);
  entered_ = 0;
  rest(out);
}

// ---- the application

void AdvisoryContender::hold(Effects& out) {
  phase_ = Phase::kHolds;
  if (plan_.hold > Duration::zero()) out.push(Arm{AdvisoryTimer::kApplication, plan_.hold});
  if (terms_.check > Duration::zero()) out.push(Arm{AdvisoryTimer::kConnection, terms_.check});
}

void AdvisoryContender::let_go(DisbeliefReason reason, Effects& out, Clocks now) {
  out.push(Disarm{AdvisoryTimer::kApplication});
  out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason)});
  believes_ = false;
  phase_ = Phase::kLetsGo;
  tell(false, out, now);
}

void AdvisoryContender::rest(Effects& out) {
  if (status_ == Status::kStopping) return close(out);
  if (plan_.rest <= Duration::zero()) return lock(out);
  phase_ = Phase::kRests;
  out.push(Arm{AdvisoryTimer::kApplication, plan_.rest});
}

void AdvisoryContender::tell(bool owns, Effects& out, Clocks now) {
  MutexOwner mine;
  mine.owner = setting_.id;
  mine.acquired_at = now.wall;
  out.push(Notify{owns ? MutexState{MutexOwner::none(), mine} : MutexState{mine, MutexOwner::none()}});
}

void AdvisoryContender::returned(Operation operation, Ending ending, Effects& out) {
  out.push(Note{EventKind::kReturned, static_cast<std::uint8_t>(operation), kNoToken, static_cast<std::int64_t>(uids_),
                static_cast<std::int64_t>(ending)});
}

Request& AdvisoryContender::send(RequestKind kind, Duration timeout, Effects& out) {
  Request& request = out.send();
  request.id = ++requests_;
  request.kind = kind;
  request.mutex = setting_.mutex;
  request.contender = setting_.id;
  request.timeout = timeout;
  request.session = {connection_, 0, Duration::zero(), 0};
  return request;
}

}  // namespace leasescope
