#include "ui/timeline/paint/viewport.h"

#include <random>

#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// Viewports of any width, any place in a week, from a nanosecond a pixel to hours.
Viewport any_viewport(std::mt19937_64& random) {
  Viewport v;
  v.width = 20 + static_cast<int>(random() % 3000);
  const std::int64_t least = v.width;
  v.span = Duration(least + static_cast<std::int64_t>(random() % (std::uint64_t{1} << (8 + random() % 40))));
  v.from = TrueTime(Duration(static_cast<std::int64_t>(random() % 600'000'000'000'000) - 3'600'000'000'000));
  return v;
}

}  // namespace

class ViewportTest : public QObject {
  Q_OBJECT
 private slots:
  void aPixelKnowsItsFirstMoment() {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
      const Viewport v = any_viewport(random);
      const auto x = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(v.width));
      QCOMPARE(v.pixel(v.time(x)), x);
      QCOMPARE(v.pixel(v.time(x) - Duration(1)), x - 1);
    }
  }

  void zoomKeepsTheTimeUnderTheCursor() {
    std::mt19937_64 random(2);
    for (int i = 0; i < 20'000; ++i) {
      Viewport v = any_viewport(random);
      const auto x = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(v.width));
      const TrueTime under = v.time(x);
      for (int step = 0; step < 6; ++step) {
        v = v.zoomed(v.span * static_cast<std::int64_t>(1 + random() % 30) / 10, x, under);
        QVERIFY(std::abs(v.pixel(under) - x) <= 1);
        const TrueTime here = v.time(x);
        QCOMPARE(v.zoomed(v.span * 3 / 2, x).pixel(here), x);
      }
      QVERIFY(v.span.count() >= v.width);
    }
  }

  void aPanMovesEveryMomentByTheSameNumberOfPixels() {
    std::mt19937_64 random(3);
    for (int i = 0; i < 5'000; ++i) {
      const Viewport v = any_viewport(random);
      const auto dx = static_cast<std::int64_t>(random() % 4000) - 2000;
      const Viewport moved = v.panned(dx);
      for (int k = 0; k < 5; ++k) {
        const TrueTime t =
            v.from + Duration(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(v.span.count())));
        QCOMPARE(v.pixel(t) - moved.pixel(t), dx);
      }
      QCOMPARE((v.phase(48) - moved.phase(48) - dx) % 48, 0);
    }
  }

  void aFitShowsBothEnds() {
    const Viewport v = Viewport::fitting(TrueTime(std::chrono::seconds(9)), TrueTime(std::chrono::seconds(32)), 733);
    QCOMPARE(v.pixel(TrueTime(std::chrono::seconds(9))), 0);
    QCOMPARE(v.pixel(TrueTime(std::chrono::seconds(32))), 733);
    QVERIFY(Viewport::fitting(TrueTime{}, TrueTime{}, 500).span.count() >= 500);
  }

  void ticksAreOneTwoOrFiveTimesAPowerOfTen() {
    std::mt19937_64 random(4);
    for (int i = 0; i < 2'000; ++i) {
      const Viewport v = any_viewport(random);
      const Ticks ticks = Ticks::for_viewport(v, 60);
      std::int64_t digit = ticks.major.count();
      while (digit % 10 == 0) digit /= 10;
      QVERIFY(digit == 1 || digit == 2 || digit == 5);
      QVERIFY(v.pixels(ticks.major) >= 60);
      QCOMPARE(ticks.major % ticks.minor, Duration{});
      const TrueTime first = Ticks::first(v.from, ticks.major);
      QVERIFY(first >= v.from && first - v.from < ticks.major);
      QCOMPARE(first.time_since_epoch() % ticks.major, Duration{});
    }
  }
};

LEASESCOPE_SUITE(ViewportTest)
#include "viewport_test.moc"
