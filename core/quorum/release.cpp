#include "core/quorum/contender.h"

#include <utility>

namespace leasescope {

// One handle after the other, each held for as long. As it was published the first to leave frees the lock, and the
// others go on as if they held it.
void QuorumContender::leave(Effects& out, Clocks now) {
  const bool watched = !void_ && terms_.extend != QuorumTerms::Extend::kSetMissing;
  if (watched && now.steady >= deadline_) {  // the watchdog has not run yet
    let_go(DisbeliefReason::kWatchdog, out, now);
    if (void_ && plan_.hold > Duration::zero()) out.push(Arm{QuorumTimer::kCycle, plan_.hold});
    return;
  }
  if (release_.uid != 0) end_release(Ending::kUnknown, out);  // of the handle before
  const std::uint64_t uid = next_uid();
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kUnlock), token_,
                static_cast<std::int64_t>(uid), 0});
  if (--handles_ > 0) {
    if (!terms_.corrected() && !void_) {
      give_back(uid, out);
      go_on_without_it(out);
    } else {
      note_returned(Operation::kUnlock, uid, void_ ? Ending::kFailed : Ending::kOk, token_, out);
    }
    if (!void_) out.push(Note{EventKind::kReentered, 0, token_, 0, handles_});
    if (plan_.hold > Duration::zero()) out.push(Arm{QuorumTimer::kCycle, plan_.hold});
    return;
  }
  uid_ = uid;
  lost_ = false;
  disbelieve(DisbeliefReason::kStop, out);
  phase_ = Phase::kYielding;
  yield(out, now);
}

// Its work comes to its end, and its own victims let go; then it tells its thieves, then the servers get back what they
// have.
void QuorumContender::yield(Effects& out, Clocks now) {
  if (!settled()) return;
  waits_ = thief_count_ > 0 && !clean() && now.steady < deadline_;
  if (waits_) return out.push(Arm{QuorumTimer::kWatch, deadline_ - now.steady});
  if (thief_count_ > 0 && clean() && plan_.acknowledge > Duration::zero()) {
    out.push(Arm{QuorumTimer::kAside, plan_.acknowledge});
    return;
  }
  acknowledge_all(out);
  const bool unlocks = uid_ != 0 && !passes_on_;
  const bool lost = lost_ || void_;
  if (unlocks && !lost) {
    give_back(uid_, out);
  } else if (!void_) {
    take_back(out);
  }
  if (std::exchange(passes_on_, false)) return try_again(out, now);
  if (unlocks && lost) note_returned(Operation::kUnlock, uid_, Ending::kFailed, kNoToken, out);
  uid_ = 0;
  void_ = lost_ = false;
  rest(out);
}

void QuorumContender::give_back(std::uint64_t uid, Effects& out) {
  release_ = {uid, token_, requests_ + 1};
  take_back(out);
  release_.asked = static_cast<std::uint8_t>(requests_ + 1 - release_.first);
}

// It was released where a majority was for it until then, and had been lost where nobody was. Between the two nobody
// can say which came first.
void QuorumContender::on_given_back(const Reply& reply, Effects& out) {
  const std::uint8_t from = bit(static_cast<std::uint8_t>(reply.request - release_.first));
  if ((release_.answered & from) != 0) return;
  release_.answered |= from;
  const bool known = reply.ending == Ending::kOk;
  release_.unknown = release_.unknown || !known;
  if (known && reply.done) ++release_.freed;
  if (release_.freed >= terms_.majority()) return end_release(Ending::kOk, out);
  if (std::popcount(release_.answered) < release_.asked) return;
  const bool lost = release_.freed == 0 && !release_.unknown;
  end_release(lost ? Ending::kFailed : Ending::kUnknown, out);
}

void QuorumContender::end_release(Ending ending, Effects& out) {
  note_returned(Operation::kUnlock, std::exchange(release_.uid, 0), ending, release_.token, out);
  if (stopping() && phase_ == Phase::kResting) out.push(Arm{QuorumTimer::kCycle, Duration::zero()});
}

void QuorumContender::rest(Effects& out) {
  phase_ = Phase::kResting;
  end_attempt();
  attempt_.first = aside_.first = 0;
  uid_ = 0;
  out.push(Arm{QuorumTimer::kCycle, stopping() ? Duration::zero() : plan_.rest});
}

}  // namespace leasescope
