#include "core/quorum/contender.h"

#include <algorithm>

#include "core/base/overloaded.h"

namespace leasescope {
namespace {

// A server that does not answer may cost a part of the lease at most: the others are to be asked meanwhile.
constexpr int kShareOfTtl = 10;

}  // namespace

Effects QuorumContender::step(const Input& input, Clocks now) {
  Effects out;
  std::visit(Overloaded{[&](const Start&) { on_start(out); }, [&](const Stop&) { on_stop(out, now); },
                        [&](const Close&) {
                          if (status_ == Status::kRunning) on_stop(out, now);
                        },
                        [&](const TimerFired& fired) { on_timer(fired.timer, out, now); },
                        [&](const CallbackDone&) {
                          in_callback_ = false;
                          on_settled(out, now);
                        },
                        [&](const WorkDone&) {
                          if (told_) return;  // it has begun anew meanwhile
                          works_ = false;
                          on_settled(out, now);
                        },
                        [&](const Reply& reply) { on_reply(reply, out, now); },
                        [&](const StoreEvent& event) { on_message(event, out, now); }, [](const ExecutorLate&) {}},
             input);
  return out;
}

QuorumContender QuorumContender::reborn(Name id) const {
  QuorumContender next(setting_, terms_, plan_);
  next.setting_.id = id;
  next.calls_ = calls_;
  return next;
}

void QuorumContender::on_start(Effects& out) {
  if (status_ != Status::kInitial) {
    out.push(Refuse{LifecycleError::kCannotStart, status_});
    return;
  }
  status_ = Status::kRunning;
  phase_ = Phase::kResting;
  passes_on_ = works_ = in_callback_ = told_ = lost_ = false;
  uid_ = 0;
  out.push(Note{EventKind::kStarted});
  for (int server = 0; server < terms_.servers; ++server) send(RequestKind::kSubscribe, server, out);
  out.push(Arm{QuorumTimer::kCycle, setting_.initial_delay});
}

// The work is stopped first; then the servers get back what they hold, and last it leaves the channel.
void QuorumContender::on_stop(Effects& out, Clocks now) {
  if (status_ != Status::kRunning) {
    out.push(Refuse{LifecycleError::kCannotStop, status_});
    return;
  }
  status_ = Status::kStopping;
  switch (phase_) {
    case Phase::kHolding:
      if (void_) {
        disbelieve(DisbeliefReason::kStop, out);
        phase_ = Phase::kYielding;
      } else {
        handles_ = 1;
        leave(out, now);
      }
      break;
    case Phase::kYielding:
      break;
    default:
      if (asks()) take_back(out);
      if (uid_ != 0) refused(out);
      rest(out);
      break;
  }
}

void QuorumContender::finish_stop(Effects& out) {
  if (release_.uid != 0) return;  // the last answer goes on with it
  for (int server = 0; server < terms_.servers; ++server) send(RequestKind::kUnsubscribe, server, out);
  status_ = Status::kInitial;
  out.push(Note{EventKind::kStopped});
}

void QuorumContender::on_timer(Timer timer, Effects& out, Clocks now) {
  if (status_ == Status::kInitial) return;
  if (timer == QuorumTimer::kCycle) return on_cycle(out, now);
  if (timer == QuorumTimer::kWatch) return on_watch(out, now);
  on_aside(out, now);
}

void QuorumContender::on_cycle(Effects& out, Clocks now) {
  if (phase_ == Phase::kHolding) return leave(out, now);
  if (phase_ != Phase::kResting) return;
  if (stopping()) return finish_stop(out);
  uid_ == 0 ? ask(out, now) : attempt(out, now);
}

void QuorumContender::on_watch(Effects& out, Clocks now) {
  switch (phase_) {
    case Phase::kObtaining:
      if (now.steady >= deadline_) fail_attempt(out, now);
      break;
    case Phase::kAwaiting:
      if (now.steady < wait_until_) return out.push(Arm{QuorumTimer::kWatch, wait_until_ - now.steady});
      // As it was published its own limit is not looked at while it waits.
      if (thief_count_ > 0 || terms_.waits_for_all_of_it() || (terms_.corrected() && past_limit(now.steady)))
        return abandon(out, now);
      hold(false, out, now);
      break;
    case Phase::kHolding:
      if (void_ || terms_.extend == QuorumTerms::Extend::kSetMissing) return;
      if (now.steady < deadline_) return out.push(Arm{QuorumTimer::kWatch, deadline_ - now.steady});
      let_go(DisbeliefReason::kWatchdog, out, now);
      break;
    case Phase::kYielding:
      // Nobody waits for the work longer than the lease lasts, nor it for its victims.
      if (now.steady < deadline_ || (thief_count_ > 0 && !waits_)) return;
      works_ = in_callback_ = false;
      yield(out, now);
      break;
    case Phase::kResting:
      break;
  }
}

void QuorumContender::on_aside(Effects& out, Clocks now) {
  if (phase_ == Phase::kYielding && settled()) {
    if (clean()) acknowledge_all(out);
    return yield(out, now);
  }
  if (phase_ != Phase::kHolding || void_ || stopping() || aside_.open) return;
  if (to_enter_ > 0) return re_enter(out, now);
  if (terms_.extend != QuorumTerms::Extend::kNever) extend(out, now);
}

void QuorumContender::on_reply(const Reply& reply, Effects& out, Clocks now) {
  seen_ = std::max(seen_, reply.token);
  if (release_.has(reply.request)) return on_given_back(reply, out);
  if (attempt_.has(reply.request, terms_.servers)) {
    const auto server = static_cast<std::uint8_t>(reply.request - attempt_.first);
    if (attempt_.take(reply, server)) on_obtained(reply, server, out, now);
  } else if (aside_.has(reply.request, terms_.servers)) {
    const auto server = static_cast<std::uint8_t>(reply.request - aside_.first);
    if (!aside_.take(reply, server)) return;
    aside_.enters ? on_reentered(reply, server, out, now) : on_extended(reply, server, out, now);
  }
}

bool QuorumContender::Round::take(const Reply& reply, std::uint8_t server) {
  if ((answered & bit(server)) != 0) return false;
  answered |= bit(server);
  failed = failed || reply.ending == Ending::kFailed;
  unknown = unknown || reply.ending == Ending::kUnknown;
  return true;
}

void QuorumContender::on_message(const StoreEvent& event, Effects& out, Clocks now) {
  if (event.kind == StoreEventKind::kStolen) return on_stolen(event, out, now);
  if (event.kind == StoreEventKind::kLetGo) on_acknowledged(event, out, now);
}

void QuorumContender::on_settled(Effects& out, Clocks now) {
  if (phase_ == Phase::kYielding) yield(out, now);
}

Request& QuorumContender::send(RequestKind kind, int server, Effects& out) {
  Request& call = out.send();
  call.id = ++requests_;
  call.kind = kind;
  call.store = static_cast<std::uint8_t>(server);
  call.mutex = setting_.mutex;
  call.contender = setting_.id;
  call.timeout = std::min(setting_.timeout, std::max<Duration>(std::chrono::milliseconds(1), ttl() / kShareOfTtl));
  return call;
}

void QuorumContender::note_returned(Operation operation, std::uint64_t uid, Ending ending, Token token, Effects& out) {
  const Token told = ending == Ending::kOk ? token : kNoToken;
  out.push(Note{EventKind::kReturned, static_cast<std::uint8_t>(operation), told, static_cast<std::int64_t>(uid),
                static_cast<std::int64_t>(ending)});
}

}  // namespace leasescope
