// Faults planned on the chart itself: by a drag on a row, by keys; of whoever the row is of, and one step back.
#include "ui/lab/fault_tool.h"

#include "simulator/fault/kind.h"
#include "tests/support/window_suite.h"
#include "ui/lab/plan_lane.h"
#include "ui/lab/values_panel.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class FaultToolTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void aDragOnAContendersRowPlansAFaultOfIt() {
    TestWindow window;
    FaultTool& tool = taken(window);
    TimelineView* chart = window.view()->timeline();
    const std::string who = chart->data().contenders()[1].name;
    const int y = chart->aimOf(1)->row.center().y();
    const QPoint from(chart->pixelOf(TrueTime(40s)), y), to(chart->pixelOf(TrueTime(45s)), y);
    const std::size_t before = faults(window).size();
    send(tool, QEvent::MouseButtonPress, from);
    send(tool, QEvent::MouseMove, to, Qt::AltModifier);
    const QString told = tool.words();
    QVERIFY2(told.startsWith(QStringLiteral("pause of %1 at ").arg(QString::fromStdString(who))), qPrintable(told));
    QVERIFY2(told.contains(QStringLiteral(", for ")), qPrintable(told));
    QCOMPARE(faults(window).size(), before);  // it is shown, and not there yet
    send(tool, QEvent::MouseButtonRelease, to, Qt::AltModifier);
    QCOMPARE(faults(window).size(), before + 1);
    const FaultTable& made = faults(window).back();
    QCOMPARE(made.kind, std::string("pause"));
    QCOMPARE(made.target, who);
    const Duration pixel = chart->timeAt(from.x() + 2) - chart->timeAt(from.x());
    QVERIFY(std::chrono::abs(made.at.fixed - 40s) <= pixel);
    QVERIFY(std::chrono::abs(made.duration.fixed - 5s) <= 2 * pixel);
    QVERIFY(window.lab().document().text().contains("target = \"" + QByteArray::fromStdString(who) + "\""));
    QCOMPARE(window.labPerspective().planLane()->selected(), static_cast<int>(before));
    QCOMPARE(window.valuesPanel()->plan()->opened(), static_cast<int>(before));
    QCOMPARE(window.lab().undo().count(), 1);
    QVERIFY(tool.isTaken());  // for the next one
    window.action(LabAction::kUndo)->trigger();
    QVERIFY(!window.lab().document().modified());
  }

  void itSnapsAsMeasuringDoesUnlessAltIsHeld() {
    TestWindow window;
    FaultTool& tool = taken(window);
    TimelineView* chart = window.view()->timeline();
    const QRect row = chart->aimOf(0)->row;
    const int y = row.center().y();
    // A point that is near to something, and not on it.
    int x = row.left() + 20;
    const auto off = [&] {
      const auto near = chart->snappedAt({x, y});
      return near && std::abs(chart->pixelOf(*near) - x) > 2;
    };
    while (x < row.right() - 300 && !off()) ++x;
    QVERIFY(off());
    const Duration near = chart->snappedAt({x, y})->time_since_epoch();
    const Duration there = chart->timeAt(x).time_since_epoch();
    drag(tool, {x, y}, {x + 200, y}, Qt::NoModifier);
    QVERIFY(std::chrono::abs(faults(window).back().at.fixed - near) <= 1us);
    window.action(LabAction::kUndo)->trigger();
    drag(tool, {x, y}, {x + 200, y}, Qt::AltModifier);
    QVERIFY(std::chrono::abs(faults(window).back().at.fixed - there) <= 1us);
  }

  void whatTellsOfTheStoreIsTheStores() {
    TestWindow window;
    FaultTool& tool = taken(window);
    TimelineView* chart = window.view()->timeline();
    QVERIFY(chart->aimOf(-1).has_value());
    const int y = chart->aimOf(-1)->row.center().y();
    drag(tool, {chart->pixelOf(TrueTime(40s)), y}, {chart->pixelOf(TrueTime(45s)), y}, Qt::AltModifier);
    QCOMPARE(faults(window).back().kind, std::string("store_slow"));
    QCOMPARE(faults(window).back().target, std::string("store"));
  }

  void thereAreTheKindsThatFit() {
    TestWindow window;
    taken(window);
    for (const bool store : {false, true}) {
      const std::vector<std::string> kinds = FaultTool::kindsFor(window.lab().scenario(), store);
      const auto has = [&](const char* kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
      for (const char* kind : {"pause", "clock_step", "crash"}) QCOMPARE(has(kind), !store);
      for (const char* kind : {"store_slow", "store_crash"}) QCOMPARE(has(kind), store);
      QVERIFY(!has("delete_row"));  // the store is no database
      for (const std::string& kind : kinds)
        QCOMPARE(find_fault_kind(kind)->target, store ? FaultTarget::kStore : FaultTarget::kContender);
    }
  }

  void keysDoTheSame() {
    TestWindow window;
    FaultTool& tool = taken(window);
    PlanLane& lane = *window.labPerspective().planLane();
    QVERIFY(tool.hasFocus());
    const std::size_t before = faults(window).size();
    QTest::keyClick(&tool, Qt::Key_Down);
    const QString first = tool.words();
    QVERIFY2(first.startsWith(QStringLiteral("pause of ")), qPrintable(first));
    QTest::keyClick(&tool, Qt::Key_Down);
    QVERIFY(tool.words() != first);  // of another row
    QTest::keyClick(&tool, Qt::Key_K);
    QVERIFY(!tool.words().startsWith(QStringLiteral("pause of ")));
    QTest::keyClick(&tool, Qt::Key_K, Qt::ShiftModifier);
    QVERIFY(tool.words().startsWith(QStringLiteral("pause of ")));
    QTest::keyClick(&tool, Qt::Key_S);
    QVERIFY2(tool.words().contains(QStringLiteral(" of store at ")), qPrintable(tool.words()));
    QTest::keyClick(&tool, Qt::Key_S);
    const QString here = tool.words();
    QTest::keyClick(&tool, Qt::Key_Left);
    const QString moved = tool.words();
    QVERIFY(moved != here);
    QTest::keyClick(&tool, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(tool.words() != moved);
    QTest::keyClick(&tool, Qt::Key_Return);
    QCOMPARE(faults(window).size(), before + 1);
    QCOMPARE(faults(window).back().kind, std::string("pause"));
    QCOMPARE(window.lab().undo().count(), 1);
    QTest::keyClick(&tool, Qt::Key_Escape);
    QVERIFY(!tool.isTaken());
    QVERIFY(!window.action(LabAction::kFaultTool)->isChecked());
    // Where it is resized.
    QVERIFY(lane.hasFocus());
    QCOMPARE(lane.selected(), static_cast<int>(before));
    const Duration lasts = faults(window).back().duration.fixed;
    QTest::keyClick(&lane, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(faults(window).back().duration.fixed > lasts);
    while (window.lab().undo().canUndo()) window.action(LabAction::kUndo)->trigger();
    QVERIFY(!window.lab().document().modified());
  }

  void escapeLetsADragGoAndThenTheTool() {
    TestWindow window;
    FaultTool& tool = taken(window);
    TimelineView* chart = window.view()->timeline();
    const QPoint from(chart->pixelOf(TrueTime(40s)), chart->aimOf(0)->row.center().y());
    send(tool, QEvent::MouseButtonPress, from);
    send(tool, QEvent::MouseMove, from + QPoint(60, 0));
    QVERIFY(!tool.words().isEmpty());
    QTest::keyClick(&tool, Qt::Key_Escape);
    QVERIFY(tool.words().isEmpty() && tool.isTaken());
    send(tool, QEvent::MouseButtonRelease, from + QPoint(60, 0));
    QVERIFY(!window.lab().document().modified());
    QTest::keyClick(&tool, Qt::Key_Escape);
    QVERIFY(!tool.isTaken());
    QVERIFY(chart->hasFocus());
  }

 private:
  static FaultTool& taken(TestWindow& window) {
    runToItsEnd(window);
    window.action(LabAction::kFaultTool)->trigger();
    return *window.labPerspective().faultTool();
  }
  static const std::vector<FaultTable>& faults(TestWindow& window) { return window.lab().scenario().faults; }
  static void send(QWidget& to, QEvent::Type type, QPoint at, Qt::KeyboardModifiers held = Qt::NoModifier) {
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    const Qt::MouseButtons down = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, to.mapToGlobal(at), button, down, held);
    QCoreApplication::sendEvent(&to, &event);
  }
  static void drag(QWidget& on, QPoint from, QPoint to, Qt::KeyboardModifiers held) {
    send(on, QEvent::MouseButtonPress, from, held);
    send(on, QEvent::MouseMove, (from + to) / 2, held);
    send(on, QEvent::MouseMove, to, held);
    send(on, QEvent::MouseButtonRelease, to, held);
  }
};

LEASESCOPE_SUITE(FaultToolTest)
#include "fault_tool_test.moc"
