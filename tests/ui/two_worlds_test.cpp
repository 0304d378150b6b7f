// Two runs at once from the Lab, side by side in Compare: in both worlds, with two seeds or settings, a fork and its
// origin. The live ones are against a Redis of their own.
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QWheelEvent>

#include "tests/support/redis_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/window_suite.h"
#include "ui/compare/compare_perspective.h"
#include "ui/compare/compared_side.h"
#include "ui/compare/comparison_panel.h"
#include "ui/lab/paired_runs.h"
#include "ui/panels/preparation_box.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr int kLivePatience = 40'000;  // ms: a server starts, and the run takes its real time

ComparePerspective& compareOf(TestWindow& window) {
  return *static_cast<ComparePerspective*>(window.perspective(QStringLiteral("compare")));
}

// The row of a figure by its name; -1: it is not told.
int rowOf(const ComparePerspective& compare, const QString& name) {
  const ComparedFiguresModel& model = *compare.panel()->figuresModel();
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, ComparedFiguresModel::kName).data() == name) return row;
  return -1;
}
QString cell(const ComparePerspective& compare, int row, ComparedFiguresModel::Column column) {
  return compare.panel()->figuresModel()->index(row, column).data().toString();
}

bool bothAreAt(const ComparePerspective& compare, const ComparedPlaces& places) {
  const TrueTime middle = places.a ? *places.a : *places.b;
  for (const int side : {0, 1}) {
    const TimelineView* chart = compare.side(side).chart();
    const auto [from, to] = chart->visibleRange();
    if (middle < from || middle > to) return false;
    if (chart->cursorTime() != (side == 0 ? places.a : places.b).value_or(middle)) return false;
  }
  return true;
}

}  // namespace

class TwoWorldsTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void initTestCase() {
    WindowSuite::initTestCase();
    QVERIFY2(!redis_server_program().isEmpty(), kNoRedis);
  }
  void init() {
    UiSuite::init();
    QSettings().clear();
  }
  void bothWorldsStandLinkedWithTheirNamesAndWhatDiffers();
  void aStoreThatFailsLeavesTheVirtualSideAndIsToldBesideIt();
  void withoutAStoreAPrivateOneIsStartedAndAllOfItCanBeCancelled_data();
  void withoutAStoreAPrivateOneIsStartedAndAllOfItCanBeCancelled();
  void twoSeedsAreRunAndNamed();
  void twoSettingsAreRunAndNamedOnceThereAreTwo();
  void aForkIsRunBesideItsOrigin();

 private:
  // Five seconds in which a mutex is handed over once.
  static void openShort(TestWindow& window) {
    show(window);
    LabController& lab = window.lab();
    lab.setSpeed(0);
    QVERIFY(lab.setStore("model"));
    QVERIFY(lab.open(QStringLiteral("stop-and-take-over")));
    QVERIFY(lab.edit("mutex.ttl", "1s"));
    QVERIFY(lab.edit("mutex.transition", "500ms"));
    QVERIFY(lab.edit("duration", "5s"));
  }
  static void waitForTheComparison(TestWindow& window, int patience = kPatience) {
    QTRY_VERIFY_WITH_TIMEOUT(compareOf(window).panel()->comparison() != nullptr, patience);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&compareOf(window)));
  }
};

