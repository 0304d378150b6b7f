#include "core/cas/contender.h"

namespace leasescope {

// The application is told first; its last write ends while the lease is still kept alive, no longer than it lasts.
void CasContender::let_go(Effects& out, Clocks now) {
  phase_ = Phase::kLetsGo;
  tell(false, DisbeliefReason::kStop, out, now);
  go_on_letting_go(out, now);
}

void CasContender::go_on_letting_go(Effects& out, Clocks now) {
  if (phase_ != Phase::kLetsGo || in_callback_ || (works_ && now.steady < mine_.until)) return;
  if (calls_) end_call(Ending::kUnknown, kNoToken, out);  // a renewal on its way
  flight_ = {};
  out.push(Disarm{CasTimer::kWatchdog});
  phase_ = Phase::kFrees;
  cursor_ = mine_.cell;
  free_cell(out, now);
}

void CasContender::free_cell(Effects& out, Clocks now) {
  if (planned_) out.push(Disarm{CasTimer::kNext});
  planned_ = false;
  const bool claim = mine_.any && mine_.mode == CellMode::kClaimed;  // of which no application knows
  if (!claim) invoke(release_operation(), out);
  if (terms_.release == CasTerms::Release::kBlind) return look(mine_.any ? mine_.cell : cursor_, out, now);
  set(Purpose::kFree, mine_.cell, mine_.version, CellMode::kFree, mine_.token, out, now);
}

void CasContender::on_freed(const Reply& reply, const Flight& call, Effects& out, Clocks now) {
  if (!reply.done && mine_.any && reply.owner == setting_.id && reply.token == mine_.token) {
    mine_.version = reply.number;  // an earlier write of its own was executed meanwhile
    return set(Purpose::kFree, mine_.cell, mine_.version, CellMode::kFree, mine_.token, out, now);
  }
  if (phase_ == Phase::kSeeks) {  // a claim: the other goes first
    mine_ = {};
    return wait(shortest_, out, now);
  }
  // Blind, it frees what it finds, however often that changes.
  if (!reply.done && terms_.release == CasTerms::Release::kBlind) return on_seen(reply, call.cell, out, now);
  freed(reply.done ? Ending::kOk : may_be_free_ ? freed_before(reply) : Ending::kFailed, out, now);
}

// It has asked before, and was not answered. The next version, free and under its token, is what that wrote; but as
// well what a writer leaves who sweeps a reader's lease away, or whoever frees blindly.
Ending CasContender::freed_before(const Reply& reply) const {
  const bool as_written = static_cast<CellMode>(reply.answer & ~kLeaseOver) == CellMode::kFree &&
                          reply.number == mine_.version + 1 && reply.token == mine_.token;
  const bool others_free = terms_.kind == CasTerms::Kind::kReadWrite;
  return as_written && !others_free ? Ending::kOk : Ending::kUnknown;
}

void CasContender::freed(Ending ending, Effects& out, Clocks now) {
  end_call(ending, kNoToken, out);
  mine_ = {};
  may_be_free_ = false;
  if (ending != Ending::kUnknown) trace_ = {};
  if (stopping()) return settle_stop(out);
  rest(out, now);
}

void CasContender::rest(Effects& out, Clocks now) {
  if (plan_.rest <= Duration::zero()) return seek(out, now);
  phase_ = Phase::kRests;
  out.push(Arm{CasTimer::kHold, plan_.rest});
}

}  // namespace leasescope
