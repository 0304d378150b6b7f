#include "core/observe/belief_book.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope {
namespace {

using What = Belief::What;

TrueTime after(TrueTime at, Duration length) { return length >= TrueTime::max() - at ? TrueTime::max() : at + length; }

// Until it was heard of first it was something else, for nobody knows how long.
bool is_new(const ToldBelief& of) { return of.said.number == 0; }

}  // namespace

BeliefBook::BeliefBook(Name mutex, SeenMutex::Record record, SeenMutex::Intern intern)
    : mutex_(mutex), record_(std::move(record)), intern_(std::move(intern)) {}

ToldBelief* BeliefBook::known(const std::string& owner) {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const ToldBelief& each) { return each.said.owner == owner; });
  return found == all_.end() ? nullptr : &*found;
}

ToldBelief& BeliefBook::made(const std::string& owner) {
  if (all_.size() >= kMost) {
    const auto oldest = std::min_element(all_.begin(), all_.end(), [](const ToldBelief& a, const ToldBelief& b) {
      return std::pair(a.owns, a.heard) < std::pair(b.owns, b.heard);
    });
    end(*oldest, oldest->lo, oldest->hi, DisbeliefReason::kLost);
    all_.erase(oldest);
  }
  ToldBelief& made = all_.emplace_back();
  made.said.owner = owner;
  return made;
}

bool BeliefBook::may_take_one(TrueTime now) {
  const double passed = static_cast<double>(std::max(Duration::zero(), now - budgeted_).count()) / 1e9;
  budget_ = std::min(kAtOnce, budget_ + passed * kASecond);
  budgeted_ = std::max(budgeted_, now);
  if (budget_ < 1) return false;
  budget_ -= 1;
  return true;
}

// Whose deadline may have come when another says that he owns owns no more, as far as anybody can prove: at a hand-over
// by the end of a lease the one is over where the other begins, and messages are under way for longer than that takes.
void BeliefBook::end_what_may_be_over(const ToldBelief& but) {
  for (ToldBelief& each : all_)
    if (&each != &but && each.owns && each.until_lo <= but.hi)
      end(each, each.until_lo, std::min(each.until_hi, but.hi), DisbeliefReason::kLost);
}

BeliefBook::Taken BeliefBook::take(const Belief& belief, const BeliefClock& clock, TrueTime arrived) {
  ToldBelief* const before = known(belief.owner);
  // Of one id there is one process; another that bears it too begins with its own numbers, and so does one that is
  // started again and looks like the one before: in a container it bears the number 1 again.
  const bool same = before != nullptr && before->said.pid == belief.pid && before->said.host == belief.host;
  if (same && belief.number <= before->said.number && belief.sent_ms <= before->said.sent_ms) return Taken::kOld;
  if (belief.what == What::kOwns && !may_take_one(arrived)) return Taken::kTooMany;
  ToldBelief& told = before != nullptr ? *before : made(belief.owner);
  const bool first = is_new(told);
  const BeliefClock::Bounds sent = clock.moment(belief.sent_ms, arrived);
  told.said = belief;
  told.hi = std::min(sent.hi, arrived);
  told.lo = std::min(sent.lo, told.hi);
  told.heard = arrived;
  told.offset = clock.offset(arrived);
  if (belief.what != What::kOwns || belief.left == Duration::zero()) {
    if (first) told.since_lo = told.lo, told.since_hi = told.hi;
    end(told, told.lo, told.hi, belief.what == What::kStopped ? DisbeliefReason::kStop : DisbeliefReason::kLost);
    return Taken::kNews;
  }
  told.until_lo = belief.left ? after(told.lo, *belief.left) : TrueTime::max();
  told.until_hi = belief.left ? after(told.hi, *belief.left) : TrueTime::max();
  if (!std::exchange(told.owns, true)) {
    told.since_lo = told.lo;
    told.since_hi = told.hi;
    end_what_may_be_over(told);
  }
  tell(EventKind::kBelieved, told, told.lo, told.hi, {});
  return Taken::kNews;
}

void BeliefBook::end(ToldBelief& of, TrueTime lo, TrueTime hi, DisbeliefReason reason) {
  of.until_lo = of.until_hi = TrueTime::max();
  if (!std::exchange(of.owns, false)) return;
  of.since_lo = lo;
  of.since_hi = hi;
  tell(EventKind::kDisbelieved, of, lo, hi, reason);
}

void BeliefBook::advance(TrueTime now) {
  for (ToldBelief& each : all_)
    if (each.owns && each.until_hi <= now)
      end(each, each.until_lo, each.until_hi, DisbeliefReason::kLost);
    else if (each.owns && each.until_hi == TrueTime::max() && each.heard + kRemembered <= now)
      end(each, each.hi, each.heard + kRemembered, DisbeliefReason::kLost);
  const auto forgotten = [&](const ToldBelief& each) { return !each.owns && each.heard + kRemembered <= now; };
  all_.erase(std::remove_if(all_.begin(), all_.end(), forgotten), all_.end());
}

std::size_t BeliefBook::owners() const {
  return static_cast<std::size_t>(
      std::count_if(all_.begin(), all_.end(), [](const ToldBelief& each) { return each.owns; }));
}

void BeliefBook::tell(EventKind kind, const ToldBelief& of, TrueTime lo, TrueTime hi, DisbeliefReason reason) {
  Event event;
  event.kind = kind;
  event.mutex = mutex_;
  event.node = intern_(of.said.owner);
  event.lo = lo;
  event.hi = hi;
  event.token = of.said.fence;
  if (kind == EventKind::kBelieved) {
    event.a = of.said.left ? of.said.left->count() : kNoDeadline;
    event.b = of.said.left ? of.said.left->count() : 0;
  } else {
    event.detail = static_cast<std::uint8_t>(reason);
  }
  record_(event);
}

std::string belief_words(const ToldBelief& of, TrueTime now) {
  switch (of.said.what) {
    case What::kOwns: {
      const std::string token = of.said.fence == kNoToken ? "" : fmt::format(" #{}", of.said.fence);
      if (!of.owns) return fmt::format("owned{}, and has said nothing since its deadline", token);
      if (of.until_hi == TrueTime::max()) return fmt::format("owns{}, and no clock ends it", token);
      const double left = static_cast<double>((of.until_hi - now).count()) / 1e9;
      return fmt::format("owns{}, {:.1f} s left", token, std::max(0.0, left));
    }
    case What::kNotOwner:
      return "does not own it";
    case What::kWaits:
      return "waits";
    case What::kStopped:
      return "has stopped";
  }
  return {};
}

// What is behind ours is so by at most what the quickest message took more; what is ahead, by at least that.
std::string clock_words(const ToldBelief& of, std::int64_t epoch_ns) {
  if (!of.offset) return {};
  const double most = static_cast<double>(of.offset->most + epoch_ns) / 1e6;
  const double least = static_cast<double>(of.offset->least + epoch_ns) / 1e6;
  std::string out = most >= 0 ? fmt::format("its clock is behind ours by {:.1f} ms at most", most)
                              : fmt::format("its clock is ahead of ours by {:.1f} ms at least", -most);
  if (!of.offset->proved) return out;
  return out + (least >= 0  ? fmt::format(", and {:.1f} ms at least", least)
                : most >= 0 ? fmt::format(", or ahead by {:.1f} ms at most", -least)
                            : fmt::format(", and {:.1f} ms at most", -least));
}

std::string_view no_beliefs_words(bool listened_for) {
  return listened_for ? "No process tells what it believes." : "Nobody listens for what processes believe.";
}

}  // namespace leasescope
