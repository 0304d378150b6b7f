// The chart as one contender's clock has it: lengths as it measures them, seams where it was set, and nothing that
// disagrees with the ruler.
#include <QImage>

#include "tests/support/ui_suite.h"
#include "tests/ui/gc_pause_history.h"
#include "ui/timeline/paint/picture.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

Axis by_a(TrueTime at, Duration step, std::int64_t ppm) {
  OffsetCourse course;
  course.change(at, step, ppm);
  return {Counts::kContender, 0, std::make_shared<ShownClock>(ShownClock{QStringLiteral("A"), course})};
}

struct Shown {
  TimelineView view;
  ChartLayout layout;

  explicit Shown(const HistoryWriter& writer = gc_pause_history()) {
    view.resize(916, 548);
    view.show();
    view.setRun(gc_pause_facts());
    view.appendHistory(writer.history);
    view.setNow(at_ms(60000));
    view.setFollow(false);
    view.fitAll();
    QCoreApplication::processEvents();
    layout = layout_chart(view.data(), view.viewport()->width());
  }
  int x(Duration at) const { return view.pixelOf(TrueTime(at)); }
  double second() const { return (x(10s) - x(0s)) / 10.0; }
  int top(int contender) const { return layout.top() + layout.contender_row(contender)->y; }
  int held(int contender) const { return top(contender) + layout.row.held.y + layout.row.held.height / 2; }
  QImage image() { return view.viewport()->grab().toImage(); }
};

QColor pixel(const QImage& image, int x, int y) {
  const double ratio = image.devicePixelRatio();
  return image.pixelColor(static_cast<int>(x * ratio), static_cast<int>(y * ratio));
}

int count(const QImage& image, const QRect& area, const QColor& colour) {
  int found = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x) found += pixel(image, x, y) == colour;
  return found;
}

// From the first to the last pixel of a contender's own colours in that line.
int width_of_bar(const QImage& image, int contender, int y) {
  const IdentityColours& id = colours(Theme::kLight).id[static_cast<std::size_t>(contender)];
  int first = -1, last = -1;
  for (int x = 160; x < 900; ++x) {
    const QColor here = pixel(image, x, y);
    if (here != id.ink && here != id.mid) continue;
    if (first < 0) first = x;
    last = x;
  }
  return last - first + 1;
}

}  // namespace

