#include "core/quorum/contender.h"

#include <algorithm>

namespace leasescope {

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
