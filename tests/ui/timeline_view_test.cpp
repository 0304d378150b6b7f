#include "ui/timeline/timeline_view.h"

#include <cmath>
#include <memory>
#include <random>

#include <QApplication>
#include <QProxyStyle>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

#include "tests/support/ui_suite.h"
#include "tests/ui/lane_histories.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

void turn_wheel(TimelineView& view, QPoint at, int delta) {
  QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(view.viewport(), &event);
}

// For how long things move where that is asked of the style; 0: they do not.
class Motion : public QProxyStyle {
 public:
  explicit Motion(int ms) : ms_(ms) {}
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    return hint == SH_Widget_Animation_Duration ? ms_ : QProxyStyle::styleHint(hint, option, widget, data);
  }

 private:
  int ms_;
};

// By the run's seconds, and by clocks that are wrong in all ways there are.
struct Clock {
  const char* name;
  struct Change {
    int at_ms, step_ms, ppm;
  };
  std::vector<Change> changes;  // none: the run's
};
const std::vector<Clock>& kinds_of_clock() {
  static const std::vector<Clock> all{{"the run's seconds", {}},
                                      {"fast from 17 s on", {{17'000, 0, 100'000}}},
                                      {"slow from the begin", {{0, 0, -300'000}}},
                                      {"set forward", {{15'000, 5'000, 0}}},
                                      {"set back", {{20'000, -3'000, 0}}},
                                      {"all of it",
                                       {{5'000, 0, -200'000},
                                        {12'000, 3'000, -200'000},
                                        {30'000, -4'000, 50'000},
                                        {31'000, 2'000, 50'000},
                                        {47'000, 0, 0}}}};
  return all;
}

Axis axis_of(const Clock& clock) {
  if (clock.changes.empty()) return {};
  OffsetCourse course;
  for (const Clock::Change& each : clock.changes)
    course.change(at_ms(each.at_ms), std::chrono::milliseconds(each.step_ms), each.ppm);
  return {Counts::kContender, 0, std::make_shared<ShownClock>(ShownClock{QStringLiteral("A"), course})};
}

struct Shown {
  HistoryWriter writer = gc_pause_history();
  TimelineView view;

  explicit Shown(QSize size = {916, 548}) {
    view.resize(size);
    view.show();
    view.setRun(gc_pause_facts());
    view.appendHistory(writer.history);
    view.setNow(at_ms(60000));
    QApplication::processEvents();
  }
};

// A wheel that is turned, some notches in any direction at one place of any stretch, over and over.
class Wheel {
 public:
  struct Turns {
    int kept = 0;     // the time under it is there still
    int in_gap = 0;   // no time of the run lies under it, and none does afterwards
    int at_ends = 0;  // the chart ends there, and so does the run
    int at_most = 0;  // it shows no more, or no less
  };

  explicit Wheel(TimelineView& view)
      : view_(view),
        left_(layout_chart(view.data(), view.viewport()->width()).head),
        width_(view.viewport()->width() - left_) {}

  void turn_somewhere() {
    constexpr double kLeast = 1e4, kMost = 7e10;  // ns, all lengths as likely
    const double share = std::uniform_real_distribution<>(0, 1)(random_);
    const Duration span(static_cast<std::int64_t>(kLeast * std::pow(kMost / kLeast, share)));
    const TrueTime from(Duration(below(60'000'000'000)) - span / 2);
    view_.fitRange(from, from + span, false);
    x_ = left_ + static_cast<int>(below(width_));
    under_ = view_.timeAt(x_);
    gap_ = view_.pixelOf(under_) != x_;
    for (std::int64_t left = 1 + below(4); left > 0 && wrong_.isEmpty(); --left) {
      const Duration before = view_.shownSpan();
      const int delta = 60 * static_cast<int>(1 + below(4)) * (below(2) == 0 ? 1 : -1);
      turn_wheel(view_, {x_, 200}, delta);
      if (!judge(before, delta)) return;  // from there on another time is under it
    }
  }

  const Turns& turns() const { return turns_; }
  const QString& wrong() const { return wrong_; }

 private:
  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(end));
  }
  bool is_near() const { return std::abs(view_.pixelOf(under_) - x_) <= 1; }
  // Whatever lies in a gap has the time at its end.
  bool is_near_gap() const {
    return is_near() || view_.timeAt(x_ - 1) == under_ || view_.timeAt(x_) == under_ || view_.timeAt(x_ + 1) == under_;
  }

  bool judge(Duration before, int delta) {
    const Duration span = view_.shownSpan(), whole = last() - TrueTime{};
    if (span == before) {
      ++turns_.at_most;
      if (span == (delta > 0 ? Duration(width_) : whole + whole / 10)) return true;
      wrong_ = QStringLiteral("nothing is zoomed at %1 ns").arg(span.count());
    } else if ((span < before) != (delta > 0)) {
      wrong_ = QStringLiteral("zoomed the other way");
    } else if (gap_ && is_near_gap()) {
      ++turns_.in_gap;
    } else if (!gap_ && is_near()) {
      ++turns_.kept;
    } else if (is_at_an_end(span)) {
      ++turns_.at_ends;
      return false;
    } else {
      wrong_ = QStringLiteral("%1 was at %2 px%3 and is at %4, where %5 is now, over %6 ns of the chart, %7 before")
                   .arg(under_.time_since_epoch().count())
                   .arg(x_)
                   .arg(gap_ ? QStringLiteral(" as the end of a gap") : QString())
                   .arg(view_.pixelOf(under_))
                   .arg(view_.timeAt(x_).time_since_epoch().count())
                   .arg(span.count())
                   .arg(before.count());
    }
    return wrong_.isEmpty();
  }
  TrueTime last() const { return view_.data().place(TrueTime(std::chrono::seconds(60))); }
  // A twentieth of what is shown lies beyond the run at the most.
  bool is_at_an_end(Duration span) const {
    const auto [from, to] = view_.visibleRange();
    const Duration margin = span / 20, pixel = span / width_ + Duration(2);
    return view_.data().place(from) <= TrueTime{} - margin + pixel || view_.data().place(to) >= last() + margin - pixel;
  }

  TimelineView& view_;
  const int left_, width_;
  std::mt19937_64 random_{5};
  int x_ = 0;
  TrueTime under_{};
  bool gap_ = false;
  Turns turns_;
  QString wrong_;
};

}  // namespace

class TimelineViewTest : public UiSuite {
  Q_OBJECT
 private slots:
  void theWheelKeepsTheTimeUnderTheCursor_data() {
    QTest::addColumn<std::size_t>("clock");
    for (std::size_t i = 0; i < kinds_of_clock().size(); ++i) QTest::addRow("%s", kinds_of_clock()[i].name) << i;
  }
  void theWheelKeepsTheTimeUnderTheCursor() {
    QFETCH(std::size_t, clock);
    Shown shown;
    shown.view.setAxis(axis_of(kinds_of_clock()[clock]));
    Wheel wheel(shown.view);
    for (int i = 0; i < 10'000 && wheel.wrong().isEmpty(); ++i) wheel.turn_somewhere();
    QVERIFY2(wheel.wrong().isEmpty(), qPrintable(wheel.wrong()));
    const Wheel::Turns& turns = wheel.turns();
    qInfo("%d turns kept the time, %d a gap, %d came to an end of the run, %d to one of the scale", turns.kept,
          turns.in_gap, turns.at_ends, turns.at_most);
    QVERIFY(turns.kept > 10'000);
    QVERIFY(turns.at_ends > 0 && turns.at_most > 0);
    QVERIFY(turns.at_ends + turns.at_most < turns.kept / 2);
    const auto& changes = kinds_of_clock()[clock].changes;
    const bool gaps = std::any_of(changes.begin(), changes.end(), [](const auto& each) { return each.step_ms > 0; });
    QVERIFY(!gaps || turns.in_gap > 100);
  }

  void aClickOnTheTapeSelectsTheIncident() {
    Shown shown;
    shown.view.fitRange(at_ms(9500), at_ms(32000), false);
    QSignalSpy clicked(&shown.view, &TimelineView::incidentClicked);
    const QRect mark = shown.view.incidentRect(0);
    QVERIFY(mark.width() > 50);
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, mark.center());
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked.front().front().toInt(), 0);
    QCOMPARE(shown.view.selectedIncident(), 0);
  }

  void theNextIncidentComesToTheMiddle() {
    Shown shown;
    shown.view.fitRange(at_ms(40000), at_ms(50000), false);
    shown.view.setCursorTime(at_ms(0));
    QVERIFY(shown.view.incidentRect(0).isEmpty());
    QTest::keyClick(&shown.view, Qt::Key_BracketRight);
    QCOMPARE(shown.view.selectedIncident(), 0);
    QTRY_VERIFY(std::abs(shown.view.incidentRect(0).center().x() - (156 + 760 / 2)) <= 2);
    QTest::keyClick(&shown.view, Qt::Key_BracketRight);
    QCOMPARE(shown.view.selectedIncident(), 1);
    QTest::keyClick(&shown.view, Qt::Key_BracketLeft);
    QCOMPARE(shown.view.selectedIncident(), 0);
  }

  void fitTwiceShowsTheWholeRun() {
    Shown shown;
    shown.view.fitRange(at_ms(40000), at_ms(50000), false);
    shown.view.selectIncident(0);
    QTest::keyClick(&shown.view, Qt::Key_F);
    QTRY_VERIFY(shown.view.visibleRange().first > at_ms(10000) && shown.view.visibleRange().second < at_ms(30000));
    QTest::qWait(200);
    QTest::keyClick(&shown.view, Qt::Key_F);
    QTRY_VERIFY(shown.view.visibleRange().first <= at_ms(0) && shown.view.visibleRange().second >= at_ms(60000));
  }

  void aZoomCanBeUndone() {
    Shown shown;
    shown.view.fitRange(at_ms(10000), at_ms(30000), false);
    const auto before = shown.view.visibleRange();
    turn_wheel(shown.view, {500, 200}, 240);
    QVERIFY(shown.view.visibleRange() != before);
    shown.view.undoZoom();
    QTRY_COMPARE(shown.view.visibleRange(), before);
  }

  // Whoever has asked for less motion sees each new stretch at once, whole, and nothing between.
  void withoutMotionTheViewJumps() {
    const auto still = std::make_unique<Motion>(0);
    Shown shown;
    TimelineView& view = shown.view;
    view.setStyle(still.get());
    view.fitRange(at_ms(10000), at_ms(30000), false);
    const auto before = view.visibleRange();
    turn_wheel(view, {500, 200}, 240);
    QSignalSpy moved(&view, &TimelineView::rangeChanged);
    view.undoZoom();
    QCOMPARE(view.visibleRange(), before);
    QCOMPARE(moved.size(), 1);
    view.fitAll(true);
    QVERIFY(view.visibleRange().first <= at_ms(0) && view.visibleRange().second >= at_ms(60000));
    QCOMPARE(moved.size(), 2);
    view.fitRange(at_ms(40000), at_ms(50000), true);
    QVERIFY(view.visibleRange().first >= at_ms(39000) && view.visibleRange().second <= at_ms(51000));
    view.setCursorTime(at_ms(0));
    view.goToIncident(1);
    QVERIFY(std::abs(view.incidentRect(0).center().x() - (156 + 760 / 2)) <= 2);
    QCOMPARE(moved.size(), 4);
    QTest::qWait(300);
    QCOMPARE(moved.size(), 4);
  }
  void withMotionItGoesThere() {
    const auto moves = std::make_unique<Motion>(200);
    Shown shown;
    shown.view.setStyle(moves.get());
    shown.view.fitRange(at_ms(10000), at_ms(30000), false);
    const auto before = shown.view.visibleRange();
    turn_wheel(shown.view, {500, 200}, 240);
    const auto zoomed = shown.view.visibleRange();
    shown.view.undoZoom();
    QCOMPARE(shown.view.visibleRange(), zoomed);  // it has only begun
    QTRY_COMPARE(shown.view.visibleRange(), before);
  }

  void followingPausesOnPanAndResumes() {
    TimelineView view;
    view.resize(916, 548);
    view.show();
    view.setRun(gc_pause_facts());
    view.fitRange(at_ms(0), at_ms(10000), false);
    view.setNow(at_ms(20000));
    QVERIFY(view.visibleRange().first > at_ms(5000));
    QTest::keyClick(&view, Qt::Key_A);
    QVERIFY(!view.follows());
    const auto kept = view.visibleRange();
    view.setNow(at_ms(30000));
    QCOMPARE(view.visibleRange(), kept);
    QTest::keyClick(&view, Qt::Key_L);
    QVERIFY(view.follows());
    QVERIFY(view.visibleRange().second > at_ms(30000));
    QCOMPARE(view.visibleRange().second - view.visibleRange().first, kept.second - kept.first);
  }

  void commaAndFullStopStepThroughTheEvents() {
    Shown shown;
    shown.view.setCursorTime(at_ms(17000));
    QTest::keyClick(&shown.view, Qt::Key_Period);
    QCOMPARE(shown.view.cursorTime(), at_ms(17189));
    QTest::keyClick(&shown.view, Qt::Key_Comma);
    QCOMPARE(shown.view.cursorTime(), at_ms(17000));
  }

  void dragOnTheMinimapMovesWhatIsShown() {
    Shown shown;
    shown.view.fitRange(at_ms(10000), at_ms(20000), false);
    auto* minimap = shown.view.findChild<MinimapView*>();
    QVERIFY(minimap != nullptr);
    QTest::mouseClick(minimap, Qt::LeftButton, {}, {700, 20});
    QVERIFY(shown.view.visibleRange().first > at_ms(35000));
  }

  void aQueueThatFormsLaterGetsItsRow() {
    const LaneWriter w = fenced_history();
    History early = w.history;
    early.incidents = {};
    early.now = at_ms(4000);
    early.events.erase(std::find_if(early.events.begin(), early.events.end(),
                                    [](const Event& event) { return event.hi > at_ms(4000); }),
                       early.events.end());
    TimelineView whole, grown;
    for (TimelineView* view : {&whole, &grown}) {
      view->resize(916, 400);
      view->show();
      view->setRun(fenced_facts());
    }
    grown.appendHistory(early);
    const int before = grown.contentHeight();
    for (TimelineView* view : {&whole, &grown}) view->appendHistory(w.history);
    QVERIFY(grown.contentHeight() > before);
    QCOMPARE(grown.contentHeight(), whole.contentHeight());
    QCOMPARE(grown.verticalScrollBar()->maximum(), whole.verticalScrollBar()->maximum());
  }

  void aSmallViewScrollsItsRowsAndKeepsTheRailInSight() {
    Shown shown({700, 300});
    QVERIFY(shown.view.verticalScrollBar()->maximum() > 0);
    shown.view.verticalScrollBar()->setValue(60);
    shown.view.fitRange(at_ms(9500), at_ms(32000), false);
    const QImage image = shown.view.viewport()->grab().toImage();
    const QRect rail = shown.view.incidentRect(0);
    const double ratio = image.devicePixelRatio();
    const int y = static_cast<int>((rail.center().y() + 4) * ratio);
    int amber = 0;
    for (int x = rail.left(); x < rail.right(); ++x)
      amber += image.pixelColor(static_cast<int>(x * ratio), y) == colours(Theme::kLight).overlap;
    QVERIFY(amber > 10);
  }
};

LEASESCOPE_SUITE(TimelineViewTest)
#include "timeline_view_test.moc"
