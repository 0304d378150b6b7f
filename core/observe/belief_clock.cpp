#include "core/observe/belief_clock.h"

#include <algorithm>

namespace leasescope {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// A moment of its clock is rounded down to a millisecond.
std::int64_t apart(std::int64_t ms, TrueTime ours) { return ours.time_since_epoch().count() - ms * kMs; }

}  // namespace

void BeliefClock::heard(std::int64_t sent_ms, TrueTime arrived) {
  const std::int64_t found = apart(sent_ms, arrived);
  const auto before = offset(arrived);
  late_ = before && found > before->most + kLate.count() ? late_ + 1 : 0;
  heard_.push_back({found, arrived});
  if (late_ >= kLateOnes) {
    heard_.erase(heard_.begin(), heard_.end() - kLateOnes);
    least_.reset();
    late_ = 0;
  }
  if (heard_.size() > kMessages) heard_.pop_front();
  // It was sent before what it is said to follow: the clock has been set forward since, and that bound is of before.
  if (least_ && least_->apart - widened(*least_, arrived) > most(arrived)) least_.reset();
}

std::int64_t BeliefClock::most(TrueTime now) const {
  std::int64_t out = INT64_MAX;
  for (const Sample& each : heard_) out = std::min(out, each.apart + widened(each, now));
  return out;
}

void BeliefClock::was_sent_after(std::int64_t sent_ms, TrueTime earliest) {
  const Sample found{apart(sent_ms + 1, earliest), earliest};
  if (!least_ || found.apart >= least_->apart - widened(*least_, earliest)) least_ = found;
}

std::optional<BeliefClock::Offset> BeliefClock::offset(TrueTime now) const {
  if (heard_.empty()) return {};
  Offset out;
  out.most = most(now);
  out.least = out.most - kLongestQuickest.count();
  if (!least_) return out;
  const std::int64_t least = least_->apart - widened(*least_, now);
  // What contradicts itself proves nothing: one of the clocks has been set.
  if (least > out.most) return out;
  out.proved = least >= out.least;
  out.least = std::max(out.least, least);
  return out;
}

BeliefClock::Bounds BeliefClock::moment(std::int64_t ms, TrueTime now) const {
  const auto by = offset(now);
  if (!by) return {now, now};
  return {TrueTime(Duration(ms * kMs + by->least)), TrueTime(Duration((ms + 1) * kMs + by->most))};
}

}  // namespace leasescope
