#include "core/time/skewed_clock.h"

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

class SkewedClockTest : public QObject {
  Q_OBJECT
 private slots:
  void aClockWithoutSkewShowsTrueTime();
  void anOffsetShiftsEveryReading();
  void aFastClockGainsItsRate();
  void aSlowClockLosesItsRate();
  void aTimerIsNeverEarlyAndLateByOneReadingAtMost();
  void aReadingFromBeforeTheLastPieceIsNotEarlyEither();
  void aStepMovesTheReadingAtOnceAndNothingElse();
  void aNewRateGoesOnFromTheReadingReached();
  void longRunsDoNotOverflow();
  void theSlowestClockTakesTwiceAsLong();
  void theTwoClocksOfAContenderAreApart();
  void whatDiffersIsToldOnceWhereBothDifferAlike();
};

namespace {

using Wall = SkewedClock<WallTime>;

TrueTime at(Duration d) { return TrueTime(d); }
WallTime wall(Duration d) { return WallTime(d); }

}  // namespace

void SkewedClockTest::aClockWithoutSkewShowsTrueTime() {
  const Wall clock;
  for (const Duration t : {Duration(0), Duration(1), Duration(1h)}) {
    QCOMPARE(clock.at(at(t)), wall(t));
    QCOMPARE(clock.when(wall(t)), at(t));
  }
}

void SkewedClockTest::anOffsetShiftsEveryReading() {
  const Wall ahead(300ms, 0);
  QCOMPARE(ahead.at(at(0s)), wall(300ms));
  QCOMPARE(ahead.at(at(10s)), wall(10300ms));
  QCOMPARE(ahead.when(wall(10300ms)), at(10s));
}

void SkewedClockTest::aFastClockGainsItsRate() {
  const Wall fast(0s, 100);
  QCOMPARE(fast.at(at(10s)), wall(10s + 1ms));
  QCOMPARE(fast.when(wall(10s + 1ms)), at(10s));
}

void SkewedClockTest::aSlowClockLosesItsRate() {
  const Wall slow(0s, -500);
  QCOMPARE(slow.at(at(10s)), wall(10s - 5ms));
  // Ten seconds on the slow clock are longer than ten true ones.
  QVERIFY(slow.when(wall(10s)) > at(10s + 5ms));
}

void SkewedClockTest::aTimerIsNeverEarlyAndLateByOneReadingAtMost() {
  for (const std::int32_t ppm : {-200'000, -999, -1, 1, 7, 20, 333, 100'000}) {
    const Wall clock(123ms, ppm);
    for (std::int64_t ns = 1; ns < 20'000'000'000; ns = ns * 7 + 3) {
      const WallTime reading = wall(123ms + Duration(ns));
      const TrueTime due = clock.when(reading);
      QVERIFY(clock.at(due) >= reading);
      QVERIFY(clock.at(due - 1ns) < reading);
    }
  }
}

void SkewedClockTest::aReadingFromBeforeTheLastPieceIsNotEarlyEither() {
  const Wall clock(0s, 250);
  const WallTime reading = wall(-3s);
  const TrueTime due = clock.when(reading);
  QVERIFY(clock.at(due) >= reading);
  QVERIFY(clock.at(due - 2ns) < reading);
}

void SkewedClockTest::aStepMovesTheReadingAtOnceAndNothingElse() {
  Wall clock(0s, 0);
  clock.step(at(5s), -2s);
  QCOMPARE(clock.at(at(5s)), wall(3s));
  QCOMPARE(clock.at(at(6s)), wall(4s));
  QCOMPARE(clock.when(wall(4s)), at(6s));
  clock.step(at(6s), 10s);
  QCOMPARE(clock.at(at(6s)), wall(14s));
}

void SkewedClockTest::aNewRateGoesOnFromTheReadingReached() {
  Wall clock(0s, 1000);
  clock.set_rate(at(10s), -1000);
  QCOMPARE(clock.ppm(), -1000);
  QCOMPARE(clock.at(at(10s)), wall(10010ms));
  QCOMPARE(clock.at(at(20s)), wall(20s));
}

void SkewedClockTest::longRunsDoNotOverflow() {
  const Wall clock(0s, 500);
  const Duration decade = 24h * 365 * 10;
  const WallTime reading = clock.at(at(decade));
  QCOMPARE(reading, wall(decade + decade / 2000));
  QVERIFY(clock.when(reading) <= at(decade));
  QVERIFY(clock.at(clock.when(reading)) >= reading);
}

void SkewedClockTest::theSlowestClockTakesTwiceAsLong() {
  const Duration decade = 24h * 365 * 10;
  const Wall slowest(-1h, kSlowestPpm);
  QCOMPARE(slowest.at(at(decade)), wall(decade / 2 - 1h));
  QCOMPARE(slowest.when(wall(decade / 2 - 1h)), at(decade));
  QCOMPARE(slowest.when(wall(-1h)), at(0s));
  QCOMPARE(slowest.when(wall(-1h + 1ns)), at(2ns));
}

void SkewedClockTest::theTwoClocksOfAContenderAreApart() {
  ContenderClock clock{SkewedClock<WallTime>(1s, 0), SkewedClock<SteadyTime>(0s, 0)};
  clock.wall.step(at(2s), 60s);
  const Clocks now = clock.at(at(3s));
  QCOMPARE(now.wall, wall(64s));
  QCOMPARE(now.steady, SteadyTime(3s));
}

void SkewedClockTest::whatDiffersIsToldOnceWhereBothDifferAlike() {
  using Told = std::vector<std::tuple<ClockOf, Duration, std::int64_t>>;
  const auto told = [](const ContenderClock& before, const ContenderClock& after) {
    Told out;
    each_difference(before, after, at(10s),
                    [&](ClockOf which, Duration by, std::int64_t ppm) { out.emplace_back(which, by, ppm); });
    return out;
  };
  const auto clock = [](Duration offset, std::int32_t wall, std::int32_t steady) {
    return ContenderClock{SkewedClock<WallTime>(offset, wall), SkewedClock<SteadyTime>(0s, steady)};
  };
  QVERIFY(told(clock(1s, 20, 20), clock(1s, 20, 20)).empty());
  ContenderClock both;
  both.wall.set_rate(at(10s), 50);
  both.steady.set_rate(at(10s), 50);
  QVERIFY(told({}, both) == (Told{{ClockOf::kBoth, 0s, 50}}));
  QVERIFY(told({}, clock(3s, 0, 0)) == (Told{{ClockOf::kWall, 3s, 0}}));
  QVERIFY(told({}, clock(3s, 0, -7)) == (Told{{ClockOf::kWall, 3s, 0}, {ClockOf::kSteady, 0s, -7}}));
}

LEASESCOPE_SUITE(SkewedClockTest)
#include "skewed_clock_test.moc"
