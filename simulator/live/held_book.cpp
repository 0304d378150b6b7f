#include "simulator/live/held_book.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

using std::chrono::milliseconds;

// Stores count in whole milliseconds, and a key is free one after its end.
constexpr Duration kGrain = milliseconds(2);

}  // namespace

HeldBook::HeldBook(Name mutex, Duration lease, Record record, IsOurs is_ours)
    : mutex_(mutex), lease_(lease), record_(std::move(record)), is_ours_(std::move(is_ours)) {}

void HeldBook::sending(Name node, const Request& request, TrueTime now) {
  OnItsWay& way = ways_[node.handle];
  if (request.kind == RequestKind::kRelease) {
    way.releasing = true;
    way.release_sent = now;
  } else {
    ++way.calls;
  }
}

Sequence HeldBook::replied(Name node, const Reply& reply, TrueTime sent, TrueTime received, Sequence cause) {
  OnItsWay& way = ways_[node.handle];
  if (reply.kind == RequestKind::kRelease) {
    if (reply.ending == Ending::kUnknown) return 0;  // it may have been executed: that stays known
    way.releasing = false;
    return reply.ending == Ending::kOk ? on_release(node, reply, sent, received, cause) : 0;
  }
  way.calls = std::max(0, way.calls - 1);
  if (reply.ending == Ending::kUnknown && node == owner_) doubtful_ = true;
  if (reply.ending != Ending::kOk) return 0;
  if (reply.owner == node) return on_own(node, reply, sent, received, cause);
  reply.owner.empty() ? on_nobody(sent, received) : on_others(reply, sent, received);
  return 0;
}

void HeldBook::abandoned(Name node) {
  OnItsWay& way = ways_[node.handle];
  if (way.calls > 0 && node == owner_) doubtful_ = true;
  way.calls = 0;
}

// Whether a reply tells something later than what is known: replies to different contenders can overtake each other.
bool HeldBook::news(const Reply& reply, TrueTime sent) const { return reply.token > token_ || sent > changed_hi_; }

Sequence HeldBook::on_own(Name node, const Reply& reply, TrueTime sent, TrueTime received, Sequence cause) {
  const bool full = reply.remaining >= lease_;
  if (owner_ == node && token_ == reply.token) {
    if (!full) return last_fact_;  // an acquire that found its own key: nothing was renewed
    doubtful_ = false;
    last_lo_ = sent;
    last_hi_ = received;
    left_ = reply.remaining;
    return last_fact_ = record(EventKind::kRenewed, node, sent, received, reply.token, lease_, cause);
  }
  if (!news(reply, sent)) return 0;
  if (!owner_.empty()) end_lease(received, cause);
  // Found, not taken, by this call: an earlier one whose answer never came took it.
  const TrueTime lo = full ? sent : std::max(changed_lo_, sent + reply.remaining - lease_);
  owner_ = node;
  token_ = reply.token;
  last_lo_ = lo;
  last_hi_ = full ? received : std::max(lo, received + reply.remaining - lease_);
  changed_lo_ = lo;
  changed_hi_ = received;
  left_ = lease_;
  doubtful_ = false;
  ways_[node.handle].releasing = false;
  return last_fact_ = record(EventKind::kGranted, node, lo, received, reply.token, lease_, cause);
}

void HeldBook::on_others(const Reply& reply, TrueTime sent, TrueTime received) {
  const Duration remaining = std::max(Duration::zero(), reply.remaining);
  const bool ours = is_ours_(reply.owner);
  if (owner_ == reply.owner && token_ == reply.token) {
    if (ours || sent + remaining <= last_lo_ + left_ + kGrain) return;
    last_lo_ = sent;
    last_hi_ = received;
    left_ = remaining;
    last_fact_ = record(EventKind::kRenewed, reply.owner, sent, received, reply.token, remaining, last_fact_);
    return;
  }
  if (!news(reply, sent)) return;
  // Its own reply is on its way, and knows better when.
  if (ours && ways_[reply.owner.handle].calls > 0) return;
  if (!owner_.empty()) end_lease(received, 0);
  const TrueTime lo = ours ? std::max(changed_lo_, sent + remaining - lease_) : changed_lo_;
  owner_ = reply.owner;
  token_ = reply.token;
  changed_lo_ = lo;
  changed_hi_ = received;
  last_lo_ = sent;
  last_hi_ = received;
  left_ = remaining;
  doubtful_ = false;
  last_fact_ = record(EventKind::kGranted, reply.owner, lo, received, reply.token, Duration(sent - lo) + remaining, 0);
}

void HeldBook::on_nobody(TrueTime sent, TrueTime received) {
  if (!owner_.empty() && sent > last_hi_) end_lease(received, 0);
}

Sequence HeldBook::on_release(Name node, const Reply& reply, TrueTime sent, TrueTime received, Sequence cause) {
  if (owner_ != node || sent < last_lo_) return 0;  // its end was proven before
  if (!reply.done) return end_lease(received, cause);
  owner_ = Name{};
  changed_lo_ = sent;
  changed_hi_ = received;
  return last_fact_ = record(EventKind::kReleased, node, sent, received, token_, Duration::zero(), cause);
}

void HeldBook::heard(const StoreEvent& event, TrueTime received) {
  if (event.kind != StoreEventKind::kReleased || event.owner != owner_ || owner_.empty() || is_ours_(owner_)) return;
  const TrueTime lo = last_lo_;
  const Name who = std::exchange(owner_, Name{});
  changed_lo_ = lo;
  changed_hi_ = received;
  last_fact_ = record(EventKind::kReleased, who, lo, received, token_, Duration::zero(), last_fact_);
}

Sequence HeldBook::end_lease(TrueTime proof, Sequence cause) {
  const Name who = std::exchange(owner_, Name{});
  OnItsWay& way = ways_[who.handle];
  const bool released = std::exchange(way.releasing, false) && way.release_sent >= last_lo_;
  const TrueTime over = last_lo_ + left_;
  TrueTime lo = std::min(proof, released ? way.release_sent : over);
  // Without a call in doubt the lease's own length bounds its end, whenever it is noticed.
  const bool bounded = !doubtful_ && way.calls == 0 && is_ours_(who);
  const TrueTime hi = bounded ? std::min(proof, std::max(lo, last_hi_ + left_ + kGrain)) : proof;
  changed_lo_ = lo;
  changed_hi_ = hi;
  doubtful_ = false;
  const EventKind kind = released ? EventKind::kReleased : EventKind::kExpired;
  return last_fact_ = record(kind, who, lo, hi, token_, Duration::zero(), cause != 0 ? cause : last_fact_);
}

TrueTime HeldBook::certain_end() const {
  if (owner_.empty() || doubtful_ || !is_ours_(owner_)) return TrueTime::max();
  const auto way = ways_.find(owner_.handle);
  if (way != ways_.end() && way->second.calls > 0) return TrueTime::max();
  return last_hi_ + left_ + kGrain;
}

void HeldBook::tick(TrueTime now) {
  if (now >= certain_end()) end_lease(now, 0);
}

Sequence HeldBook::record(EventKind kind, Name node, TrueTime lo, TrueTime hi, Token token, Duration length,
                          Sequence cause) {
  Event event;
  event.kind = kind;
  event.lo = std::min(lo, hi);
  event.hi = hi;
  event.node = node;
  event.mutex = mutex_;
  event.token = token;
  event.a = length.count();
  event.cause = cause;
  return record_(event);
}

}  // namespace leasescope
