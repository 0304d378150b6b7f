#include "core/observe/clock_offset.h"

#include <algorithm>

namespace leasescope {

Duration ClockOffset::bound_of(const Answer& of, TrueTime now) { return of.bound + (now - of.answered) / kDrift; }

void ClockOffset::take(TrueTime asked, TrueTime answered, Duration shown, Duration grain) {
  if (answered < asked) return;
  const Duration round_trip = answered - asked;
  const Answer now{shown + grain / 2 - (asked.time_since_epoch() + round_trip / 2), (round_trip + grain) / 2, answered};
  const auto contradicts = [&](const Answer& older) {
    const Duration apart = now.at_zero - older.at_zero;
    return (apart < Duration::zero() ? -apart : apart) > now.bound + bound_of(older, answered);
  };
  answers_.erase(std::remove_if(answers_.begin(), answers_.end(), contradicts), answers_.end());
  answers_.push_back(now);
  if (answers_.size() > kAnswers) answers_.pop_front();
}

std::optional<ClockOffset::Estimate> ClockOffset::best(TrueTime now) const {
  if (answers_.empty()) return std::nullopt;
  const auto best = std::min_element(answers_.begin(), answers_.end(), [&](const Answer& a, const Answer& b) {
    return bound_of(a, now) < bound_of(b, now);
  });
  return Estimate{best->at_zero, bound_of(*best, now), now - best->answered};
}

}  // namespace leasescope
