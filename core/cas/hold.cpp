#include "core/cas/contender.h"

#include <algorithm>

namespace leasescope {

// A lease that is over when it is told was none: what stands in the register is taken anew, at once.
void CasContender::hold(Effects& out, Clocks now) {
  note_attempt(AttemptResult::kWon, RequestKind::kAcquire, setting_.lease.ttl, mine_.token, out);
  if (now.steady >= mine_.until) {
    disown(out);
    return begin_attempt(out, now);
  }
  trace_ = {};
  phase_ = Phase::kHolds;
  end_call(Ending::kOk, mine_.token, out);
  tell(true, DisbeliefReason::kLost, out, now);
  out.push(Arm{CasTimer::kWatchdog, mine_.until - now.steady});
  plan(renew_at_ - now.steady, out);
  if (plan_.hold > Duration::zero()) out.push(Arm{CasTimer::kHold, plan_.hold});
}

void CasContender::renew(Effects& out, Clocks now) {
  if (phase_ != Phase::kSeeks) invoke(Operation::kRenew, out);
  set(Purpose::kRenew, mine_.cell, mine_.version, mine_.mode, mine_.token, out, now);
}

void CasContender::on_renewal(const Reply& reply, const Flight& call, Effects& out, Clocks now) {
  // An earlier one of its own, of which it never heard, was executed.
  if (!reply.done && reply.owner == setting_.id && reply.token == mine_.token) {
    mine_.version = reply.number;
    return renew(out, now);
  }
  if (reply.done) keep(reply, call, mine_.mode);
  if (phase_ == Phase::kSeeks) {  // a claim
    if (reply.done) return look(cursor_, out, now);
    mine_ = {};
    return begin_attempt(out, now);
  }
  end_call(reply.done ? Ending::kOk : Ending::kFailed, mine_.token, out);
  note_attempt(reply.done ? AttemptResult::kWon : AttemptResult::kLost, RequestKind::kGuard,
               reply.done ? setting_.lease.ttl : Duration::zero(), reply.token, out);
  if (!reply.done) return lose(DisbeliefReason::kLost, out, now);
  if (now.steady >= mine_.until) return lose(DisbeliefReason::kWatchdog, out, now);
  out.push(Arm{CasTimer::kWatchdog, mine_.until - now.steady});
  plan(std::max(Duration::zero(), Duration(renew_at_ - now.steady)), out);
}

// What it leaves in the register runs out by itself, or is found by its next attempt.
void CasContender::lose(DisbeliefReason reason, Effects& out, Clocks now) {
  const bool letting_go = phase_ == Phase::kLetsGo;
  const std::uint8_t cell = mine_.cell;
  if (calls_) end_call(Ending::kUnknown, kNoToken, out);  // a renewal on its way
  tell(false, reason, out, now);
  disown(out);
  if (terms_.release == CasTerms::Release::kBlind) {
    cursor_ = cell;
    phase_ = Phase::kFrees;
    return free_cell(out, now);
  }
  if (stopping()) return settle_stop(out);
  if (letting_go) return rest(out, now);
  seek(out, now);
}

}  // namespace leasescope
