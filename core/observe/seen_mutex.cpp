#include "core/observe/seen_mutex.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

// An end that moves by no more than that has not moved.
constexpr Duration kGrain = std::chrono::milliseconds(1);

// By so much in a second clocks go apart, the store's and ours.
constexpr std::int64_t kDrift = 2'000;

constexpr std::size_t kMostWaiters = 20;
constexpr const char* kSomebody = "somebody";  // the store does not say who waits

TrueTime ends_lo(const Sighting& seen) {
  return seen.left ? seen.asked + *seen.left - *seen.left / kDrift : TrueTime::max();
}
TrueTime ends_hi(const Sighting& seen) {
  return seen.left ? seen.answered + *seen.left + *seen.left / kDrift + seen.left_grain : TrueTime::max();
}

// An end that far off is none, and no sum with it fits.
constexpr Duration kEndless = std::chrono::hours(24 * 365 * 50);

// The first of those who wait, each once.
std::vector<std::string> waiters_of(const Sighting& seen) {
  std::vector<std::string> out;
  for (const std::string& each : seen.queue) {
    if (out.size() == kMostWaiters) break;
    const bool known = std::find(out.begin(), out.end(), each) != out.end();
    if (!known && each != seen.owner && !seen.is_held_by(each)) out.push_back(each);
  }
  if (seen.queue.empty() && seen.waiters.value_or(0) > 0) out.emplace_back(kSomebody);
  return out;
}

Sighting sound(Sighting seen) {
  if (seen.left && *seen.left > kEndless) seen.left.reset();
  if (seen.ttl_left && (*seen.ttl_left > kEndless || *seen.ttl_left < -kEndless)) seen.ttl_left.reset();
  return seen;
}

}  // namespace

SeenMutex::SeenMutex(const Facts& facts, Record record, Intern intern)
    : facts_(facts), record_(std::move(record)), intern_(std::move(intern)) {}

void SeenMutex::see(const Sighting& told) {
  const Sighting sighting = sound(told);
  if (seen_ && sighting.asked < last_.asked) return;
  if (!seen_) {
    begin(sighting);
  } else {
    if (was_owned_between(sighting)) blind(last_.asked);
    if (blind_) tell(EventKind::kUnobservedEnded, facts_.store, sighting.asked, sighting.answered);
    // It may have been owned meanwhile.
    if (blind_ && !holds_ && sighting.owner.empty()) since_hi_ = sighting.answered;
    TrueTime lo = last_.asked;
    if (holds_ && goes_on_shared(sighting)) {
      share_on(sighting);
    } else if (holds_ && is_same_term(sighting)) {
      hold_on(sighting);
    } else {
      if (holds_) lo = end(sighting);
      if (!sighting.owner.empty()) grant(sighting, lo);
    }
  }
  take_waiters(sighting);
  if (!sighting.owner.empty() && sighting.left && sighting.ttl_left)
    transition_ = std::max(Duration::zero(), *sighting.left - *sighting.ttl_left);
  blind_ = false;
  seen_ = true;
  last_ = sighting;
  release_.reset();
  granted_.reset();
}

void SeenMutex::was_free(TrueTime at) {
  seen_ = true;
  blind_ = false;
  last_.asked = last_.answered = since_hi_ = waiters_asked_ = at;
}

// It was so before anybody looked, for nobody knows how long.
void SeenMutex::begin(const Sighting& sighting) {
  waiters_asked_ = sighting.asked;
  tell(EventKind::kUnobservedBegan, facts_.store, TrueTime{}, sighting.asked);
  tell(EventKind::kUnobservedEnded, facts_.store, sighting.asked, sighting.answered);
  since_hi_ = sighting.answered;
  if (sighting.owner.empty()) return;
  grant(sighting, sighting.asked);
  since_lo_ = TrueTime::min();
}

bool SeenMutex::is_same_term(const Sighting& sighting) const {
  const bool tokens = sighting.token_is_of_term && sighting.token != kNoToken && last_.token != kNoToken;
  if (sighting.is_shared() || last_.is_shared()) return false;
  return sighting.owner == last_.owner && (!tokens || sighting.token == last_.token);
}

// It is free, and was so at the last look.
bool SeenMutex::was_owned_between(const Sighting& sighting) const {
  return !blind_ && !holds_ && sighting.owner.empty() && sighting.changes != last_.changes;
}

// Somebody holds on beside whom others come and go.
bool SeenMutex::goes_on_shared(const Sighting& sighting) const {
  return std::any_of(last_.holders.begin(), last_.holders.end(),
                     [&](const std::string& each) { return sighting.is_shared() && sighting.is_held_by(each); });
}

void SeenMutex::share_on(const Sighting& sighting) {
  for (const std::string& each : last_.holders)
    if (!sighting.is_held_by(each)) tell(EventKind::kReleased, intern_(each), last_.asked, sighting.answered);
  // Who was not asked for before may hold as long as anybody.
  const TrueTime since = since_lo_ == TrueTime::min() ? since_hi_ : since_lo_;
  const TrueTime lo = last_.unread > 0 ? std::min(since, last_.asked) : last_.asked;
  for (const std::string& each : sighting.holders)
    if (!last_.is_held_by(each)) grant_beside(each, lo, sighting.answered);
  last_owner_ = sighting.owner;
  hold_on(sighting);
}

