#include "core/time/skewed_clock.h"

#include <rapidcheck.h>

#include "tests/support/suite.h"

using namespace leasescope;

class SkewedClockProperties : public QObject {
  Q_OBJECT
 private slots:
  void aTimerIsDueAtTheFirstMomentItsReadingIsShown();
  void aClockWithoutStepsNeverRunsBackwards();
  void aStepShiftsAllLaterReadingsAlike();
};

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// A clock with a past: rates and steps in order of time. Ends at `now`, in its last piece.
struct Lived {
  SkewedClock<WallTime> clock;
  TrueTime now{};
};

Lived lived(bool steps) {
  Lived out;
  out.clock = SkewedClock<WallTime>(Duration(*rc::gen::inRange<std::int64_t>(-5 * kSecond, 5 * kSecond)),
                                    *rc::gen::inRange(kSlowestPpm, 500'001));
  for (int pieces = *rc::gen::inRange(0, 6); pieces > 0; --pieces) {
    out.now += Duration(*rc::gen::inRange<std::int64_t>(0, 1000 * kSecond));
    if (steps && *rc::gen::arbitrary<bool>())
      out.clock.step(out.now, Duration(*rc::gen::inRange<std::int64_t>(-100 * kSecond, 100 * kSecond)));
    else
      out.clock.set_rate(out.now, *rc::gen::inRange(kSlowestPpm, 500'001));
  }
  return out;
}

}  // namespace

void SkewedClockProperties::aTimerIsDueAtTheFirstMomentItsReadingIsShown() {
  QVERIFY(rc::check("at(when(r)) >= r > at(when(r) - 1 ns)", [] {
    const Lived lately = lived(true);
    const WallTime reading =
        lately.clock.at(lately.now) + Duration(*rc::gen::inRange<std::int64_t>(0, 100'000 * kSecond));
    const TrueTime due = lately.clock.when(reading);
    RC_ASSERT(due >= lately.now);
    RC_ASSERT(lately.clock.at(due) >= reading);
    RC_ASSERT(lately.clock.at(due - Duration(1)) < reading);
  }));
}

void SkewedClockProperties::aClockWithoutStepsNeverRunsBackwards() {
  QVERIFY(rc::check("a <= b => at(a) <= at(b), over changes of rate too", [] {
    Lived lately = lived(false);
    WallTime shown = lately.clock.at(lately.now);
    for (int i = 0; i < 20; ++i) {
      lately.now += Duration(*rc::gen::inRange<std::int64_t>(0, 3 * kSecond));
      if (*rc::gen::arbitrary<bool>()) lately.clock.set_rate(lately.now, *rc::gen::inRange(kSlowestPpm, 500'001));
      RC_ASSERT(lately.clock.at(lately.now) >= shown);
      shown = lately.clock.at(lately.now);
    }
  }));
}

void SkewedClockProperties::aStepShiftsAllLaterReadingsAlike() {
  QVERIFY(rc::check("stepped.at(t) - at(t) == step, give or take the rounding of a new piece", [] {
    Lived lately = lived(true);
    SkewedClock<WallTime> stepped = lately.clock;
    const Duration by(*rc::gen::inRange<std::int64_t>(-1000 * kSecond, 1000 * kSecond));
    stepped.step(lately.now, by);
    const TrueTime later = lately.now + Duration(*rc::gen::inRange<std::int64_t>(0, 1000 * kSecond));
    const Duration shift = stepped.at(later) - lately.clock.at(later);
    RC_ASSERT(shift - by <= Duration(1));
    RC_ASSERT(by - shift <= Duration(1));
  }));
}

LEASESCOPE_SUITE(SkewedClockProperties)
#include "skewed_clock_test.moc"
