// What the ruler counts: seconds of the run, or a clock on the wall.
#include <ctime>

#include <QImage>
#include <QTimeZone>

#include "tests/support/ink_recorder.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/gc_pause_history.h"
#include "ui/timeline/paint/axis.h"
#include "ui/timeline/paint/painter.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

Axis utc(const QDateTime& begin) { return {Counts::kUtc, begin.toMSecsSinceEpoch() * 1'000'000}; }
Axis by(const char* letter, const OffsetCourse& course) {
  Axis axis{Counts::kContender, 0, std::make_shared<ShownClock>(ShownClock{QString::fromLatin1(letter), course})};
  return axis;
}
QDateTime at(const char* text) { return QDateTime::fromString(QString::fromLatin1(text), Qt::ISODateWithMs); }

// The texts of the ticks of a step, from left to right.
QStringList ticks_of(const Axis& axis, Duration span, int width = 900, int label = 80) {
  const Viewport shown{TrueTime{}, span, width};
  const Ticks ticks = axis.ticks(shown, label);
  QStringList out;
  for (TrueTime t = axis.first(shown.from, ticks.minor, shown.from); t < shown.to(); t = axis.next(t, ticks.minor))
    if (axis.is_at(t, ticks.major, shown.from)) out << axis.tickText(t, ticks.decimals);
  return out;
}

}  // namespace

