#include "simulator/live/held_book.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

using std::chrono::milliseconds;

// Stores count in whole milliseconds, and a key is free one after its end.
constexpr Duration kGrain = milliseconds(2);
constexpr Duration kRounding = milliseconds(1);
// No packet outlives this on its way (twice the segment lifetime of TCP, as it is commonly taken).
constexpr Duration kStraggling = std::chrono::minutes(2);
// The store's clock and ours differ by no more than this part of a lease: NTP slews by 500 ppm at most.
constexpr int kDrift = 2000;
// A lease longer than that has no end that could be reckoned with.
constexpr Duration kEndless = std::chrono::hours(24 * 365 * 50);

}  // namespace

TrueTime HeldBook::Sight::end_lo() const {
  if (left < Duration::zero() || left > kEndless) return TrueTime::max();
  return sent + left - left / kDrift - (exact ? Duration::zero() : kRounding);
}

TrueTime HeldBook::Sight::end_hi() const {
  if (left < Duration::zero() || left > kEndless) return TrueTime::max();
  return received + left + left / kDrift + kGrain;
}

LeaseBounds HeldBook::end_of(const Sight& sight) const {
  return clock_.end(sight.sent, sight.received, sight.end_lo(), sight.end_hi());
}

TrueTime HeldBook::surely_until(const Sight& sight) const {
  const TrueTime end = end_of(sight).lo;
  return was_set_back() && may_be_renewed(sight.owner) ? std::min(end, least_end(sight.sent)) : end;
}

TrueTime HeldBook::least_end(TrueTime from) const {
  return std::max(from, from + facts_.lease - facts_.lease / kDrift - clock_.forward_since(from));
}

// By a call that nobody waits for, or by somebody who is not ours.
bool HeldBook::may_be_renewed(Name owner) const {
  return !is_ours_(owner) || on_its_way(Do::kExtend, owner) != nullptr;
}

// From `lo` on: what was promised just now, or what must at least have been promised.
Duration HeldBook::promise_of(const Sight& sight, TrueTime lo) const {
  const TrueTime end = sight.exact && lo == sight.sent ? lo + sight.left : end_of(sight).lo;
  return end == TrueTime::max() ? kEndless : Duration(end - lo);
}

HeldBook::HeldBook(const Facts& facts, Record record, IsOurs is_ours)
    : facts_(facts), record_(std::move(record)), is_ours_(std::move(is_ours)) {}

// ---- calls

void HeldBook::sending(Name node, const Request& request, TrueTime now, Sequence cause) {
  Calls& calls = calls_[node.handle];
  const auto arrives_no_more = [&](const Call& call) { return call.lost && now - call.sent > kStraggling; };
  calls.erase(std::remove_if(calls.begin(), calls.end(), arrives_no_more), calls.end());
  wires_[node.handle] = request.lease.wire;
  calls.push_back({request.id, request.kind, request.lease.wire, request.lease.term, now, cause, false});
  if (owner_ == node && may(Do::kExtend, calls.back())) end_.lo = std::min(end_.lo, least_end(now));
}

// The call that the reply belongs to; it is on its way no more, unless nobody knows.
HeldBook::Call HeldBook::take(Name node, const Reply& reply, TrueTime sent) {
  Calls& calls = calls_[node.handle];
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const Call& call) {
    return !call.lost && call.id == reply.request && call.kind == reply.kind;
  });
  Call call;
  call.sent = sent;
  if (found == calls.end()) return call;
  call = *found;
  if (reply.ending == Ending::kUnknown) {
    found->lost = true;
  } else {
    calls.erase(found);
  }
  return call;
}

Sequence HeldBook::replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) {
  const Call call = take(node, reply, sent);
  const bool said_something = reply.ending == Ending::kOk || reply.refused;
  said_something ? answered(sent, received) : silent(sent);
  if (reply.ending != Ending::kOk) {
    tell_withheld(node);
    return 0;
  }
  if (reply.kind == RequestKind::kRelease) return on_release(node, call, reply, sent, received);
  if (reply.owner.empty()) return on_nobody(sent, received);
  Sight sight{reply.owner, reply.token, sent, received, reply.remaining, false, call.wire != Wire::kTokenless};
  learn_token(sight);
  if (lasts_again(sight)) restore(sight);
  return reply.owner == node ? on_own(call, reply, sight) : on_other(sight);
}