void TwoWorldsTest::bothWorldsStandLinkedWithTheirNamesAndWhatDiffers() {
  const TemporaryFolder temporary;
  TestWindow window;
  openShort(window);
  QVERIFY(window.lab().setStore("redis"));
  ComparePerspective& compare = compareOf(window);
  compare.action(CompareAction::kLinked)->setChecked(false);
  QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier | Qt::AltModifier);
  PreparationBox* box = window.labPerspective().pairsBox();
  QTRY_VERIFY(box->isVisible());
  QTRY_VERIFY2_WITH_TIMEOUT(box->text().contains(QStringLiteral("Live: ")), qPrintable(box->text()), kLivePatience);
  QVERIFY2(box->text().contains(QStringLiteral("in both worlds")), qPrintable(box->text()));
  waitForTheComparison(window, kLivePatience);
  if (QTest::currentTestFailed()) return;
  QVERIFY(box->isHidden());

  // Both are there, and called by what tells them apart.
  QCOMPARE(compare.side(0).title(), QStringLiteral("A · virtual"));
  QCOMPARE(compare.side(1).title(), QStringLiteral("B · live: redis"));
  QCOMPARE(compare.side(0).session().header().world, std::string("virtual"));
  QCOMPARE(compare.side(1).session().header().world, std::string("live"));
  QCOMPARE(compare.side(0).session().header().seed, compare.side(1).session().header().seed);
  QVERIFY(compare.side(1).session().epochNs().has_value());
  QVERIFY(compare.action(CompareAction::kLinked)->isChecked());
  const ComparedFiguresModel& figures = *compare.panel()->figuresModel();
  QCOMPARE(figures.headerData(ComparedFiguresModel::kA, Qt::Horizontal, Qt::DisplayRole).toString(),
           QStringLiteral("virtual"));
  QCOMPARE(figures.headerData(ComparedFiguresModel::kB, Qt::Horizontal, Qt::DisplayRole).toString(),
           QStringLiteral("live: redis"));

  // What differs, with both figures.
  for (const char* name : {"outcome", "handoffs", "hand-off, median", "leaderless gap, longest", "requests a second",
                           "store latency, median"}) {
    const int row = rowOf(compare, QString::fromLatin1(name));
    QVERIFY2(row >= 0, name);
    QVERIFY2(!cell(compare, row, ComparedFiguresModel::kA).isEmpty(), name);
    QVERIFY2(!cell(compare, row, ComparedFiguresModel::kB).isEmpty(), name);
  }
  QCOMPARE(rowOf(compare, QStringLiteral("outcome")), 0);
  const int handoffs = rowOf(compare, QStringLiteral("handoffs"));
  QCOMPARE(cell(compare, handoffs, ComparedFiguresModel::kA), QStringLiteral("1"));
  QCOMPARE(cell(compare, handoffs, ComparedFiguresModel::kB), QStringLiteral("1"));
  const int gap = rowOf(compare, QStringLiteral("leaderless gap, longest"));
  for (const ComparedLength& each : compare.panel()->comparison()->lengths)
    if (each.name == "gap, longest") QVERIFY(each.a > Duration{} && each.b > Duration{} && each.a != each.b);
  QVERIFY(figures.places(rowOf(compare, QStringLiteral("store latency, median"))).b.has_value());

  // A row leads both charts there: by the mouse, and by a key.
  Table* table = compare.panel()->figures();
  table->scrollTo(figures.index(gap, 0));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(figures.index(gap, 0)).center());
  QVERIFY(figures.places(gap).a && figures.places(gap).b);
  QVERIFY(bothAreAt(compare, figures.places(gap)));
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Up);
  QCOMPARE(table->currentIndex().row(), gap - 1);
  QVERIFY(bothAreAt(compare, figures.places(gap - 1)));

  // One is zoomed, and the other follows: by a key, and by the wheel over the live one.
  TimelineView *a = compare.side(0).chart(), *b = compare.side(1).chart();
  QTest::qWait(400);  // where they went takes a moment
  a->fitAll(false);
  QTRY_VERIFY(a->visibleRange() == b->visibleRange());
  const auto length = [](const TimelineView* chart) {
    return chart->visibleRange().second - chart->visibleRange().first;
  };
  const Duration whole = length(a);
  a->setFocus();
  QTest::keyClick(&compare, Qt::Key_W);
  QTRY_VERIFY(length(a) < whole && a->visibleRange() == b->visibleRange());
  QTest::qWait(400);  // a zoom takes a moment
  const Duration before = length(b);
  const QPoint at = b->viewport()->rect().center();
  QWheelEvent wheel(at, b->viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(b->viewport(), &wheel);
  QTRY_VERIFY(length(b) < before && a->visibleRange() == b->visibleRange());
  QTRY_COMPARE_WITH_TIMEOUT(temporary.processes(), QStringList(), kPatience);  // of the server
}

void TwoWorldsTest::aStoreThatFailsLeavesTheVirtualSideAndIsToldBesideIt() {
  TestWindow window;
  openShort(window);
  QVERIFY(window.lab().setStore("redis://127.0.0.1:1/0"));
  ComparePerspective& compare = compareOf(window);
  window.action(LabAction::kBothWorlds)->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(compare.side(0).ready(), kLivePatience);
  QCOMPARE(&window.current(), static_cast<Perspective*>(&compare));
  QCOMPARE(compare.side(0).title(), QStringLiteral("A · virtual"));
  const auto* told = compare.side(1).findChild<ProblemBox*>();
  QVERIFY(told != nullptr);
  QVERIFY(told->isVisible());
  QVERIFY2(told->problem().message.contains(QStringLiteral("127.0.0.1")), qPrintable(told->problem().message));
  QVERIFY(compare.side(1).session().history() == nullptr);
  QVERIFY(compare.panel()->comparison() == nullptr);
  QVERIFY(!window.labPerspective().pairs()->busy());
  // It may be tried again, and a comparison takes the error away.
  window.turnTo(window.labPerspective());
  window.action(LabAction::kTwoSeeds)->trigger();
  waitForTheComparison(window);
  QVERIFY(!told->isVisible());
}

void TwoWorldsTest::withoutAStoreAPrivateOneIsStartedAndAllOfItCanBeCancelled_data() {
  QTest::addColumn<QString>("how");
  for (const char* how : {"button", "Esc", "the window is closed"}) QTest::newRow(how) << how;
}