class ClockChartTest : public UiSuite {
  Q_OBJECT
 private slots:
  // A held from 0.001 to 17.000, B from 17.189 to 29.000: when A's clock begins to gain a tenth only B's bar grows.
  void aLeaseIsAsWideAsTheClockMeasuresIt() {
    Shown shown;
    const auto ratio = [&] {
      const QImage image = shown.image();
      return width_of_bar(image, 1, shown.held(1)) / static_cast<double>(width_of_bar(image, 0, shown.held(0)));
    };
    QVERIFY2(std::abs(ratio() - 11.811 / 16.999) < 0.02, qPrintable(QString::number(ratio())));
    shown.view.setAxis(by_a(TrueTime(17s), 0s, 100'000));
    QVERIFY2(std::abs(ratio() - 1.1 * 11.811 / 16.999) < 0.02, qPrintable(QString::number(ratio())));
    QVERIFY(std::abs(shown.x(31s) - shown.x(21s) - 11 * shown.second()) <= 2);
  }
  void aStepForwardIsAGapOfTheChart() {
    Shown shown;
    const Colours& c = colours(Theme::kLight);
    shown.view.setAxis(by_a(TrueTime(15s), 5s, 0));
    const int from = shown.view.pixelOf(TrueTime(15s) - Duration(1)), to = shown.x(15s);
    QVERIFY2(std::abs(to - from - 5 * shown.second()) <= 2, qPrintable(QString::number(to - from)));
    const QImage image = shown.image();
    const QRect row(from + 2, shown.top(2) + 2, to - from - 4, 8);
    QVERIFY(count(image, row, c.skew_line) > 10);
    QCOMPARE(count(image, row.translated(to - from + 4, 0), c.skew_line), 0);
    QVERIFY(shown.view.timeAt((from + to) / 2) == TrueTime(15s));
    QCOMPARE(shown.view.axis().text(shown.view.timeAt(to)), QStringLiteral("A 20.000 s"));
  }
  // Leases of less than a pixel on both sides are folded into blocks; no block lies over the gap.
  void whatIsFoldedLeavesTheGapFree() {
    HistoryWriter writer;
    for (std::int64_t at = 0; at < 60'000; at += 40) {
      writer.add(at, writer.b, EventKind::kGranted, static_cast<Token>(at / 40 + 1), ms(7000));
      writer.add(at + 20, writer.b, EventKind::kReleased, static_cast<Token>(at / 40 + 1));
    }
    writer.history.now = at_ms(60'000);
    Shown shown(writer);
    shown.view.setAxis(by_a(TrueTime(15s), 5s, 0));
    const int from = shown.view.pixelOf(TrueTime(15s) - Duration(1)), to = shown.x(15s);
    QVERIFY(to - from > 20);
    const QImage image = shown.image();
    const IdentityColours& id = colours(Theme::kLight).id[1];
    const auto bars = [&](int left) {
      const QRect part(left, shown.held(1), to - from - 6, 1);
      return count(image, part, id.mid) + count(image, part, id.ink);
    };
    QCOMPARE(bars(from + 3), 0);
    QVERIFY(bars(from - (to - from)) > 10);
    QVERIFY(bars(to + 10) > 10);
  }
  void aStepBackIsASeamAndTimesStandTwice() {
    Shown shown;
    const Colours& c = colours(Theme::kLight);
    const int plain = count(shown.image(), QRect(shown.x(20s), shown.top(2), 1, 20), c.skew_line);
    shown.view.setAxis(by_a(TrueTime(20s), -5s, 0));
    const int seam = shown.x(20s);
    QVERIFY(seam - shown.view.pixelOf(TrueTime(20s) - Duration(1)) <= 1);
    QVERIFY(count(shown.image(), QRect(seam, shown.top(2), 1, 20), c.skew_line) >= plain + 8);
    QCOMPARE(shown.view.axis().text(TrueTime(17s)), shown.view.axis().text(TrueTime(22s)));
    QVERIFY(shown.x(22s) - shown.x(17s) >= 4 * shown.second());
    // In the ruler, what is shown for the second time.
    const QRect again(shown.x(21s), 1, 5, 3);
    QVERIFY(count(shown.image(), again, c.skew_fill) > 0);
  }
  // A stood still from 12 to 21: what the others did meanwhile it learned at 21, by its clock or by any.
  void whatTheContenderDidNotSeeIsMarked() {
    Shown shown;
    const Colours& c = colours(Theme::kLight);
    const auto marked = [&](int contender, Duration from) {
      const QRect row(shown.x(from), shown.top(contender) + 1, static_cast<int>(2 * shown.second()), 30);
      return count(shown.image(), row, c.unobserved_line);
    };
    const int before = marked(2, 13s), beside = marked(2, 40s);
    shown.view.setAxis(by_a(TrueTime{}, 2s, 0));
    QVERIFY2(marked(2, 13s) >= before + 20, qPrintable(QString::number(marked(2, 13s))));
    QVERIFY(marked(2, 40s) <= beside);
    shown.view.setAxis({});
    QCOMPARE(marked(2, 13s), before);
  }
  // A mere offset shifts all alike: the picture stays, the numbers are others.
  void aMereOffsetLeavesEverythingWhereItIs() {
    Shown shown;
    const auto range = shown.view.visibleRange();
    const int there = shown.x(33s);
    shown.view.setAxis(by_a(TrueTime{}, 120s, 0));
    QVERIFY(shown.view.visibleRange() == range);
    QCOMPARE(shown.x(33s), there);
  }
  void pixelsAndMomentsAgreeEverywhere() {
    Shown shown;
    shown.view.setAxis(by_a(TrueTime(17s), -3s, 200'000));
    for (int x = 170; x < 880; x += 7) QVERIFY(std::abs(shown.view.pixelOf(shown.view.timeAt(x)) - x) <= 1);
    QVERIFY(shown.view.axis().between(TrueTime(20s), TrueTime(30s)) == 12s);
  }
  void anotherClockShowsTheSameMomentsAndUndoReturns() {
    Shown shown;
    shown.view.fitRange(at_ms(9'500), at_ms(32'000), false);
    const auto range = shown.view.visibleRange();
    const QImage before = shown.image();
    shown.view.setAxis(by_a(TrueTime(15s), 4s, 50'000));
    QVERIFY(shown.view.visibleRange() == range);
    QVERIFY(std::abs(shown.x(9'500ms) - shown.layout.head) <= 1);
    const int there = shown.x(25s);
    shown.view.fitRange(at_ms(20'000), at_ms(21'000), false);
    QVERIFY(std::abs(shown.x(25s) - there) > 20);
    shown.view.undoZoom();
    QTRY_COMPARE(shown.x(25s), there);
    shown.view.setAxis({});
    QVERIFY(std::abs((shown.view.visibleRange().first - range.first).count()) <= 10);
    shown.view.setAxis(by_a(TrueTime(15s), 4s, 50'000));
    const auto at_once = shown.view.visibleRange();
    shown.view.setAxis({});
    QVERIFY(shown.view.visibleRange() == at_once);
    shown.view.fitRange(range.first, range.second, false);
    QCOMPARE(shown.image(), before);
  }
  void aPictureOfItSaysWhoseClockItIs() {
    ChartData data;
    data.reset(gc_pause_facts());
    data.append(gc_pause_history().history);
    PictureOptions options;
    options.size = {1600, 0};
    options.range = {at_ms(9'000), at_ms(20'000)};
    const std::string said = "A 9.000 – 25.000 s, by the clock of A";
    const auto says_it = [&] {
      TextSink out;
      return draw_picture(out, data, options, PictureKind::kSvg).has_value() &&
             out.take().find(said) != std::string::npos;
    };
    QVERIFY(!says_it());
    data.setAxis(by_a(TrueTime(15s), 5s, 0));
    QVERIFY(says_it());
  }
};

LEASESCOPE_SUITE(ClockChartTest)
#include "clock_chart_test.moc"