// One step of the store's: the release of whoever held, and the grant. Each lease is as long as ours.
void HeldBook::handed_over(Name node, Token token, TrueTime received) {
  if (token <= highest_) return;  // of a term that was seen
  const Call* const release = owner_.empty() ? nullptr : on_its_way(Do::kFree, owner_);
  const TrueTime lo = release != nullptr ? std::max(after_, release->sent) : after_;
  const Sequence cause = release != nullptr ? release->cause : 0;
  begin({node, token, std::min(lo, received), received, facts_.lease, false}, std::min(lo, received), received, cause);
}

void HeldBook::abandoned(Name node) {
  for (Call& call : calls_[node.handle]) call.lost = true;
  tell_withheld(node);
}

// Of several that are on their way nobody knows which it was: then nothing is told.
void HeldBook::late_release(Name node, bool freed, TrueTime arrived, TrueTime answered) {
  Calls& calls = calls_[node.handle];
  const auto late = [](const Call& call) { return call.lost && call.kind == RequestKind::kRelease; };
  if (std::count_if(calls.begin(), calls.end(), late) != 1) return;
  const auto found = std::find_if(calls.begin(), calls.end(), late);
  const Call call = *found;
  if (freed) {
    const bool of_this_term = arrived >= known_at_ && on_its_way(Do::kTake, node) == nullptr;
    const bool sure = call.wire == Wire::kTerm || of_this_term;
    if (owner_ != node || !may(Do::kFree, call) || !sure) return;  // what it freed may not be known yet
    calls.erase(found);
    Reply reply;
    reply.done = true;
    on_release(node, call, reply, arrived, answered);
    return;
  }
  calls.erase(found);
  if (owner_ == node && call.term != kNoToken && call.term != token_ && held_throughout(call, arrived, answered))
    record(EventKind::kReleaseRefused, node, arrived, answered, call.term, Duration::zero(), call.cause);
}

// From the moment on at which the call may have arrived, its caller held in one term or the next.
bool HeldBook::held_throughout(const Call& call, TrueTime arrived, TrueTime answered) const {
  if (answered >= end_.lo || on_its_way(Do::kFree, owner_) != nullptr) return false;
  return arrived >= known_at_ || call.term >= unbroken_from_;
}

bool HeldBook::may(Do what, const Call& call) const { return may(what, call, token_); }

bool HeldBook::may(Do what, const Call& call, Token term) const {
  const bool this_term = call.wire != Wire::kTerm || call.term == term;
  switch (what) {
    case Do::kAnything:
      return true;
    case Do::kTake:
      return call.kind == RequestKind::kAcquire;
    case Do::kExtend:
      return call.kind == RequestKind::kGuard
                 ? this_term
                 : call.kind == RequestKind::kAcquire && call.wire != Wire::kTerm && facts_.row;
    case Do::kFree:
      return call.kind == RequestKind::kRelease && this_term;
  }
  return false;
}

bool HeldBook::in_flight(Do what, Name node) const {
  const auto calls = calls_.find(node.handle);
  return calls != calls_.end() && std::any_of(calls->second.begin(), calls->second.end(),
                                              [&](const Call& call) { return !call.lost && may(what, call); });
}

const HeldBook::Call* HeldBook::on_its_way(Do what, Name node) const {
  const auto calls = calls_.find(node.handle);
  if (calls == calls_.end()) return nullptr;
  const auto first =
      std::find_if(calls->second.begin(), calls->second.end(), [&](const Call& call) { return may(what, call); });
  return first == calls->second.end() ? nullptr : &*first;
}

// When several may have done it, all are kept: nobody knows which it was, and what else the others may do yet.
void HeldBook::arrived(Do what, Name node) {
  Calls& calls = calls_[node.handle];
  const auto done = [&](const Call& call) { return may(what, call); };
  const auto first = std::find_if(calls.begin(), calls.end(), done);
  if (first == calls.end() || std::find_if(std::next(first), calls.end(), done) != calls.end()) return;
  if (!first->lost) {
    first->told = true;
  } else {
    calls.erase(first);
  }
}

// ---- what the answers say

bool HeldBook::is_tokenless(Name who) const {
  const auto found = wires_.find(who.handle);
  return found != wires_.end() && found->second == Wire::kTokenless;
}

