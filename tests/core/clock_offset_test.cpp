// How far a store's clock is ahead of ours, by what its answers show.
#include "core/observe/clock_offset.h"

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

TrueTime at(Duration since) { return TrueTime(since); }

}  // namespace

class ClockOffsetTest : public QObject {
  Q_OBJECT

 private slots:
  void nothingIsKnownBeforeAnAnswer() { QVERIFY(!ClockOffset().best(at(1s))); }
  void halfOfTheRoundTripIsTheBound() {
    ClockOffset of;
    of.take(at(10s), at(10s + 8ms), 1'000s, 0ms);
    const auto best = of.best(at(10s + 8ms));
    QVERIFY(best);
    QCOMPARE(best->at_zero, Duration(990s - 4ms));
    QCOMPARE(best->bound, Duration(4ms));
    QCOMPARE(best->age, Duration(0));
  }
  // However lopsided the ways are: what is so lies within the bounds.
  void whatIsSoLiesWithinTheBounds() {
    for (const Duration there : {0ms, 3ms, 10ms}) {
      ClockOffset of;
      of.take(at(1s), at(1s + 10ms), 500s + 1s + there, 0ms);  // it is 500 s ahead
      const auto best = of.best(at(1s + 10ms));
      QVERIFY(best && best->at_zero - best->bound <= 500s && 500s <= best->at_zero + best->bound);
    }
  }
  void whatIsRoundedDownIsLessExact() {
    ClockOffset of;
    of.take(at(1s), at(1s + 2ms), 501s, 1ms);
    const auto best = of.best(at(1s + 2ms));
    QCOMPARE(best->at_zero, Duration(500s - 1ms + 500us));
    QCOMPARE(best->bound, Duration(1500us));
  }
  void theBestOfTheLastCountsUntilItIsTooOld() {
    ClockOffset of;
    of.take(at(1s), at(1s + 1ms), 501s, 0ms);
    of.take(at(2s), at(2s + 40ms), 502s + 20ms, 0ms);
    QCOMPARE(of.best(at(3s))->at_zero, Duration(500s - 500us));
    QVERIFY(of.best(at(3s))->bound < 2ms && of.best(at(3s))->age == 3s - 1001ms);
    for (int i = 0; i < 7; ++i) of.take(at(4s), at(4s + 40ms), 504s + 20ms, 0ms);
    QCOMPARE(of.best(at(5s))->at_zero, Duration(500s));  // eight others have come since
  }
  // Clocks go apart: an hour later even a slow answer says more than the quick one of then.
  void whatIsOldIsLessExact() {
    ClockOffset of;
    of.take(at(0s), at(1ms), 500s, 0ms);
    of.take(at(3600s), at(3600s + 100ms), 4100s + 50ms, 0ms);
    QCOMPARE(of.best(at(3601s))->at_zero, Duration(500s));
  }
  void aClockThatWasSetIsBelievedAtOnce() {
    for (const Duration by : {Duration(-5s), Duration(5s)}) {
      ClockOffset of;
      of.take(at(1s), at(1s + 1ms), 501s, 0ms);
      of.take(at(2s), at(2s + 40ms), 502s + by + 20ms, 0ms);
      QCOMPARE(of.best(at(3s))->at_zero, Duration(500s + by));
    }
  }
  void anAnswerBeforeItsQuestionIsNone() {
    ClockOffset of;
    of.take(at(2s), at(1s), 500s, 0ms);
    QVERIFY(!of.best(at(3s)));
  }
};

LEASESCOPE_SUITE(ClockOffsetTest)
#include "clock_offset_test.moc"
