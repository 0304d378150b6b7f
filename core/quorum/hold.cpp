#include "core/quorum/contender.h"

#include <algorithm>

namespace leasescope {

void QuorumContender::hold(bool confirmed, Effects& out, Clocks now) {
  if (now.steady >= deadline_) return abandon(out, now);
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

void QuorumContender::ask_aside(RequestKind kind, QuorumCall call, Effects& out, Clocks now) {
  aside_ = Aside{};
  aside_.open = true;
  aside_.enters = call.rules.re_enters = kind == RequestKind::kObtain;
  send_round(kind, call, aside_, out, now);
}

}  // namespace leasescope
