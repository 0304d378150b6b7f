#include "core/quorum/contender.h"

#include <algorithm>

namespace leasescope {

// It will not come to a lock. Whom it stole from must have let go before its thief may work.
void QuorumContender::on_stolen_attempt(Effects& out, Clocks now) {
  if (victim_count_ > 0) return await(out, now);
  acknowledge_all(out);
  fail_attempt(out, now);
}

void QuorumContender::await(Effects& out, Clocks now) {
  const auto share = Duration(ttl().count() / 1'000'000 * terms_.consistency_ppm);
  wait_until_ = std::min(deadline_, attempt_.sent + share);
  if (terms_.corrected() && plan_.limit > Duration::zero()) wait_until_ = std::min(wait_until_, limit_at_);
  // One that takes over unconfirmed claims the lock for as long as its lease lasts.
  const bool gives_up = terms_.waits_for_all_of_it() || past_limit(wait_until_);
  claim_until_ = now.wall + ((gives_up ? wait_until_ : deadline_) - now.steady);
  for (std::size_t i = 0; i < victim_count_; ++i)
    tell(RequestKind::kTell, victims_[i].by, victims_[i].who, victims_[i].acquisition, acquisition_, out);
  phase_ = Phase::kAwaiting;
  if (terms_.consistency_ppm == 0 && thief_count_ == 0) return hold(false, out, now);
  out.push(Arm{QuorumTimer::kWatch, std::max(Duration::zero(), Duration(wait_until_ - now.steady))});
}

void QuorumContender::on_acknowledged(const StoreEvent& event, Effects& out, Clocks now) {
  if (acquisition_ == 0 || event.acquisition != acquisition_) return;
  for (std::size_t i = 0; i < victim_count_; ++i) {
    Victim& victim = victims_[i];
    if (victim.who == event.owner && victim.acquisition == event.by) victim.acknowledged = true;
  }
  if (!all_acknowledged()) return;
  if (phase_ == Phase::kHolding) unconfirmed_ = false;
  if (phase_ == Phase::kAwaiting) return on_all_acknowledged(out, now);
  go_on_yielding(out, now);
}

// By whom it may work: who was taken one vote from when it had a majority has none.
bool QuorumContender::all_acknowledged() const {
  return std::all_of(victims_.begin(), victims_.begin() + victim_count_,
                     [](const Victim& victim) { return victim.acknowledged || victim.late; });
}

// It waited for the last of its victims, or for the last server to say whether there is one more.
void QuorumContender::go_on_yielding(Effects& out, Clocks now) {
  if (phase_ == Phase::kYielding && waits_ && clean()) yield(out, now);
}

void QuorumContender::on_all_acknowledged(Effects& out, Clocks now) {
  if (thief_count_ > 0) {                                      // it was stolen from meanwhile: now it may say so
    if (!had_majority_ && !clean()) return abandon(out, now);  // a server did not say whom it took it from
    passes_on_ = true;
    phase_ = Phase::kYielding;
    return yield(out, now);
  }
  // As it was published nobody looked before; its victim has let go for nothing.
  if (past_limit(now.steady)) return abandon(out, now);
  hold(true, out, now);
}

// What it has is taken back, as though it had never been acquired, and it tries again.
void QuorumContender::abandon(Effects& out, Clocks now) {
  take_back(out);
  try_again(out, now);
}

// As it was published whoever hears of a theft lets go. Corrected, a theft that is over by then means nothing.
void QuorumContender::on_stolen(const StoreEvent& event, Effects& out, Clocks now) {
  if (terms_.corrected() && now.wall >= event.until) return;
  if (acquisition_ == 0 || event.acquisition != acquisition_) {
    // Of an earlier attempt. One that was given up before its victims had let go says nothing of them.
    if (std::find(cleared_.begin(), cleared_.end(), event.acquisition) == cleared_.end()) return;
    tell(RequestKind::kAcknowledge, event.server, event.owner, event.by, event.acquisition, out);
    return;
  }
  remember(event);
  if (phase_ == Phase::kHolding) let_go(DisbeliefReason::kStolen, out, now);
}

// One attempt lets go once, however many of its votes were taken.
QuorumContender::Victim QuorumContender::victim_of(const Reply& reply, std::uint8_t server) const {
  const bool acknowledged = std::any_of(victims_.begin(), victims_.begin() + victim_count_, [&](const Victim& victim) {
    return victim.acknowledged && victim.who == reply.owner && victim.acquisition == reply.number;
  });
  return {reply.owner, reply.number, server, had_majority_, acknowledged};
}

// It is not waited for, but has to hear of it.
void QuorumContender::tell_late(const Victim& victim, Effects& out) {
  if (!victim.acknowledged) tell(RequestKind::kTell, victim.by, victim.who, victim.acquisition, acquisition_, out);
}

void QuorumContender::remember(const StoreEvent& event) {
  for (std::size_t i = 0; i < thief_count_; ++i) {
    if (thieves_[i].acquisition != event.by) continue;
    thieves_[i].by |= bit(event.server);
    return;
  }
  if (thief_count_ == kMostThieves) {  // more than it has votes: the first of them has given up
    std::move(thieves_.begin() + 1, thieves_.end(), thieves_.begin());
    --thief_count_;
  }
  thieves_[thief_count_++] = {event.owner, event.by, bit(event.server)};
}

// Through one of the servers through which the thief told.
void QuorumContender::acknowledge(const Thief& thief, Effects& out) {
  out.push(Note{EventKind::kAcknowledged, 0, token_, 0, thief.who.handle});
  tell(RequestKind::kAcknowledge, static_cast<std::uint8_t>(std::countr_zero(thief.by)), thief.who, thief.acquisition,
       acquisition_, out);
}

void QuorumContender::acknowledge_all(Effects& out) {
  for (std::size_t i = 0; i < thief_count_ && clean(); ++i) acknowledge(thieves_[i], out);
  thief_count_ = 0;
}

void QuorumContender::tell(RequestKind kind, std::uint8_t server, Name whom, std::uint64_t theirs, std::uint64_t own,
                           Effects& out) {
  Request& call = send(kind, server, out);
  call.quorum = {theirs, own, claim_until_.time_since_epoch(), {0}, {}};
  call.quorum.to = whom.handle;
}

}  // namespace leasescope