// Beside a term without a token an older term's may still lie in the store.
void HeldBook::learn_token(Sight& sight) {
  if (is_tokenless(sight.owner)) sight.token = kNoToken;
  if (!token_untold_ || owner_ != sight.owner || sight.token == kNoToken || sight.sent < known_at_) return;
  token_ = unbroken_from_ = sight.token;
  highest_ = std::max(highest_, token_);
  token_untold_ = false;
}

// Who is told no token cannot tell a term that has one from the next.
bool HeldBook::is_unclear(const Sight& sight) const {
  if (sight.tells_token || is_tokenless(sight.owner)) return false;
  const bool ours = is_ours_(sight.owner);
  if (owner_ != sight.owner) return ours;
  return ours ? on_its_way(Do::kTake, owner_) != nullptr : token_ != kNoToken;
}

bool HeldBook::same_term(const Sight& sight) const {
  return owner_ == sight.owner && (token_ == sight.token || sight.token == kNoToken);
}

Sequence HeldBook::on_own(const Call& call, const Reply& reply, const Sight& sight) {
  Sight taken = sight;
  taken.exact = true;
  const bool full = is_whole(sight.left);
  const bool guard = call.kind == RequestKind::kGuard;
  const bool refused = guard && call.wire == Wire::kTerm && !reply.done && call.term != sight.token;
  if (refused) return on_other(sight);  // it named another term
  if (reply.done && !same_term(sight)) {
    taken.exact = full;  // else what was left of the term before
    if (!news(taken) && !lasts_since(taken)) return 0;
    const bool goes_on = owner_ == sight.owner && !full && on_its_way(Do::kTake, owner_) == nullptr;
    const Token from = goes_on ? unbroken_from_ : sight.token;
    const Sequence begun = begin(taken, sight.sent, sight.received, call.cause);
    unbroken_from_ = from;
    return begun;
  }
  const bool renewed = guard || (full && facts_.row);
  if (same_term(sight)) {
    if (renewed) return renew(taken, sight.sent, sight.received, call.cause);
    if (call.wire != Wire::kTokenless) {
      look(sight);  // an acquire that found its own key: nothing was renewed
    } else if (full) {
      return taken_anew(taken, call.cause);
    } else {
      on_other(sight);  // likewise, of a term that may be a later one
    }
    return last_fact_;
  }
  const bool took = full && call.kind == RequestKind::kAcquire;
  if (!news(sight) && !(took && lasts_since(taken))) return 0;
  if (took && on_its_way(Do::kTake, sight.owner) == nullptr)
    return begin(taken, sight.sent, sight.received, call.cause);
  on_found(full ? taken : sight);  // by an earlier call, of which it heard nothing
  return guard ? renew(taken, sight.sent, sight.received, call.cause) : last_fact_;
}

// Without a token the same owner's next term looks like the one before. A whole lease was taken just now, unless
// another call of its own, that nobody waits for, has given it in the same millisecond.
Sequence HeldBook::taken_anew(const Sight& taken, Sequence cause) {
  if (on_its_way(Do::kExtend, taken.owner) == nullptr && on_its_way(Do::kTake, taken.owner) == nullptr)
    return begin(taken, taken.sent, taken.received, cause);
  known_at_ = std::max(known_at_, taken.received);
  return renew(taken, std::max(after_, taken.sent - kRounding), taken.received, cause);
}

// Whether the caller would have held at the moment of what is known of another, had it taken the lease before: then it
// took it later.
bool HeldBook::lasts_since(const Sight& taken) const {
  const bool older = taken.token <= highest_ && !is_tokenless(taken.owner);
  if (!taken.exact || owner_ == taken.owner || older || known_at_ >= end_of(taken).lo) return false;
  const auto calls = calls_.find(taken.owner.handle);
  return calls == calls_.end() || std::none_of(calls->second.begin(), calls->second.end(),
                                               [&](const Call& call) { return may(Do::kFree, call, taken.token); });
}

