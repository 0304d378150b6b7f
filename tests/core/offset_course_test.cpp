// What a clock that is off shows, and when it comes to show whole times.
#include "core/history/offset_course.h"

#include "core/base/random_stream.h"
#include "core/time/skewed_clock.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

TrueTime at(Duration since) { return TrueTime(since); }

std::vector<TrueTime> wholes(const OffsetCourse& course, TrueTime from, TrueTime to, Duration step) {
  std::vector<TrueTime> out;
  for (TrueTime t = course.next_whole(from, step); t < to; t = course.next_whole(t, step)) out.push_back(t);
  return out;
}

}  // namespace

class OffsetCourseTest : public QObject {
  Q_OBJECT
 private slots:
  void aClockThatIsRightShowsTheTime() {
    const OffsetCourse right;
    QVERIFY(right.reading(at(7s)) == at(7s));
    QVERIFY(wholes(right, at(0s), at(4s), 1s) == (std::vector{at(1s), at(2s), at(3s)}));
    QVERIFY(wholes(right, at(-2500ms), at(1s), 1s) == (std::vector{at(-2s), at(-1s), at(0s)}));
  }
  // The very clocks of the worlds: what they show is what the course says that they show.
  void itShowsWhatTheClockOfAContenderShows() {
    RandomStream draws(7, "clock", "changes");
    SkewedClock<WallTime> clock;
    OffsetCourse course;
    TrueTime now{};
    for (int i = 0; i < 200; ++i) {
      now += Duration(1 + draws.next() % 3'000'000'000);
      const SkewedClock<WallTime> before = clock;
      const Duration by(static_cast<std::int64_t>(draws.next() % 20'000'000'000) - 10'000'000'000);
      const auto ppm = static_cast<std::int32_t>(draws.next() % 1'000'000) - 500'000;
      clock.step(now, by);
      clock.set_rate(now, ppm);
      course.change(now, by, ppm - before.ppm());
      const TrueTime later = now + Duration(draws.next() % 1'000'000'000);
      const std::int64_t apart =
          (clock.at(later).time_since_epoch() - course.reading(later).time_since_epoch()).count();
      QVERIFY2(std::abs(apart) <= i + 1, qPrintable(QString::number(apart)));  // each rounds once a change
    }
  }
  void aFastClocksSecondsAreShort() {
    OffsetCourse fast;
    fast.change(at(0s), 0s, 250'000);
    QVERIFY(wholes(fast, at(0s), at(3s), 1s) == (std::vector{at(800ms), at(1600ms), at(2400ms)}));
    QCOMPARE(fast.fastest(), std::int64_t{250'000});
  }
  void whatAClockIsSetOverItDoesNotComeToShow() {
    OffsetCourse ahead;
    ahead.change(at(1500ms), 3s, 0);  // from 1.5 to 4.5
    QVERIFY(wholes(ahead, at(0s), at(4s), 1s) == (std::vector{at(1s), at(2s), at(3s)}));
    QVERIFY(ahead.reading(at(2s)) == at(5s));
  }
  void aClockThatIsSetBackShowsSomeTimesTwice() {
    OffsetCourse back;
    back.change(at(2500ms), -2s, 0);  // from 2.5 to 0.5
    QVERIFY(wholes(back, at(0s), at(5s), 1s) == (std::vector{at(1s), at(2s), at(3s), at(4s)}));
    QVERIFY(back.reading(at(3s)) == at(1s) && back.reading(at(4s)) == at(2s));
  }
  void aClockThatIsSetToAWholeTimeShowsItThen() {
    OffsetCourse set;
    set.change(at(1500ms), 500ms, 0);
    QVERIFY(wholes(set, at(0s), at(3s), 1s) == (std::vector{at(1s), at(1500ms), at(2500ms)}));
  }
  void aClockThatIsOffFromTheBeginningWasSoBefore() {
    OffsetCourse ahead;
    ahead.change(at(0s), 120s, 0);
    QVERIFY(ahead.reading(at(-500ms)) == at(119'500ms));
    QVERIFY(wholes(ahead, at(-2500ms), at(1s), 1s) == (std::vector{at(-2s), at(-1s), at(0s)}));
  }
  void aClockThatStandsShowsNothingNew() {
    OffsetCourse stood;
    stood.change(at(2s), 0s, -1'000'000);
    stood.change(at(10s), 0s, 1'000'000);
    QVERIFY(wholes(stood, at(0s), at(12s), 1s) == (std::vector{at(1s), at(2s), at(11s)}));
    QVERIFY(!stood.is_set_at(0) && !stood.is_set_at(1));
    OffsetCourse stands;
    stands.change(at(2s), 0s, -1'000'000);
    QVERIFY(stands.next_whole(at(2s), 1s) == TrueTime::max());
  }
  void eachWholeMomentIsOneAndTheMomentBeforeIsNone() {
    RandomStream draws(11, "clock", "moments");
    for (int i = 0; i < 500; ++i) {
      OffsetCourse course;
      course.change(at(1s), Duration(static_cast<std::int64_t>(draws.next() % 2'000'000'000) - 1'000'000'000),
                    static_cast<std::int64_t>(draws.next() % 1'000'000) - 500'000);
      const Duration step = i % 2 == 0 ? Duration(1ms) : Duration(7'000'003);
      TrueTime before = at(1s);
      for (int tick = 0; tick < 20; ++tick) {
        const TrueTime t = course.next_whole(before, step);
        QVERIFY(t > before && course.is_whole(t, step));
        const std::int64_t passed = course.reading(t).time_since_epoch() / step;
        QVERIFY(course.reading(t - Duration(1)).time_since_epoch() < passed * step || passed < 0);
        before = t;
      }
    }
  }
  // A file may tell of anything.
  void noChangeOfAClockIsTooWild() {
    OffsetCourse wild;
    for (int i = 0; i < 10; ++i) {
      wild.change(at(Duration(i)), Duration(INT64_MAX), INT64_MAX);
      wild.change(at(Duration(i)), Duration(INT64_MIN), INT64_MIN);
      wild.change(at(Duration(i)), Duration(INT64_MAX), INT64_MAX);
    }
    QVERIFY(wild.off(at(1s)) > 24h * 365 * 49);
    QVERIFY(wild.fastest() <= 1'000'000);
    QVERIFY(wild.next_whole(at(1s), 1s) > at(1s));
    OffsetCourse crawls;
    crawls.change(at(0s), 0s, -999'999);
    QVERIFY(crawls.next_whole(at(1s), 24h * 365) == TrueTime::max());
  }
};

LEASESCOPE_SUITE(OffsetCourseTest)
#include "offset_course_test.moc"
