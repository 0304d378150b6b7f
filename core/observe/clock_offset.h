// By how much a store's clock is ahead of ours, from answers that say what it showed: as NTP does, by the best of the
// last ones.
#pragma once
#include <deque>
#include <optional>

#include "core/time/clock.h"

namespace leasescope {

// * The store read its clock at some moment between the question and the answer: so half of the round trip is how far
//   off the middle may be, and that is proved, however lopsided the way there and back is.
// * Clocks go apart by 1/2000 at most, so that what is older is less exact by so much. The answer with the least bound
//   counts, of the last eight.
// * Where a new answer contradicts an older one somebody has set the store's clock: the older ones are forgotten.
// Ours is the loop's clock, which nobody sets; whoever wants to know how far the store's is ahead of this machine's
// wall clock subtracts what that showed when ours was zero.
class ClockOffset {
 public:
  static constexpr std::size_t kAnswers = 8;  // of late
  static constexpr std::int64_t kDrift = 2'000;
  // What shows less or more since 1970 is no clock, and is not to be taken: the year is 2223, and as nanoseconds it
  // fits.
  static constexpr std::int64_t kMostSeconds = 8'000'000'000;

  struct Estimate {
    Duration at_zero{};  // since 1970, by the store's clock, when ours was zero
    Duration bound{};    // it is off by so much at most
    Duration age{};      // of the answer that it is from
  };

  // It was asked and answered then by our clock, and showed `shown` since 1970, rounded down by `grain` at most. An
  // answer before its question is none.
  void take(TrueTime asked, TrueTime answered, Duration shown, Duration grain);
  // As it is known at that moment, which is not before the last answer; none: no answer has said what its clock shows.
  std::optional<Estimate> best(TrueTime now) const;

 private:
  struct Answer {
    Duration at_zero{}, bound{};
    TrueTime answered{};
  };
  static Duration bound_of(const Answer& of, TrueTime now);

  std::deque<Answer> answers_;
};

}  // namespace leasescope
