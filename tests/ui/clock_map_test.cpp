// Where a chart by somebody's clock has the moments of a run, and back.
#include <random>

#include "tests/support/suite.h"
#include "ui/timeline/paint/clock_map.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

constexpr Duration kRoom = 60s;

// Wherever they lie: no moment has a place before an earlier one's, and the way back leads to the first one there.
void there_and_back(const ClockMap& map, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000; ++i) {
    const TrueTime at(Duration(static_cast<std::int64_t>(random() % 70'000'000'000) - 5'000'000'000));
    const TrueTime place = map.to_clock(at), first = map.to_observer(place);
    QVERIFY(map.to_clock(at - Duration(1)) <= place);
    QVERIFY(first <= at);
    QVERIFY(map.to_clock(first) == place);
    QVERIFY(map.to_clock(first - Duration(1)) < place);
    const TrueTime anywhere(Duration(static_cast<std::int64_t>(random() % 90'000'000'000) - 5'000'000'000));
    const TrueTime next = map.to_observer(anywhere);
    QVERIFY(map.to_clock(next) >= anywhere);
    QVERIFY(map.to_clock(next - Duration(1)) < anywhere);
  }
}

}  // namespace

class ClockMapTest : public QObject {
  Q_OBJECT
 private slots:
  void aMereOffsetMovesNothing() {
    OffsetCourse course;
    course.change(TrueTime{}, 120s, 0);
    const ClockMap map(course, kRoom);
    QVERIFY(map.is_plain());
    QVERIFY(map.to_clock(TrueTime(7s)) == TrueTime(7s));
    QVERIFY(map.to_observer(TrueTime(7s)) == TrueTime(7s));
  }
  void byAFastClockASecondIsLonger() {
    OffsetCourse course;
    course.change(TrueTime(10s), 0s, 100'000);
    const ClockMap map(course, kRoom);
    QVERIFY(!map.is_plain() && map.seams().empty());
    QVERIFY(map.to_clock(TrueTime(10s)) - map.to_clock(TrueTime(9s)) == 1s);
    QVERIFY(map.to_clock(TrueTime(21s)) - map.to_clock(TrueTime(20s)) == 1100ms);
    QVERIFY(map.to_observer(TrueTime(21s)) == TrueTime(20s));
    QVERIFY(map.least_of(1100ms) == 1s);
    there_and_back(map, 1);
  }
  // What was set before the run began is no step of it, and the run's begin is where it was.
  void placesAreAsFarApartAsReadings() {
    OffsetCourse course;
    course.change(TrueTime{}, -3s, -200'000);
    course.change(TrueTime(20s), 0s, 333'333);
    const ClockMap map(course, kRoom);
    QVERIFY(map.seams().empty());
    QVERIFY(map.to_clock(TrueTime{}) == TrueTime{});
    for (const Duration at : {Duration(1ns), Duration(17s), Duration(20s), Duration(59'123'456'789ns)})
      QVERIFY(map.to_clock(TrueTime(at)) - TrueTime{} == course.reading(TrueTime(at)) - course.reading(TrueTime{}));
    there_and_back(map, 2);
  }
  void aStepForwardLeavesAGap() {
    OffsetCourse course;
    course.change(TrueTime(15s), 5s, 0);
    const ClockMap map(course, kRoom);
    QCOMPARE(map.seams().size(), std::size_t{1});
    const ClockSeam& seam = map.seams().front();
    QVERIFY(seam.at == TrueTime(15s) && seam.by == 5s && seam.gap == 5s && seam.place == TrueTime(20s));
    QVERIFY(!seam.is_back() && !seam.is_cut());
    QVERIFY(map.to_clock(TrueTime(15s) - Duration(1)) == TrueTime(15s) - Duration(1));
    QVERIFY(map.to_observer(TrueTime(17s)) == TrueTime(15s));
    QVERIFY(map.seams(TrueTime(15s), TrueTime(16s)).size() == 1);
    QVERIFY(map.seams(TrueTime(15s) + Duration(1), TrueTime(60s)).empty());
    QVERIFY(map.seams(TrueTime{}, TrueTime(15s)).empty());
    there_and_back(map, 3);
  }
  // The chart never goes back: the same reading stands there twice.
  void aStepBackLeavesNone() {
    OffsetCourse course;
    course.change(TrueTime(20s), -5s, 50'000);
    const ClockMap map(course, kRoom);
    QCOMPARE(map.seams().size(), std::size_t{1});
    const ClockSeam& seam = map.seams().front();
    QVERIFY(seam.is_back() && !seam.is_cut() && seam.gap == 0s && seam.place == TrueTime(20s));
    QVERIFY(map.to_clock(TrueTime(30s)) == TrueTime(30'500ms));
    there_and_back(map, 4);
  }
  // A clock that is set by decades would leave the run less than a pixel.
  void gapsLeaveTheRunItsRoom() {
    OffsetCourse course;
    course.change(TrueTime(10s), std::chrono::hours(24 * 365 * 30), 0);
    const ClockMap map(course, kRoom);
    QVERIFY(map.seams().front().is_cut() && map.seams().front().gap == kRoom / 4);
    OffsetCourse often;
    for (int i = 1; i < 1000; ++i) often.change(TrueTime(i * 50ms), i % 2 == 0 ? 2s : -2s, 0);
    const ClockMap strobe(often, kRoom);
    QCOMPARE(strobe.seams().size(), std::size_t{999});
    QVERIFY(strobe.to_clock(TrueTime(60s)) <= TrueTime(60s + kRoom));
    there_and_back(strobe, 5);
  }
  void twoStepsAtOneMomentAreOne() {
    OffsetCourse course;
    course.change(TrueTime(10s), 3s, 0);
    course.change(TrueTime(10s), -1s, 100);
    QCOMPARE(ClockMap(course, kRoom).seams().size(), std::size_t{1});
    QVERIFY(ClockMap(course, kRoom).seams().front().by == 2s);
    course.change(TrueTime(10s), -2s, 0);
    QVERIFY(ClockMap(course, kRoom).seams().empty());
  }
  // By a clock that stands nothing takes time: all that happens meanwhile has one place.
  void whileItStandsAllIsAtOnce() {
    OffsetCourse course;
    course.change(TrueTime(12s), 0s, -1'000'000);
    course.change(TrueTime(21s), 0s, 1'000'000);
    const ClockMap map(course, kRoom);
    QVERIFY(map.to_clock(TrueTime(13s)) == TrueTime(12s) && map.to_clock(TrueTime(21s)) == TrueTime(12s));
    QVERIFY(map.to_clock(TrueTime(22s)) == TrueTime(13s));
    QVERIFY(map.to_observer(TrueTime(12s)) == TrueTime(12s));
    QVERIFY(map.to_observer(TrueTime(12s) + Duration(1)) == TrueTime(21s) + Duration(1));
    there_and_back(map, 6);
  }
  // Of a file: no sum of what it says goes beyond what can be counted.
  void whateverAFileSaysHasAPlace() {
    OffsetCourse course;
    course.change(TrueTime(1s), Duration::max(), 1'000'000);
    course.change(TrueTime(2s), Duration::min() + Duration(1), -3'000'000);
    course.change(TrueTime(std::chrono::hours(24 * 365 * 80)), 1s, 5);
    const ClockMap map(course, Duration::max());
    QVERIFY(map.to_clock(TrueTime::max()) >= map.to_clock(TrueTime(2s)));
    QVERIFY(map.to_clock(TrueTime::min()) <= map.to_clock(TrueTime{}));
  }
};

LEASESCOPE_SUITE(ClockMapTest)
#include "clock_map_test.moc"
