#include "simulator/observed/estimate.h"

#include <algorithm>

namespace leasescope {
namespace {

using std::chrono::milliseconds;

constexpr Duration kTtl = std::chrono::seconds(10), kTransition = std::chrono::seconds(6);  // Simba's own
constexpr Duration kShortest = milliseconds(200);  // a lease that a contender still takes
constexpr Duration kLeastLate = milliseconds(10);
constexpr std::int64_t kDrift = 500;  // clocks and looks: a renewal within a 500th of the usual is not late

constexpr Duration rounded_up(Duration length, Duration step) { return (length + step - Duration(1)) / step * step; }
constexpr Duration nearest(Duration length, Duration step) { return (length + step / 2) / step * step; }
constexpr Duration step_of(Duration length) { return milliseconds(length >= std::chrono::seconds(1) ? 10 : 1); }

// What was first seen of a lease is a little less than it was.
Duration whole_lease(Duration seen) {
  return std::max(kShortest, rounded_up(seen, seen >= std::chrono::seconds(1) ? milliseconds(100) : milliseconds(10)));
}

struct Leases {
  Duration whole{}, middle{};  // the longest that was seen
  std::size_t count = 0;
};

Leases leases_of(const ObservedUse& use) {
  Leases out;
  const auto take = [&](const SeenLease& lease, bool met) {
    if (!lease.left) return;
    ++out.count;
    Duration& longest = met ? out.middle : out.whole;
    longest = std::max(longest, *lease.left);
  };
  for (const SeenTerm& term : use.terms) {
    take(term.granted, term.met);
    for (const SeenLease& each : term.renewed) take(each, false);
  }
  return out;
}

// From one renewal of a term to the next.
struct Interval {
  TrueTime begin{};  // the earlier of the two
  Duration length{};
  TrueTime lo{};  // by then the later one had not come yet
};

// A renewal is when its lease's end was moved: that end less a whole lease. As all are told so, what is wrong about the
// lease's length is not wrong about the time between two. One that was met in the middle has no known beginning.
std::vector<Interval> intervals_of(const ObservedUse& use, Duration lease) {
  std::vector<Interval> out;
  const auto moment = [&](const SeenLease& each) { return each.hi + *each.left - lease; };
  for (const SeenTerm& term : use.terms) {
    const SeenLease* last = term.met ? nullptr : &term.granted;
    for (const SeenLease& each : term.renewed) {
      const bool follows = last != nullptr && last->left && each.left && !each.after_gap;
      if (follows && each.hi >= use.from && moment(each) > moment(*last))
        out.push_back({moment(*last), moment(each) - moment(*last), each.lo});
      last = &each;
    }
  }
  return out;
}

Sample lengths_of(const std::vector<Interval>& intervals) {
  std::vector<Duration> out;
  out.reserve(intervals.size());
  for (const Interval& each : intervals) out.push_back(each.length);
  return Sample(std::move(out));
}

// The usual time between renewals: pauses and unseen renewals make it longer, and nothing shorter, so it is asked for
// among the shorter half; of those near it the median.
Duration usual_of(const std::vector<Interval>& intervals) {
  const Duration near = lengths_of(intervals).quantile(250);
  std::vector<Duration> usual;
  for (const Interval& each : intervals)
    if (each.length <= near + std::max(kLeastLate, near / 10) && each.length >= near - near / 10)
      usual.push_back(each.length);
  return Sample(std::move(usual)).median();
}

void take_answers(const ObservedUse& use, const ObservedFacts& facts, Estimate& out) {
  out.answers_are_ways = !use.ways.empty();
  // What an observer asks all the time tells more than its first looks alone.
  out.answers = Sample(out.answers_are_ways         ? use.ways
                       : !facts.round_trips.empty() ? facts.round_trips
                                                    : use.round_trips);
  if (out.answers.empty()) return;
  out.latency = out.answers_are_ways ? fitted_way(out.answers) : fitted_half(out.answers);
}

// How ttl and transition share a lease of that length, by the best that is known of it. Of one that was met in the
// middle no more than its transition may have been left, which says nothing of how it began.
void take_split(const ObservedUse& use, const ObservedFacts& facts, Duration length, EstimatedLease& lease) {
  // Else no renewal would come in time, or no ttl is left.
  const Duration least = rounded_up(length / 50, milliseconds(1)) + milliseconds(5), most = length - kShortest / 2;
  lease.transition = length * 6 / 16 / milliseconds(1) * milliseconds(1);
  const Duration kept = rounded_up(facts.transition.value_or(Duration::zero()), milliseconds(1));
  if (kept > most && lease.lease == LeaseKnown::kInTheMiddle) {
    lease.not_taken = kept;
  } else if (kept > Duration::zero()) {
    lease.split = SplitKnown::kByStore;
    lease.transition = kept;
  }
  const std::vector<Interval> all = intervals_of(use, length);
  if (lease.split == SplitKnown::kNot && !all.empty()) {
    const Duration usual = usual_of(all);
    const Duration ttl = nearest(usual, step_of(usual));
    if (ttl < length) {
      lease.split = SplitKnown::kByRenewals;
      lease.transition = length - ttl;
    }
  }
  const Duration wanted = lease.transition;
  lease.transition = std::clamp(wanted, least, most);
  lease.bounded = lease.transition != wanted;
}

void take_lease(const ObservedUse& use, const ObservedFacts& facts, Estimate& out) {
  const Leases seen = leases_of(use);
  EstimatedLease& lease = out.lease;
  lease = {kTtl, kTransition, LeaseKnown::kNot, SplitKnown::kNot, seen.count};
  const Duration whole = std::max(seen.whole, facts.longest.value_or(Duration::zero()));
  if (std::max(whole, seen.middle) <= Duration::zero()) return;
  const Duration length = whole_lease(std::max(whole, seen.middle));
  lease.lease = whole > Duration::zero() ? LeaseKnown::kWhole : LeaseKnown::kInTheMiddle;
  lease.leases = std::max<std::size_t>(seen.count, 1);
  take_split(use, facts, length, lease);
  lease.ttl = length - lease.transition;
}

// A second renewal may have been unseen before the one that was seen, unless there was no time for it, or the look
// before was after the first was due.
void take_renewals(const ObservedUse& use, Estimate& out) {
  if (out.lease.lease == LeaseKnown::kNot) return;
  const Duration length = out.lease.ttl + out.lease.transition;
  const std::vector<Interval> all = intervals_of(use, length);
  if (all.empty()) return;
  const Duration usual = usual_of(all);
  out.late = std::max({kLeastLate, usual / kDrift, out.latency ? 3 * out.latency->p99 : Duration::zero()});
  std::vector<Duration> sure, pauses;
  for (const Interval& each : all) {
    const TrueTime due = each.begin + usual;
    const bool alone = each.length < 2 * usual - out.late || each.lo >= due + out.late;
    if (!alone || each.length > length + out.late) {
      ++out.unsure;
      continue;
    }
    sure.push_back(each.length);
    if (each.length <= usual + out.late) continue;
    out.pauses.push_back({std::max(due, use.from), each.length - usual});
    pauses.push_back(each.length - usual);
  }
  std::sort(out.pauses.begin(), out.pauses.end(),
            [](const ObservedPause& a, const ObservedPause& b) { return a.at < b.at; });
  out.renewals = Sample(std::move(sure));
  out.pause_lengths = Sample(std::move(pauses));
}

// Bounds are told by when it was known, as lengths are then at most so wrong as one of them is wide.
void take_terms(const ObservedUse& use, Estimate& out) {
  std::vector<Duration> holding, gaps;
  for (std::size_t i = 0; i < use.terms.size(); ++i) {
    const SeenTerm& term = use.terms[i];
    const SeenTerm* const next = i + 1 < use.terms.size() ? &use.terms[i + 1] : nullptr;
    out.ran_out += term.end == SeenTerm::End::kRanOut;
    out.handoffs += next != nullptr && next->owner != term.owner && !use.shared;
    if (term.end != SeenTerm::End::kReleased) continue;
    const bool seen_on = next != nullptr && !next->met && next->granted.hi >= term.end_hi && !next->granted.after_gap;
    out.released.push_back(term.end_hi);
    out.granted.push_back(seen_on ? next->granted.hi : TrueTime::max());
    if (!term.met && term.end_hi > term.granted.hi) holding.push_back(term.end_hi - term.granted.hi);
    if (seen_on) gaps.push_back(next->granted.hi - term.end_hi);
  }
  out.holding = Sample(std::move(holding));
  out.gaps = Sample(std::move(gaps));
}

}  // namespace

Estimate estimate(const ObservedUse& use, const ObservedFacts& facts) {
  Estimate out;
  out.by = use.by;
  out.from = use.from;
  out.length = use.to - use.from;
  out.shared = use.shared;
  out.named = use.contenders;
  const std::size_t holds = !use.terms.empty() && use.terms.back().end == SeenTerm::End::kLasts;
  out.contenders = std::max(use.contenders.size() + (use.somebody ? 1 : 0), facts.waiters + holds);
  take_answers(use, facts, out);
  take_lease(use, facts, out);
  take_renewals(use, out);
  take_terms(use, out);
  return out;
}

}  // namespace leasescope