void TwoWorldsTest::withoutAStoreAPrivateOneIsStartedAndAllOfItCanBeCancelled() {
  QFETCH(QString, how);
  const TemporaryFolder temporary;
  TestWindow window;
  openShort(window);
  QSignalSpy told(&window.lab(), &Session::told);
  window.action(LabAction::kBothWorlds)->trigger();
  QVERIFY(!told.isEmpty());
  QVERIFY2(told.first().first().toString().contains(QStringLiteral("a private redis is started")),
           qPrintable(told.first().first().toString()));
  PairedRuns* pairs = window.labPerspective().pairs();
  PreparationBox* box = window.labPerspective().pairsBox();
  // Into the live one.
  QTRY_VERIFY_WITH_TIMEOUT(pairs->running().live() && pairs->running().state() == RunState::kRunning, kLivePatience);
  QTRY_VERIFY(box->isVisible());
  QVERIFY(pairs->busy());
  QVERIFY(!temporary.processes().isEmpty());
  if (how == QStringLiteral("button")) QTest::mouseClick(box->findChild<QPushButton*>(), Qt::LeftButton);
  if (how == QStringLiteral("Esc")) QTest::keyClick(&window, Qt::Key_Escape);
  if (how == QStringLiteral("the window is closed")) window.close();
  QTRY_VERIFY(!pairs->busy());
  QVERIFY(!box->isVisible());
  QCOMPARE(&window.current(), static_cast<Perspective*>(&window.labPerspective()));
  QCOMPARE(compareOf(window).document(), QString());
  QTRY_COMPARE_WITH_TIMEOUT(temporary.processes(), QStringList(), kPatience);
}

void TwoWorldsTest::twoSeedsAreRunAndNamed() {
  TestWindow window;
  runToItsEnd(window);
  window.action(LabAction::kTwoSeeds)->trigger();
  waitForTheComparison(window);
  if (QTest::currentTestFailed()) return;
  ComparePerspective& compare = compareOf(window);
  QCOMPARE(compare.side(0).title(), QStringLiteral("A · seed 7"));
  QCOMPARE(compare.side(1).title(), QStringLiteral("B · seed 8"));
  QVERIFY(!compare.panel()->comparison()->same());
  // An incident has its count, and when the first of its kind began.
  const int row = rowOf(compare, QStringLiteral("incidents: belief overlap"));
  QVERIFY(row >= 0);
  const QString text = cell(compare, row, ComparedFiguresModel::kA);
  QVERIFY2(text.contains(QStringLiteral(" · ")) && text.endsWith(QStringLiteral(" s")), qPrintable(text));
  compare.panel()->figures()->selectRow(row);
  QVERIFY(bothAreAt(compare, compare.panel()->figuresModel()->places(row)));
  // The run of the Lab is the one it was.
  QCOMPARE(window.lab().scenario().seed, std::uint64_t{7});
  QCOMPARE(window.lab().state(), RunState::kFinished);
}

void TwoWorldsTest::twoSettingsAreRunAndNamedOnceThereAreTwo() {
  TestWindow window;
  runToItsEnd(window);
  QSignalSpy told(&window.lab(), &Session::told);
  window.action(LabAction::kTwoSettings)->trigger();
  QVERIFY(!window.labPerspective().pairs()->busy());
  QCOMPARE(told.size(), 1);
  QVERIFY(told.first().first().toString().contains(QStringLiteral("Change a value first")));
  QVERIFY(window.lab().edit("mutex.ttl", "6s"));
  window.action(LabAction::kTwoSettings)->trigger();
  waitForTheComparison(window);
  if (QTest::currentTestFailed()) return;
  ComparePerspective& compare = compareOf(window);
  QVERIFY2(compare.side(0).title().startsWith(QStringLiteral("A · ttl = ")), qPrintable(compare.side(0).title()));
  QVERIFY2(compare.side(1).title().startsWith(QStringLiteral("B · ttl = 6s")), qPrintable(compare.side(1).title()));
  QVERIFY(compare.side(0).title().mid(4) != compare.side(1).title().mid(4));
}

void TwoWorldsTest::aForkIsRunBesideItsOrigin() {
  TestWindow window;
  runToItsEnd(window);
  LabController& lab = window.lab();
  QSignalSpy told(&lab, &Session::told);
  window.action(LabAction::kForkAndOrigin)->trigger();
  QVERIFY(!window.labPerspective().pairs()->busy());
  QCOMPARE(told.size(), 1);
  lab.seek(TrueTime(15s));
  QVERIFY(lab.edit("resource.0.fencing", "false"));
  lab.forkHere();
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
  QCOMPARE(lab.courses().size(), std::size_t{2});
  window.action(LabAction::kForkAndOrigin)->trigger();
  waitForTheComparison(window);
  if (QTest::currentTestFailed()) return;
  ComparePerspective& compare = compareOf(window);
  QCOMPARE(compare.side(0).title(), QStringLiteral("A · origin"));
  QVERIFY2(compare.side(1).title().startsWith(QStringLiteral("B · fork at 1")), qPrintable(compare.side(1).title()));
  const ComparedEvent* parted = compare.panel()->comparison()->first_difference();
  QVERIFY(parted != nullptr);
  QVERIFY(parted->at() >= lab.courses().back().from);
}

LEASESCOPE_SUITE(TwoWorldsTest)
#include "two_worlds_test.moc"