Sequence HeldBook::on_other(const Sight& sight) {
  const bool ours = is_ours_(sight.owner);
  if (is_unclear(sight)) return 0;
  if (same_term(sight)) {
    const bool older_generation = ours && is_tokenless(owner_);
    const bool beyond = end_of(sight).lo > end_.hi;  // as its next term too would be
    if (older_generation && (in_flight(Do::kTake, owner_) || (beyond && in_flight(Do::kExtend, owner_)))) {
      withhold(sight);
      return 0;
    }
    // What a renewal by a clock set back has brought nearer is no sign of another, when it is seen as it was before.
    const bool older = was_set_back() && sight.sent < end_.hi_read;
    const bool awaited = ours && in_flight(Do::kExtend, owner_);
    if (older || !beyond || awaited) {
      if (beyond && awaited) withhold(sight);
      look(sight);
      return 0;
    }
    if (older_generation) known_at_ = std::max(known_at_, sight.received);  // it may be its next term
    const Call* const guard = ours ? on_its_way(Do::kExtend, owner_) : nullptr;
    if (guard == nullptr) return renew(sight, promised_at_, sight.received, last_fact_);
    const Call* const anew = older_generation ? on_its_way(Do::kTake, owner_) : nullptr;
    const TrueTime asked = anew != nullptr ? std::min(anew->sent, guard->sent) : guard->sent;
    const TrueTime lo = std::max(asked, sight.end_lo() - facts_.lease - clock_.back_since(asked));
    const TrueTime hi = std::min(sight.received, sight.end_hi() - facts_.lease + clock_.forward_since(asked));
    const Sequence cause = guard->cause;
    if (anew == nullptr) arrived(Do::kExtend, owner_);
    return renew(sight, lo, hi, cause);
  }
  if (!news(sight)) return 0;
  if (ours && in_flight(Do::kTake, sight.owner)) {
    withhold(sight);
    return 0;
  }
  const auto gone = gone_.find(sight.owner.handle);
  if (gone != gone_.end() && sight.sent < gone->second) return 0;  // it may have given back what was seen
  on_found(sight);
  return 0;
}

void HeldBook::withhold(const Sight& sight) {
  if (!withheld_ || withheld_->owner != sight.owner || withheld_->sent <= sight.sent) withheld_ = sight;
}

void HeldBook::tell_withheld(Name owner) {
  if (!withheld_ || withheld_->owner != owner) return;
  const Sight sight = *withheld_;
  withheld_.reset();
  on_other(sight);
}

// Over before somebody set the clock back, it is in force: by what the store does, and at nobody's wish.
bool HeldBook::lasts_again(const Sight& sight) const {
  return owner_.empty() && ran_out_ == sight.owner && token_ == sight.token && token_ != kNoToken &&
         sight.sent >= known_at_ && clock_.set_back_after(ran_out_at_) < TrueTime::max();
}

void HeldBook::restore(const Sight& sight) {
  begin(sight, std::max(ran_out_at_, clock_.set_back_after(ran_out_at_)), sight.received, last_fact_,
        GrantKind::kRestored);
}

// A term that we first see now.
Sequence HeldBook::on_found(const Sight& sight) {
  // What was free may have been held before, and be so again by a clock set back.
  const bool was_free = free_received_ < sight.sent && clock_.set_back_after(free_sent_) == TrueTime::max();
  const TrueTime after = was_free ? std::max(after_, free_sent_) : after_;
  if (!is_ours_(sight.owner)) return begin(sight, after, sight.received, 0);
  const Call* const acquire = on_its_way(Do::kTake, sight.owner);
  TrueTime lo = acquire != nullptr ? std::max(after, acquire->sent) : after;
  TrueTime hi = sight.received;
  const bool kept_rest = acquire == nullptr || acquire->wire == Wire::kTerm;
  if (!kept_rest && sight.left >= Duration::zero() && sight.left < facts_.lease) {
    // It was granted a lease before its end, unless an unanswered guard renewed it.
    if (on_its_way(Do::kExtend, sight.owner) == nullptr)
      lo = std::max(lo, sight.end_lo() - facts_.lease - clock_.back_since(acquire->sent));
    hi = std::max(lo, std::min(hi, sight.end_hi() - facts_.lease + clock_.forward_since(acquire->sent)));
  }
  const Sequence cause = acquire != nullptr ? acquire->cause : 0;
  // Unless this very answer may be that of the grant.
  if (acquire != nullptr && acquire->lost && !sight.exact) arrived(Do::kTake, sight.owner);
  return begin(sight, lo, hi, cause);
}

// Whether the term that is known had ended before this one of the same owner began. Ours may have been kept on in it.
bool HeldBook::over_before(const Sight& sight) const {
  if (owner_ != sight.owner) return true;
  if (!is_ours_(owner_)) return false;
  if (end_of(sight).lo > latest_end()) return true;
  const Call* const acquire = on_its_way(Do::kTake, owner_);
  if (acquire != nullptr && acquire->wire != Wire::kTerm) return true;
  const bool fresh = sight.exact && is_whole(sight.left);
  return fresh && (end_.lo <= sight.received || on_its_way(Do::kFree, owner_) != nullptr);
}

