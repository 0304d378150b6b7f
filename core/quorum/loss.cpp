#include "core/quorum/contender.h"

namespace leasescope {

// The lock is over before its holder gave it back. As it was published every second handle is told.
void QuorumContender::let_go(DisbeliefReason reason, Effects& out, Clocks now) {
  const int untold = terms_.corrected() ? 0 : handles_ / 2;
  handles_ = static_cast<std::uint8_t>(untold);
  if (untold > 0) {
    acknowledge_all(out);
    take_back(out);
    go_on_without_it(out);
    return;
  }
  // The application unlocks it all the same, and learns by the answer that it had lost it.
  uid_ = next_uid();
  lost_ = true;
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kUnlock), token_,
                static_cast<std::int64_t>(uid_), 0});
  disbelieve(reason, out);
  phase_ = Phase::kYielding;
  yield(out, now);
}

// By handles that nobody tells.
void QuorumContender::go_on_without_it(Effects& out) {
  void_ = true;
  end_reentry(false, out);
  end_attempt();
  attempt_.first = aside_.first = 0;
}

void QuorumContender::disbelieve(DisbeliefReason reason, Effects& out) {
  out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason), token_});
  const MutexOwner owned{setting_.id, WallTime{}, WallTime::max(), WallTime::max(), token_};
  believes_ = told_ = unconfirmed_ = false;
  aside_.open = false;
  end_reentry(false, out);
  out.push(Notify{{owned, MutexOwner::none()}});
}

}  // namespace leasescope
