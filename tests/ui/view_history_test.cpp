// Back to what was shown before, and forward again: to the very nanosecond, whatever led away from it.
#include "ui/timeline/view_history.h"

#include <rapidcheck.h>

#include <QScrollBar>
#include <QWheelEvent>

#include "tests/support/window_suite.h"
#include "tests/ui/lane_histories.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

using Range = std::pair<TrueTime, TrueTime>;

void turn_wheel(TimelineView& view, int x, int delta) {
  QWheelEvent event(QPoint(x, 200), view.viewport()->mapToGlobal(QPoint(x, 200)), {}, QPoint(0, delta), Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(view.viewport(), &event);
}

// One of all that leads away from what is shown.
void do_anything(TimelineView& view) {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return turn_wheel(view, *rc::gen::inRange(160, 900), *rc::gen::element(-360, -120, 120, 240));
    case 1:
      return QTest::keyClick(&view, Qt::Key_W);
    case 2:
      return QTest::keyClick(&view, Qt::Key_S);
    case 3:
      return QTest::keyClick(&view, *rc::gen::element(Qt::Key_A, Qt::Key_D, Qt::Key_Home, Qt::Key_End));
    case 4: {
      const auto from = *rc::gen::inRange(0, 59000), length = *rc::gen::inRange(1, 20000);
      return view.fitRange(at_ms(from), at_ms(from + length), false);
    }
    case 5: {
      const auto at = *rc::gen::inRange(0, 60000);
      return view.centreOn(at_ms(at), at_ms(at));
    }
    default:
      return view.goToIncident(*rc::gen::element(-1, 1));
  }
}

}  // namespace

class ViewHistoryTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void undoReturnsToTheSameViewport() {
    TimelineView view;
    view.resize(916, 548);
    view.show();
    view.hide();  // nothing is on its way then: each move is done at once
    const HistoryWriter writer = gc_pause_history();
    const bool held = rc::check("viewports", [&] {
      RunFacts facts = gc_pause_facts();
      static int another = 0;
      facts.scenario = std::to_string(++another);  // which begins without a history
      view.setRun(facts);
      view.appendHistory(writer.history);
      view.setNow(at_ms(60000));
      const Range first = view.visibleRange();
      const int steps = *rc::gen::inRange(1, 40);
      for (int i = 0; i < steps; ++i) do_anything(view);
      std::vector<Range> back{view.visibleRange()};
      for (view.undoZoom(); view.visibleRange() != back.back(); view.undoZoom()) back.push_back(view.visibleRange());
      RC_ASSERT(back.back() == first);
      std::vector<Range> forward{view.visibleRange()};
      for (view.redoZoom(); view.visibleRange() != forward.back(); view.redoZoom())
        forward.push_back(view.visibleRange());
      std::reverse(forward.begin(), forward.end());
      RC_ASSERT(forward == back);
    });
    QVERIFY(held);
  }

  void aSeriesOfZoomsIsOneStepAndAPanAnother() {
    TimelineView view;
    view.resize(916, 548);
    view.show();
    view.hide();
    view.setRun(gc_pause_facts());
    view.fitRange(at_ms(10000), at_ms(30000), false);
    const Range before = view.visibleRange();
    for (int i = 0; i < 5; ++i) turn_wheel(view, 500, 120);
    const Range zoomed = view.visibleRange();
    for (int i = 0; i < 5; ++i) QTest::keyClick(&view, Qt::Key_D);
    QVERIFY(view.visibleRange() != zoomed);
    view.undoZoom();
    QCOMPARE(view.visibleRange(), zoomed);
    view.undoZoom();
    QCOMPARE(view.visibleRange(), before);
  }

  void whatWasGoneBackFromIsForgottenWhenTheReaderGoesElsewhere() {
    ViewHistory history;
    const auto place = [](int s) { return ViewPlace{at_ms(s * 1000), std::chrono::seconds(10), 0}; };
    history.leave(place(1));
    history.leave(place(2));
    QVERIFY(history.back(place(3)) == place(2));
    QVERIFY(history.forward(place(2)) == place(3));
    QVERIFY(history.back(place(3)) == place(2));
    history.leave(place(2));
    QVERIFY(!history.forward(place(4)));
    for (int i = 0; i < 500; ++i) history.leave(place(i));
    int steps = 0;
    while (history.back(place(1000 + steps))) ++steps;
    QCOMPARE(steps, static_cast<int>(ViewHistory::kMost));
  }

  void theRowsAreScrolledBackToo() {
    TimelineView view;
    view.resize(916, 260);
    view.show();
    view.setRun(gc_pause_facts());
    view.appendHistory(gc_pause_history().history);
    QVERIFY(view.verticalScrollBar()->maximum() > 40);
    view.verticalScrollBar()->setValue(40);
    view.fitRange(at_ms(10000), at_ms(30000), false);
    view.verticalScrollBar()->setValue(0);
    view.undoZoom();
    QCOMPARE(view.verticalScrollBar()->value(), 40);
  }

  void byKeysAlone() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    chart.setFocus();
    const Range whole = chart.visibleRange();
    for (int i = 0; i < 3; ++i) QTest::keyClick(&chart, Qt::Key_W);
    const Range near = chart.visibleRange();
    QVERIFY(near != whole);
    QTest::keyClick(&chart, Qt::Key_Backspace);
    QTRY_COMPARE(chart.visibleRange(), whole);
    QTest::keyClick(&chart, Qt::Key_Backspace, Qt::ShiftModifier);
    QTRY_COMPARE(chart.visibleRange(), near);
  }
};

LEASESCOPE_SUITE(ViewHistoryTest)
#include "view_history_test.moc"