Sequence HeldBook::begin(const Sight& sight, TrueTime lo, TrueTime hi, Sequence cause, GrantKind how) {
  if (!owner_.empty() && over_before(sight)) end_lease(hi);
  owner_ = sight.owner;
  token_ = unbroken_from_ = sight.token;
  highest_ = std::max(highest_, token_);
  token_untold_ = !sight.tells_token && !is_ours_(owner_);
  after_ = promised_at_ = std::max(lo, sight.sent);
  known_at_ = sight.received;
  end_ = end_of(sight);
  end_.lo = surely_until(sight);
  ran_out_ = Name{};
  const Duration promised = promise_of(sight, std::min(lo, hi));
  return last_fact_ =
             record(EventKind::kGranted, owner_, lo, hi, token_, promised, cause, static_cast<std::uint8_t>(how));
}

Sequence HeldBook::renew(const Sight& sight, TrueTime lo, TrueTime hi, Sequence cause) {
  const Duration promised = promise_of(sight, std::min(lo, hi));
  const LeaseBounds end = end_of(sight);
  if (was_set_back() && end_.lo_read <= sight.sent && end_.hi_read <= sight.sent) {
    end_ = {surely_until(sight), end.hi, end.lo_read, end.hi_read};  // which may be nearer than before
  } else {
    end_.hi = std::max(end_.hi, end.hi);
    end_.hi_read = std::max(end_.hi_read, end.hi_read);
  }
  look(sight);
  promised_at_ = std::max(promised_at_, sight.sent);
  return last_fact_ = record(EventKind::kRenewed, owner_, lo, hi, token_, promised, cause);
}

// Of two ends the later is the newer one's, unless a renewal came after the clock was set back.
void HeldBook::look_at_end(const Sight& sight) {
  const TrueTime lo = surely_until(sight);
  const bool as_it_was = end_.lo_read <= sight.sent && !may_be_renewed(owner_);
  if (was_set_back() && !as_it_was) {
    end_.lo = std::min(end_.lo, lo);
  } else if (lo > end_.lo) {
    end_.lo = lo;
    end_.lo_read = sight.received;
  }
}

void HeldBook::look(const Sight& sight) {
  after_ = std::max(after_, sight.sent);
  look_at_end(sight);
  // It may be another term already, which without a token looks the same.
  if (!is_ours_(sight.owner)) known_at_ = std::max(known_at_, sight.received);
}

Sequence HeldBook::on_nobody(TrueTime sent, TrueTime received) {
  if (sent < known_at_) return 0;
  // A row's owner is refused in the last millisecond of its lease, as if it were free.
  if (!owner_.empty()) end_lease(received >= end_.lo ? received + kRounding : received);
  free_sent_ = sent;
  free_received_ = received;
  held_at_ = TrueTime::max();
  return 0;
}

Sequence HeldBook::on_release(Name node, const Call& call, const Reply& reply, TrueTime sent, TrueTime received) {
  if (!reply.done) return 0;  // "not yours" ends nothing: the caller may hold by another term
  gone_[node.handle] = std::max(gone_[node.handle], received);
  if (call.told || owner_ != node || (call.term != kNoToken && call.term != token_))
    return 0;  // its end was proven before
  const TrueTime latest = latest_end();
  if (facts_.row && sent >= latest) return end_lease(received);  // a row that nobody had taken since
  const bool held = !facts_.row || received < end_.lo;
  TrueTime lo = std::max(sent, after_);
  if (!held) lo = std::min(lo, end_.lo);
  // An acquire that was given up may have begun one more term, which was the one to be freed.
  const bool one_more = call.wire != Wire::kTerm && on_its_way(Do::kTake, node) != nullptr;
  const TrueTime hi = one_more ? received : std::min(received, latest);
  owner_ = Name{};
  after_ = lo;
  known_at_ = received;
  const EventKind kind = held ? EventKind::kReleased : EventKind::kExpired;
  return last_fact_ = record(kind, node, lo, hi, token_, Duration::zero(), call.cause);
}

// ---- ends

