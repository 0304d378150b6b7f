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

ToldBelief& BeliefBook::of(const Belief& belief) {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const ToldBelief& each) { return each.said.owner == belief.owner; });
  if (found != all_.end()) return *found;
  if (all_.size() >= kMost) {
    const auto oldest = std::min_element(all_.begin(), all_.end(), [](const ToldBelief& a, const ToldBelief& b) {
      return std::pair(a.owns, a.heard) < std::pair(b.owns, b.heard);
    });
    end(*oldest, oldest->lo, oldest->hi, DisbeliefReason::kLost);
    all_.erase(oldest);
  }
  ToldBelief& made = all_.emplace_back();
  made.said.owner = belief.owner;
  return made;
}

bool BeliefBook::take(const Belief& belief, const BeliefClock& clock, TrueTime arrived) {
  ToldBelief& told = of(belief);
  // Of one id there is one process; another that bears it too begins with its own numbers.
  const bool same = told.said.pid == belief.pid && told.said.host == belief.host;
  if (same && belief.number <= told.said.number) return false;
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
    return true;
  }
  told.until_lo = belief.left ? after(told.lo, *belief.left) : TrueTime::max();
  told.until_hi = belief.left ? after(told.hi, *belief.left) : TrueTime::max();
  if (!std::exchange(told.owns, true)) {
    told.since_lo = told.lo;
    told.since_hi = told.hi;
  }
  tell(EventKind::kBelieved, told, told.lo, told.hi, {});
  return true;
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
    if (each.owns && each.until_hi <= now) end(each, each.until_lo, each.until_hi, DisbeliefReason::kLost);
  const auto forgotten = [&](const ToldBelief& each) { return !each.owns && each.heard + kRemembered <= now; };
  all_.erase(std::remove_if(all_.begin(), all_.end(), forgotten), all_.end());
}

TrueTime BeliefBook::next_end() const {
  TrueTime out = TrueTime::max();
  for (const ToldBelief& each : all_)
    if (each.owns) out = std::min(out, each.until_hi);
  return out;
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
  return listened_for ? "no process tells what it believes" : "nobody listens for what processes believe";
}

}  // namespace leasescope
