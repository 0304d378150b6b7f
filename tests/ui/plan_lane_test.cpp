// The plan of faults over the chart, by mouse and keyboard: added, moved, made longer, taken out; each one step back.
#include "ui/lab/plan_lane.h"

#include "tests/support/window_suite.h"
#include "ui/lab/values_panel.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class PlanLaneTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void aDragOnAnEmptyPlaceAddsAFault() {
    TestWindow window;
    runToItsEnd(window);
    PlanLane& lane = laneOf(window);
    TimelineView* chart = window.view()->timeline();
    const std::size_t before = faults(window).size();
    const int from = chart->pixelOf(TrueTime(40s)), to = chart->pixelOf(TrueTime(45s));
    drag(lane, QPoint(from, lane.height() / 2), QPoint(to, lane.height() / 2));
    QCOMPARE(faults(window).size(), before + 1);
    const FaultTable& made = faults(window).back();
    const Duration pixel = chart->timeAt(from + 2) - chart->timeAt(from);
    QVERIFY(std::chrono::abs(made.at.fixed - 40s) <= pixel);
    QVERIFY(std::chrono::abs(made.duration.fixed - 5s) <= 2 * pixel);
    QCOMPARE(lane.selected(), static_cast<int>(before));
    QCOMPARE(window.valuesPanel()->plan()->opened(), static_cast<int>(before));
    QCOMPARE(window.lab().undo().count(), 1);
    window.action(LabAction::kUndo)->trigger();
    QVERIFY(!window.lab().document().modified());
  }

  void aDragMovesAndAnEdgeMakesItLonger() {
    TestWindow window;
    runToItsEnd(window);
    PlanLane& lane = laneOf(window);
    TimelineView* chart = window.view()->timeline();
    const LeaseTerms terms = window.lab().scenario().terms();
    const FaultTable old = faults(window).front();
    QVERIFY(old.at.relative());
    const QPoint middle = lane.rectOf(0).center();
    const int px = chart->pixelOf(TrueTime(5s)) - chart->pixelOf(TrueTime{});
    drag(lane, middle, middle + QPoint(px, 0));
    const FaultTable& moved = faults(window).front();
    const Duration pixel = chart->timeAt(middle.x() + 2) - chart->timeAt(middle.x());
    QVERIFY(std::chrono::abs(moved.at.under(terms) - old.at.under(terms) - 5s) <= 2 * pixel);
    QVERIFY(moved.at.relative());  // told in leases as before
    QCOMPARE(moved.duration.text, old.duration.text);
    const QPoint edge(lane.rectOf(0).right() - 1, lane.rectOf(0).center().y());
    const Duration begin = moved.at.under(terms);
    drag(lane, edge, edge + QPoint(px, 0));
    const FaultTable& longer = faults(window).front();
    QCOMPARE(longer.at.under(terms), begin);
    QVERIFY(std::chrono::abs(longer.duration.under(terms) - old.duration.under(terms) - 5s) <= 3 * pixel);
    QVERIFY(window.lab().stale());
    while (window.lab().undo().canUndo()) window.action(LabAction::kUndo)->trigger();
    QVERIFY(!window.lab().document().modified());
  }

  void theKeysDoTheSame() {
    TestWindow window;
    runToItsEnd(window);
    PlanLane& lane = laneOf(window);
    const LeaseTerms terms = window.lab().scenario().terms();
    lane.setFocus(Qt::TabFocusReason);
    QCOMPARE(lane.selected(), 0);
    const Duration at = faults(window).front().at.under(terms), lasts = faults(window).front().duration.under(terms);
    QTest::keyClick(&lane, Qt::Key_Right);
    QVERIFY(faults(window).front().at.under(terms) > at);
    QTest::keyClick(&lane, Qt::Key_Left);
    QTest::keyClick(&lane, Qt::Key_Left);
    QVERIFY(faults(window).front().at.under(terms) < at);
    QTest::keyClick(&lane, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(faults(window).front().duration.under(terms) > lasts);
    const std::size_t count = faults(window).size();
    QTest::keyClick(&lane, Qt::Key_Down);
    QCOMPARE(lane.selected(), 1);
    QTest::keyClick(&lane, Qt::Key_Delete);
    QCOMPARE(faults(window).size(), count - 1);
    QTest::keyClick(&lane, Qt::Key_Insert);
    QCOMPARE(faults(window).size(), count);
    QTest::keyClick(&lane, Qt::Key_Escape);
    QVERIFY(window.view()->timeline()->hasFocus());
    while (window.lab().undo().canUndo()) window.action(LabAction::kUndo)->trigger();
    QVERIFY(!window.lab().document().modified());
  }

  void escapeLetsADragGo() {
    TestWindow window;
    runToItsEnd(window);
    PlanLane& lane = laneOf(window);
    const QPoint middle = lane.rectOf(0).center();
    QTest::mousePress(&lane, Qt::LeftButton, {}, middle);
    QTest::mouseMove(&lane, middle + QPoint(20, 0));
    QTest::mouseMove(&lane, middle + QPoint(60, 0));
    QTest::keyClick(&lane, Qt::Key_Escape);
    QTest::mouseRelease(&lane, Qt::LeftButton, {}, middle + QPoint(60, 0));
    QVERIFY(!window.lab().document().modified());
  }

 private:
  static PlanLane& laneOf(TestWindow& window) { return *window.findChild<PlanLane*>(QStringLiteral("planLane")); }
  static const std::vector<FaultTable>& faults(TestWindow& window) { return window.lab().scenario().faults; }
  static void drag(PlanLane& lane, QPoint from, QPoint to) {
    QTest::mousePress(&lane, Qt::LeftButton, {}, from);
    QTest::mouseMove(&lane, (from + to) / 2);
    QTest::mouseMove(&lane, to);
    QTest::mouseRelease(&lane, Qt::LeftButton, {}, to);
  }
};

LEASESCOPE_SUITE(PlanLaneTest)
#include "plan_lane_test.moc"
