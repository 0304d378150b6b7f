#include "core/cas/contender.h"

#include <algorithm>
#include <utility>

namespace leasescope {

void CasContender::tell(bool owns, DisbeliefReason reason, Effects& out, Clocks now) {
  if (owns == believes_) return;
  MutexOwner us;
  us.owner = setting_.id;
  us.acquired_at = now.wall;
  us.ttl_at = us.transition_at = now.wall + (mine_.until - now.steady);
  us.token = mine_.token;
  if (owns)
    out.push(
        Note{EventKind::kBelieved, 0, mine_.token, (mine_.until - now.steady).count(), setting_.lease.ttl.count()});
  else
    out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason), mine_.token});
  believes_ = owns;
  if (owns) works_ = true;
  in_callback_ = owns && setting_.reports_callbacks;
  out.push(Notify{MutexState::of_self(owns, us)});
}

// Told as what it was meant for: to take, or to renew.
void CasContender::note_attempt(AttemptResult result, RequestKind meant, Duration left, Token token,
                                Effects& out) const {
  const Duration told = result == AttemptResult::kFailed ? left : std::max(Duration::zero(), left);
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(result), token, told.count(),
                static_cast<std::int64_t>(meant)});
}

void CasContender::invoke(Operation operation, Effects& out) {
  if (calls_) return;  // it still waits for that
  calls_ = true;
  operation_ = operation;
  out.push(
      Note{EventKind::kInvoked, static_cast<std::uint8_t>(operation), kNoToken, static_cast<std::int64_t>(++uid_), 1});
}

void CasContender::end_call(Ending ending, Token token, Effects& out) {
  if (!std::exchange(calls_, false)) return;
  out.push(Note{EventKind::kReturned, static_cast<std::uint8_t>(operation_), ending == Ending::kOk ? token : kNoToken,
                static_cast<std::int64_t>(uid_), static_cast<std::int64_t>(ending)});
}

}  // namespace leasescope