class AxisTest : public UiSuite {
  Q_OBJECT
 private slots:
  void aRunCountsItsSeconds() {
    const Axis axis;
    QCOMPARE(axis.text(TrueTime(17'189ms)), QStringLiteral("17.189 s"));
    QCOMPARE(axis.rangeText(TrueTime(17'189ms), TrueTime(21s)), QStringLiteral("17.189 – 21.000 s"));
    QCOMPARE(axis.tickText(TrueTime(2s), 3), QStringLiteral("2.000"));
  }
  void aClocksTicksAreWholeByTheClockAndNotByTheRun() {
    const Axis axis = utc(at("2026-11-28T03:12:07.250Z"));
    QCOMPARE(axis.text(TrueTime{}), QStringLiteral("03:12:07.250"));
    QCOMPARE(axis.text(TrueTime(749'999'999ns)), QStringLiteral("03:12:07.999"));
    QCOMPARE(ticks_of(axis, 10s), QStringList({"03:12:08", "03:12:09", "03:12:10", "03:12:11", "03:12:12", "03:12:13",
                                               "03:12:14", "03:12:15", "03:12:16", "03:12:17"}));
    QCOMPARE(ticks_of(axis, 100s).first(), QStringLiteral("03:12:10"));
    QCOMPARE(ticks_of(axis, 10min), QStringList({"03:13:00", "03:14:00", "03:15:00", "03:16:00", "03:17:00", "03:18:00",
                                                 "03:19:00", "03:20:00", "03:21:00", "03:22:00"}));
    QCOMPARE(ticks_of(axis, 1s).first(), QStringLiteral("03:12:07.3"));
  }
  void aDaysFirstTickSaysWhichDayItIs() {
    const Axis axis = utc(at("2026-11-27T22:10:00Z"));
    QCOMPARE(ticks_of(axis, 6h, 900, 120),
             QStringList({"23:00:00", "28 Nov", "01:00:00", "02:00:00", "03:00:00", "04:00:00"}));
    QCOMPARE(ticks_of(axis, 20 * 24h).first(), QStringLiteral("29 Nov"));  // of steps of two days
    QCOMPARE(axis.dayText(TrueTime{}), QStringLiteral("27 Nov 2026, UTC"));
    QCOMPARE(axis.dayText(TrueTime(2h)), QStringLiteral("28 Nov 2026, UTC"));
  }
  // Half an hour beside the full ones: its hours are whole by its own clock.
  void theClockHereIsThatOfTheReadersZone() {
    const QByteArray before = qgetenv("TZ");
    qputenv("TZ", "Asia/Kolkata");
    tzset();
    Axis axis = utc(at("2026-11-27T22:10:00Z"));
    axis.counts = Counts::kLocal;
    const QString text = axis.text(TrueTime{}), day = axis.dayText(TrueTime{});
    const QStringList ticks = ticks_of(axis, 6h, 900, 120);
    before.isNull() ? qunsetenv("TZ") : qputenv("TZ", before);
    tzset();
    QCOMPARE(text, QStringLiteral("03:40:00.000"));
    QCOMPARE(day, QStringLiteral("28 Nov 2026, IST"));
    QCOMPARE(ticks, QStringList({"04:00:00", "05:00:00", "06:00:00", "07:00:00", "08:00:00", "09:00:00"}));
  }
  // From a nanosecond a pixel to years: labels have their room, and the steps between them divide it.
  void ticksNeverCrowdWhateverIsShown() {
    const Axis axis = utc(at("2026-11-28T03:12:07.250Z"));
    for (double span = 1000; span < 3e17; span *= 1.37) {
      const Viewport shown{TrueTime{}, Duration(static_cast<std::int64_t>(span)), 1000};
      const Ticks ticks = axis.ticks(shown, 80);
      QVERIFY2(shown.pixels(ticks.major) >= 80, qPrintable(QString::number(span)));
      QVERIFY2(shown.pixels(ticks.major) <= 800, qPrintable(QString::number(span)));
      QCOMPARE(ticks.major.count() % ticks.minor.count(), 0);
      const TrueTime first = axis.first(shown.from, ticks.major, shown.from);
      QVERIFY(first >= shown.from && first < shown.from + ticks.major);
      QVERIFY(axis.is_at(first, ticks.major, shown.from));
    }
  }
  void aContendersClockCountsItsOwnSeconds() {
    OffsetCourse course;
    course.change(TrueTime{}, 3s, 0);
    course.change(TrueTime(10s), -5s, 0);
    const Axis axis = by("A", course);
    QCOMPARE(axis.text(TrueTime(2s)), QStringLiteral("A 5.000 s"));
    QCOMPARE(axis.rangeText(TrueTime(2s), TrueTime(4s)), QStringLiteral("A 5.000 – 7.000 s"));
    QCOMPARE(axis.stretchText(TrueTime(9s), TrueTime(11s)), QStringLiteral("A 12.000 – 9.000 · \u22123.000 s"));
    QCOMPARE(axis.between(TrueTime(9s), TrueTime(11s)), Duration(-3s));
    QCOMPARE(ticks_of(axis, 20s, 900, 80), QStringList({"4", "6", "8", "10", "12", "8", "10", "12", "14", "16"}));
    QVERIFY(axis.set_within(TrueTime{}, TrueTime(20s)) == std::vector{TrueTime(10s)});
    QVERIFY(!(axis == by("B", course)) && axis == by("A", course));
  }
  // A column's title says the unit once; a moment of another day than the first says which.
  void inAColumnTheTitleSaysTheUnit() {
    const Axis run;
    QCOMPARE(run.unit(), QStringLiteral("s"));
    QCOMPARE(run.figure(TrueTime(17'189ms)), QStringLiteral("17.189"));
    const Axis clock = utc(at("2026-11-27T22:10:00.250Z"));
    QCOMPARE(clock.unit(), QStringLiteral("UTC"));
    QCOMPARE(clock.figure(TrueTime(1s)), QStringLiteral("22:10:01.250"));
    QCOMPARE(clock.figure(TrueTime(2h)), QStringLiteral("28 Nov 00:10:00.250"));
    OffsetCourse course;
    course.change(TrueTime{}, 3s, 0);
    QCOMPARE(by("A", course).unit(), QStringLiteral("A s"));
    QCOMPARE(by("A", course).figure(TrueTime(2s)), QStringLiteral("5.000"));
  }
  // In the night in which the clocks are set back there are two of each moment, and neither is called by the other's
  // zone.
  void whereClocksAreSetBackEachMomentSaysItsZone() {
    const QByteArray before = qgetenv("TZ");
    qputenv("TZ", "Europe/Berlin");
    tzset();
    Axis axis = utc(at("2026-10-24T22:30:00Z"));  // the clocks go from 03:00 to 02:00 at 01:00 UTC
    axis.counts = Counts::kLocal;
    const QString unit = axis.unit(), first = axis.figure(TrueTime(2h)), second = axis.figure(TrueTime(3h));
    const QString range = axis.rangeText(TrueTime(2h), TrueTime(3h)), plain = axis.rangeText(TrueTime{}, TrueTime(1h));
    before.isNull() ? qunsetenv("TZ") : qputenv("TZ", before);
    tzset();
    QCOMPARE(unit, QStringLiteral("CEST"));
    QCOMPARE(first, QStringLiteral("02:30:00.000"));
    QCOMPARE(second, QStringLiteral("02:30:00.000 CET"));
    QCOMPARE(range, QStringLiteral("02:30:00.000 CEST – 02:30:00.000 CET"));
    QCOMPARE(plain, QStringLiteral("00:30:00.000 – 01:30:00.000 CEST"));
  }
  // However fast it is, and however often it is set: no number of the ruler lies on another.
  void numbersOfAContendersClockNeverTouch() {
    OffsetCourse course;
    course.change(TrueTime{}, 0s, 500'000);
    for (int i = 1; i < 200; ++i) course.change(TrueTime(i * 100ms), i % 2 == 0 ? 1300ms : -1300ms, 0);
    ChartData data;
    data.reset(gc_pause_facts());
    data.append(gc_pause_history().history);
    data.setAxis(by("A", course));
    const ChartLayout layout = layout_chart(data, 916);
    for (const Duration span : {Duration(40s), Duration(5s), Duration(300ms)}) {
      const Scene scene{data, layout, Viewport::fitting(TrueTime{}, TrueTime(span), layout.plot_width()), 492, 0};
      InkRecorder ink({916, 492});
      QPainter painter(&ink);
      TileCache tiles;
      paint_chart(painter, scene, Theme::kLight, tiles);
      painter.end();
      int numbers = 0;
      double to = 0;
      for (const Written& each : ink.seen()) {
        if (each.seen.bottom() > layout.ruler || each.seen.left() < layout.head) continue;
        ++numbers;
        QVERIFY2(each.seen.left() >= to, qPrintable(each.words));
        to = each.seen.right();
      }
      QVERIFY2(numbers >= 3, qPrintable(QString::number(numbers)));
    }
  }
  void theChartWritesTheClockAndTheCursorsMoment() {
    ChartData data;
    data.reset(gc_pause_facts());
    data.append(gc_pause_history().history);
    const ChartLayout layout = layout_chart(data, 916);
    Scene scene{data, layout, Viewport::fitting(TrueTime(9s), TrueTime(32s), layout.plot_width()), 492, 0};
    scene.axis = utc(at("2026-11-28T03:12:00Z"));
    InkRecorder ink({916, 492});
    QPainter painter(&ink);
    TileCache tiles;
    paint_chart(painter, scene, Theme::kLight, tiles);
    paint_overlay(painter, scene, Theme::kLight, tiles, {.cursor = TrueTime(17'189ms)});
    painter.end();
    QStringList words;
    for (const Written& each : ink.seen()) words << each.words;
    for (const char* wanted : {"28 Nov 2026, UTC", "03:12:10", "03:12:30", "03:12:17.189"})
      QVERIFY2(words.contains(QString::fromLatin1(wanted)), qPrintable(words.join(u'|')));
  }
  void aChartThatIsShownCountsOtherwiseAtOnce() {
    TimelineView chart;
    chart.resize(916, 500);
    chart.setRun(gc_pause_facts());
    chart.appendHistory(gc_pause_history().history);
    chart.fitAll();
    const QRect ruler(0, 0, 900, 22);
    const QImage before = chart.grab().toImage().copy(ruler);
    chart.setAxis(utc(at("2026-11-28T03:12:00Z")));
    QVERIFY(chart.grab().toImage().copy(ruler) != before);
    chart.setAxis({});
    QCOMPARE(chart.grab().toImage().copy(ruler), before);
  }
};

LEASESCOPE_SUITE(AxisTest)
#include "axis_test.moc"
