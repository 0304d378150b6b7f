#include "core/quorum/contender.h"

#include <algorithm>
#include <utility>

namespace leasescope {

void QuorumContender::hold(bool confirmed, Effects& out, Clocks now) {
  if (now.steady >= deadline_) return give_up_theft(out, now);
  phase_ = Phase::kHolding;
  believes_ = told_ = works_ = true;
  unconfirmed_ = !confirmed && terms_.corrected();
  void_ = false;
  in_callback_ = setting_.reports_callbacks;
  handles_ = 1;
  to_enter_ = static_cast<std::uint8_t>(plan_.handles - 1);
  failures_ = 0;
  const Duration left = deadline_ - now.steady;
  note_returned(Operation::kLock, uid_, Ending::kOk, token_, out);
  uid_ = 0;
  out.push(Note{EventKind::kBelieved,
                static_cast<std::uint8_t>(unconfirmed_ ? BeliefKind::kUnconfirmed : BeliefKind::kGranted), token_,
                left.count(), ttl().count()});
  const WallTime ends = now.wall + left;
  out.push(Notify{{MutexOwner::none(), {setting_.id, now.wall, ends, ends, token_}}});
  if (plan_.hold > Duration::zero()) out.push(Arm{QuorumTimer::kCycle, plan_.hold});
  out.push(Arm{QuorumTimer::kWatch, left});
  plan_aside(out, now);
}

// The next handle at once; else an extension, a third of the ttl after the last.
void QuorumContender::plan_aside(Effects& out, Clocks now) {
  if (to_enter_ > 0) {
    out.push(Arm{QuorumTimer::kAside, Duration::zero()});
  } else if (terms_.extend != QuorumTerms::Extend::kNever) {
    constexpr int kThird = 3;
    const SteadyTime last = std::max(attempt_.sent, aside_.sent);
    out.push(Arm{QuorumTimer::kAside, std::max(Duration::zero(), Duration(last + ttl() / kThird - now.steady))});
  }
}

void QuorumContender::re_enter(Effects& out, Clocks now) {
  reentry_uid_ = next_uid();
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kTryLock), kNoToken,
                static_cast<std::int64_t>(reentry_uid_), 0});
  ask_aside(RequestKind::kObtain, {setting_.draws.next() | 1, acquisition_, ttl(), {plan_.priority}, rules()}, out,
            now);
}

void QuorumContender::ask_aside(RequestKind kind, QuorumCall call, Effects& out, Clocks now) {
  aside_ = Aside{};
  aside_.open = true;
  aside_.enters = call.rules.re_enters = kind == RequestKind::kObtain;
  send_round(kind, call, aside_, out, now);
}

void QuorumContender::on_reentered(const Reply& reply, std::uint8_t server, Effects& out, Clocks now) {
  if (reply.ending == Ending::kOk && static_cast<QuorumAnswer>(reply.answer) == QuorumAnswer::kReentrant)
    aside_.granted |= bit(server);
  if (!aside_.open) return;
  const bool entered = enough(aside_.granted);
  if (!entered && !hopeless()) return;
  aside_.open = false;
  end_reentry(entered, out);
  to_enter_ = entered ? static_cast<std::uint8_t>(to_enter_ - 1) : std::uint8_t{0};
  if (entered) out.push(Note{EventKind::kReentered, 0, token_, 0, ++handles_});
  plan_aside(out, now);
}

// Its application is told, also when the lock has gone meanwhile: a call that never returns would be open for ever.
void QuorumContender::end_reentry(bool entered, Effects& out) {
  if (reentry_uid_ == 0) return;
  note_returned(Operation::kTryLock, std::exchange(reentry_uid_, 0), entered ? Ending::kOk : Ending::kFailed, token_,
                out);
}

void QuorumContender::extend(Effects& out, Clocks now) {
  ask_aside(RequestKind::kExtend, {acquisition_, token_, ttl(), {plan_.priority}, rules()}, out, now);
  attempt_.maybe = all_servers();
}

void QuorumContender::on_extended(const Reply& reply, std::uint8_t server, Effects& out, Clocks now) {
  if (reply.ending == Ending::kOk && reply.done) aside_.granted |= bit(server);
  if (phase_ != Phase::kHolding || void_ || !aside_.open) return;
  const bool extended = enough(aside_.granted);
  if (!extended && !hopeless()) return;
  aside_.open = false;
  const AttemptResult result = extended         ? AttemptResult::kWon
                               : aside_.unknown ? AttemptResult::kUnknown
                                                : AttemptResult::kLost;
  if (extended) deadline_ = aside_.sent + ttl() - clock_drift(ttl());
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(result), token_,
                extended ? (deadline_ - now.steady).count() : 0, static_cast<std::int64_t>(RequestKind::kExtend)});
  if (extended) {
    out.push(Arm{QuorumTimer::kWatch, std::max(Duration::zero(), Duration(deadline_ - now.steady))});
  } else if (terms_.extend == QuorumTerms::Extend::kSetMissing) {
    return let_go(DisbeliefReason::kLost, out, now);
  }
  plan_aside(out, now);
}

}  // namespace leasescope