void SeenMutex::grant_beside(const std::string& holder, TrueTime lo, TrueTime hi) {
  tell(EventKind::kGranted, intern_(holder), lo, hi, kNoToken, kNoDeadline,
       static_cast<std::uint8_t>(GrantKind::kShared));
}

void SeenMutex::hold_on(const Sighting& sighting) {
  if (!sighting.left) {
    end_lo_ = end_hi_ = TrueTime::max();
    return;
  }
  const TrueTime lo = ends_lo(sighting), hi = ends_hi(sighting);
  const bool later = end_hi_ != TrueTime::max() && lo > end_hi_ + kGrain;
  const bool sooner = end_lo_ != TrueTime::max() && hi + kGrain < end_lo_;
  if (!later && !sooner) {
    end_lo_ = std::max(end_lo_ == TrueTime::max() ? lo : end_lo_, lo);
    end_hi_ = std::min(end_hi_, hi);
    return;
  }
  // Of those who hold beside each other it is not told whose part ends last.
  if (!sighting.is_shared())
    tell(EventKind::kRenewed, intern_(sighting.owner), last_.asked, sighting.answered, sighting.token,
         sighting.left->count());
  if (later || !sighting.is_shared()) renewed_ = sighting.answered;
  take_end(sighting);
}

// Returns when it may have been at the earliest.
TrueTime SeenMutex::end(const Sighting& sighting) {
  const bool said = release_ && release_->owner == last_.owner;
  const bool released = said || end_lo_ > sighting.answered;
  TrueTime lo = last_.asked;
  if (said) lo = std::max(lo, std::min(release_->earliest, sighting.answered));
  const EventKind how = released ? EventKind::kReleased : EventKind::kExpired;
  for (const std::string& each : last_.holders) tell(how, intern_(each), lo, sighting.answered);
  if (!last_.is_shared()) tell(how, intern_(last_.owner), lo, sighting.answered, last_.token);
  holds_ = false;
  since_lo_ = lo;
  since_hi_ = sighting.answered;
  return lo;
}

void SeenMutex::grant(const Sighting& sighting, TrueTime lo) {
  if (granted_ && granted_->owner == sighting.owner) lo = std::max(lo, std::min(granted_->earliest, sighting.answered));
  for (const std::string& each : sighting.holders) grant_beside(each, lo, sighting.answered);
  if (!sighting.is_shared())
    tell(EventKind::kGranted, intern_(sighting.owner), lo, sighting.answered, sighting.token,
         sighting.left ? sighting.left->count() : kNoDeadline);
  holds_ = true;
  since_lo_ = lo;
  since_hi_ = sighting.answered;
  renewed_ = TrueTime::min();
  const bool beside = last_shared_ && sighting.is_shared();
  handoffs_ += !last_owner_.empty() && last_owner_ != sighting.owner && !beside;
  last_owner_ = sighting.owner;
  last_shared_ = sighting.is_shared();
  take_end(sighting);
}

void SeenMutex::take_end(const Sighting& sighting) {
  end_lo_ = ends_lo(sighting);
  end_hi_ = ends_hi(sighting);
  length_ = sighting.left.value_or(Duration::zero());
  whole_ = seen_;
  if (whole_) longest_ = std::max(longest_, length_);
}

// Those who have gone, then those who have come: since the last look that tells who waits, which may not be the last.
void SeenMutex::take_waiters(const Sighting& sighting) {
  if (!sighting.waiters_are_of_now) return;
  const TrueTime lo = std::exchange(waiters_asked_, sighting.asked);
  std::vector<std::string> now = waiters_of(sighting);
  const auto is_in = [](const std::vector<std::string>& all, const std::string& who) {
    return std::find(all.begin(), all.end(), who) != all.end();
  };
  for (const std::string& each : waiting_)
    if (!is_in(now, each)) tell(EventKind::kDequeued, intern_(each), lo, sighting.answered);
  for (std::size_t i = 0; i < now.size(); ++i)
    if (!is_in(waiting_, now[i]))
      tell(EventKind::kQueued, intern_(now[i]), lo, sighting.answered, kNoToken, static_cast<std::int64_t>(i) + 1);
  waiting_ = std::move(now);
}

void SeenMutex::heard_release(std::string_view owner, TrueTime earliest) {
  if (!release_) release_ = Heard{std::string(owner), earliest};
}

void SeenMutex::heard_grant(std::string_view owner, TrueTime earliest) {
  granted_ = Heard{std::string(owner), earliest};
}

void SeenMutex::blind(TrueTime since) {
  if (blind_) return;
  blind_ = true;
  tell(EventKind::kUnobservedBegan, facts_.store, since, since);
}

std::optional<Event> SeenMutex::blinded(TrueTime since) const {
  if (blind_) return {};
  return made(EventKind::kUnobservedBegan, facts_.store, since, since);
}

Event SeenMutex::made(EventKind kind, Name node, TrueTime lo, TrueTime hi) const {
  Event event;
  event.kind = kind;
  event.node = node;
  event.mutex = facts_.mutex;
  event.hi = std::max(hi, told_);
  event.lo = std::min(lo, event.hi);
  return event;
}

void SeenMutex::tell(EventKind kind, Name node, TrueTime lo, TrueTime hi, Token token, std::int64_t a,
                     std::uint8_t detail) {
  Event event = made(kind, node, lo, hi);
  told_ = event.hi;
  event.token = token;
  event.a = a;
  event.detail = detail;
  record_(event);
}

}  // namespace leasescope