Sequence HeldBook::end_lease(TrueTime proof) {
  const bool ours = is_ours_(owner_);
  const bool early = proof < end_.lo;
  const Call* const release = ours ? on_its_way(Do::kFree, owner_) : nullptr;
  const bool released = early && (release != nullptr || !ours);
  TrueTime lo = end_.lo;
  if (release != nullptr) lo = std::min(lo, std::max(after_, release->sent));
  if (!ours || (early && release == nullptr)) lo = after_;
  const bool forgotten = early && !released && forgot_at_ >= after_;
  if (forgotten) lo = std::max(lo, std::min(forgot_at_, proof));
  const TrueTime hi = std::min(proof, latest_end());
  const Sequence cause = released && ours ? release->cause : last_fact_;
  if (released && ours) arrived(Do::kFree, owner_);
  const Name who = std::exchange(owner_, Name{});
  held_at_ = TrueTime::max();
  known_at_ = std::min(proof, hi);
  if (!released && !forgotten) ran_out_ = who;
  ran_out_at_ = std::min(lo, hi);
  const EventKind kind = released ? EventKind::kReleased : EventKind::kExpired;
  const auto how = static_cast<std::uint8_t>(forgotten ? LeaseEnd::kForgotten : LeaseEnd::kRanOut);
  return last_fact_ = record(kind, who, lo, hi, token_, Duration::zero(), cause, released ? 0 : how);
}

void HeldBook::clock_asked(std::size_t /*store*/, Duration by, TrueTime asked) {
  withheld_.reset();  // what is left by another clock dates nothing
  clock_.asked(by, asked).may_move(end_, asked < latest_end());
}

void HeldBook::clock_set(std::size_t /*store*/, TrueTime done) {
  const TrueTime lo = end_.lo;
  const ClockStep step = clock_.done(done);
  step.has_moved(end_);
  if (!owner_.empty() && may_be_renewed(owner_)) end_.lo = std::max(lo, std::min(end_.lo, least_end(step.asked)));
}

// What may still arrive gives the lease once more.
TrueTime HeldBook::latest_end() const {
  if (owner_.empty() || !is_ours_(owner_) || end_.hi == TrueTime::max()) return TrueTime::max();
  TrueTime end = end_.hi;
  const auto calls = calls_.find(owner_.handle);
  if (calls == calls_.end()) return end;
  for (const Call& call : calls->second)
    if (may(Do::kExtend, call)) end += facts_.lease;
  return end;
}

// While an answer is awaited that will tell, nothing is guessed.
TrueTime HeldBook::certain_end() const {
  if (owner_.empty() || in_flight(Do::kAnything, owner_)) return TrueTime::max();
  return latest_end();
}

TrueTime HeldBook::due() const { return std::min(certain_end(), unobserved_from()); }

void HeldBook::tick(TrueTime now) {
  if (now >= certain_end()) {
    const TrueTime held_at = known_at_;
    end_lease(now);
    held_at_ = held_at;
  }
  const TrueTime from = unobserved_from();
  if (now < from) return;
  unobserved_ = true;
  unobserved_at_ = from;
  record(EventKind::kUnobservedBegan, facts_.store, from, from, kNoToken, Duration::zero(), 0);
}

// ---- a store that does not answer

void HeldBook::answered(TrueTime sent, TrueTime received) {
  answered_at_ = std::max(answered_at_, received);
  silent_since_ = TrueTime::max();
  if (!std::exchange(unobserved_, false)) return;
  record(EventKind::kUnobservedEnded, facts_.store, std::max(sent, unobserved_at_), received, kNoToken,
         Duration::zero(), 0);
}

void HeldBook::silent(TrueTime sent) {
  if (sent > answered_at_) silent_since_ = std::min(silent_since_, sent);
}

// As long as a lease known to be granted must last, nobody else can hold.
TrueTime HeldBook::unobserved_from() const {
  if (unobserved_ || silent_since_ == TrueTime::max()) return TrueTime::max();
  return owner_.empty() ? silent_since_ : std::max(silent_since_, end_.lo);
}

Sequence HeldBook::record(EventKind kind, Name node, TrueTime lo, TrueTime hi, Token token, Duration length,
                          Sequence cause, std::uint8_t detail) {
  Event event;
  event.kind = kind;
  event.detail = detail;
  event.lo = std::min(lo, hi);
  event.hi = hi;
  event.node = node;
  event.mutex = facts_.mutex;
  event.token = token;
  event.a = length.count();
  event.cause = cause;
  return record_(event);
}

}  // namespace leasescope
