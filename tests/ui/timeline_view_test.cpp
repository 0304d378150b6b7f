#include "ui/timeline/timeline_view.h"

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

}  // namespace

class TimelineViewTest : public UiSuite {
  Q_OBJECT
 private slots:
  void theWheelKeepsTheTimeUnderTheCursor() {
    Shown shown;
    std::mt19937_64 random(5);
    for (int i = 0; i < 200; ++i) {
      const int x = 160 + static_cast<int>(random() % 700);
      const TrueTime under = shown.view.timeAt(x);
      const auto before = shown.view.visibleRange();
      turn_wheel(shown.view, {x, 200}, random() % 2 == 0 ? 120 : -120);
      // At the limits of zoom and range the view may stop instead.
      const auto after = shown.view.visibleRange();
      if (before == after || after.second - after.first > std::chrono::seconds(200)) continue;
      if (after.first > at_ms(0) && after.second < at_ms(60000)) QVERIFY(std::abs(shown.view.pixelOf(under) - x) <= 1);
    }
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
