// Run from the middle plays what is recorded, and what an edit, a fork or a close leaves behind.
#include <QApplication>
#include <QCheckBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QScreen>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/support/window_suite.h"
#include "ui/lab/transport_bar.h"
#include "ui/lab/values_panel.h"
#include "ui/panels/parts.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

void type(QLineEdit* field, const QString& text) {
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, text);
  QTest::keyClick(field, Qt::Key_Return);
}

// What the chart shows at a moment of the run, in the middle of its rows.
QRgb shownAt(TimelineView* chart, TrueTime at) {
  const QImage image = chart->viewport()->grab().toImage();
  return image.pixel(chart->pixelOf(at), image.height() - 8);
}

}  // namespace

class PlayTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void initTestCase();
  void runFromTheMiddlePlaysWhatIsRecordedFromThere();
  void theFutureIsVeiledWhileItIsPlayed();
  void playingAnUnfinishedRunGoesOnIntoIt();
  void runAgainRunsAnewFromTheStart();
  void whatMovesThePlayheadEndsThePlaying();
  void theViewDoesNotLeaveTheRun();
  void nothingIsSelectedAfterClosing();
  void afterAForkItsMenuLeadsBack();
  void aRefusedValueStaysUntilItIsMended();
  void valuesAsInTheFileBringsTheFaultsBack();
  void anotherSeedIsRun();
  void theFirstWindowFitsItsScreen();
};

void PlayTest::initTestCase() {
  WindowSuite::initTestCase();
  Look::instance().choose(ThemeChoice::kLight);
}

void PlayTest::runFromTheMiddlePlaysWhatIsRecordedFromThere() {
  TestWindow window;
  runToItsEnd(window);
  LabController& lab = window.lab();
  const auto events = lab.history()->events.size();
  const auto hash = lab.traceHash();
  QSignalSpy reset(&lab, &LabController::runReset);
  lab.setSpeed(10'000);
  lab.seek(TrueTime(12s));
  window.action(LabAction::kRun)->trigger();
  QCOMPARE(lab.state(), RunState::kPlaying);
  QVERIFY(lab.playhead() >= TrueTime(12s) && lab.playhead() < TrueTime(14s));
  QTest::qWait(200);
  const TrueTime later = lab.playhead();
  QVERIFY(later > TrueTime(13s) && later < TrueTime(30s));
  window.action(LabAction::kRun)->trigger();
  QCOMPARE(lab.state(), RunState::kFinished);
  const TrueTime held = lab.playhead();
  QTest::qWait(60);
  QCOMPARE(lab.playhead(), held);
  lab.setSpeed(0);
  window.action(LabAction::kRun)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
  QCOMPARE(lab.playhead(), lab.now());
  QCOMPARE(reset.count(), 0);  // it is the same run all along
  QCOMPARE(lab.history()->events.size(), events);
  QCOMPARE(lab.traceHash(), hash);
}

void PlayTest::theFutureIsVeiledWhileItIsPlayed() {
  TestWindow window;
  runToItsEnd(window);
  LabController& lab = window.lab();
  TimelineView* chart = window.view()->timeline();
  chart->fitAll();
  lab.setSpeed(1000);
  lab.seek(TrueTime(20s));
  const QRgb past = shownAt(chart, TrueTime(10s)), future = shownAt(chart, TrueTime(40s));
  window.action(LabAction::kRun)->trigger();
  QTest::qWait(60);
  QVERIFY(chart->veilFrom().has_value());
  QVERIFY(shownAt(chart, TrueTime(40s)) != future);
  QCOMPARE(shownAt(chart, TrueTime(10s)), past);
  window.action(LabAction::kRun)->trigger();
  QVERIFY(!chart->veilFrom().has_value());
  QCOMPARE(shownAt(chart, TrueTime(40s)), future);
}

void PlayTest::playingAnUnfinishedRunGoesOnIntoIt() {
  TestWindow window;
  window.show();
  LabController& lab = window.lab();
  lab.setSpeed(10'000);
  QVERIFY(lab.open(QStringLiteral("healthy")));
  lab.runOrPause();
  QTRY_VERIFY(lab.now() > TrueTime(3s));
  lab.runOrPause();
  const TrueTime edge = lab.now();
  lab.seek(TrueTime(1s));
  lab.runOrPause();
  QCOMPARE(lab.state(), RunState::kPlaying);
  QTRY_COMPARE(lab.state(), RunState::kRunning);
  QTRY_VERIFY(lab.now() > edge + 1s);
  lab.runOrPause();
  QCOMPARE(lab.state(), RunState::kPaused);
}

void PlayTest::runAgainRunsAnewFromTheStart() {
  TestWindow window;
  runToItsEnd(window);
  LabController& lab = window.lab();
  lab.seek(TrueTime(30s));
  lab.setSpeed(1000);
  window.action(LabAction::kRestart)->trigger();
  QCOMPARE(lab.state(), RunState::kRunning);
  QVERIFY(lab.now() < TrueTime(1s));
}

void PlayTest::whatMovesThePlayheadEndsThePlaying() {
  TestWindow window;
  runToItsEnd(window);
  LabController& lab = window.lab();
  lab.setSpeed(1000);
  const auto playing = [&] {
    lab.seek(TrueTime(12s));
    lab.runOrPause();
    QTest::qWait(40);
    return lab.state() == RunState::kPlaying;
  };
  QVERIFY(playing());
  window.view()->timeline()->setCursorTime(TrueTime(40s));
  QCOMPARE(lab.state(), RunState::kFinished);
  QCOMPARE(lab.playhead(), TrueTime(40s));
  QVERIFY(playing());
  const TrueTime before = lab.playhead();
  lab.stepBack();
  QCOMPARE(lab.state(), RunState::kFinished);
  QVERIFY(lab.playhead() <= before + 1s);
  QVERIFY(playing());
  lab.stop();
  QCOMPARE(lab.state(), RunState::kFinished);
  QVERIFY(playing());
  lab.forkHere();
  QCOMPARE(lab.courses().size(), std::size_t{2});
  QTRY_COMPARE(lab.state(), RunState::kPaused);
}

void PlayTest::theViewDoesNotLeaveTheRun() {
  TestWindow window;
  runToItsEnd(window);
  TimelineView* chart = window.view()->timeline();
  const auto inside = [&] {
    const auto [from, to] = chart->visibleRange();
    const Duration margin = (to - from) / 10;
    return from >= TrueTime{} - margin && to <= TrueTime(60s) + margin;
  };
  for (int i = 0; i < 20; ++i) chart->zoomOut();
  QVERIFY(inside());
  chart->fitRange(TrueTime(-30s), TrueTime(-10s), false);
  QVERIFY(inside());
  chart->fitRange(TrueTime(80s), TrueTime(90s), false);
  QVERIFY(inside());
  for (int i = 0; i < 60; ++i) QTest::keyClick(chart, Qt::Key_A);
  QVERIFY(inside());
  for (int i = 0; i < 120; ++i) QTest::keyClick(chart, Qt::Key_D);
  QVERIFY(inside());
}

void PlayTest::nothingIsSelectedAfterClosing() {
  TestWindow window;
  runToItsEnd(window);
  window.lab().selectIncident(0);
  QSignalSpy selected(&window.lab(), &LabController::incidentSelected);
  window.action(LabAction::kCloseScenario)->trigger();
  QCOMPARE(selected.count(), 1);
  QCOMPARE(selected.first().first().toInt(), -1);
  auto* panel = window.labPerspective().findChild<QWidget*>(QStringLiteral("selectionPanel"));
  for (const QLabel* label : panel->findChildren<QLabel*>())
    QVERIFY2(!label->text().contains(QStringLiteral("How it came about")), qPrintable(label->text()));
}

void PlayTest::afterAForkItsMenuLeadsBack() {
  TestWindow window;
  runToItsEnd(window);
  LabController& lab = window.lab();
  lab.seek(TrueTime(20s));
  QVERIFY(lab.edit("resource.fencing", "false"));
  lab.forkHere();
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
  QVERIFY(!lab.whyNoFork().isEmpty());  // at the end: nothing is left to fork
  auto* button = window.findChild<QToolButton*>(QStringLiteral("fork"));
  QVERIFY(button->isEnabled());
  QMenu* menu = window.findChild<QMenu*>(QStringLiteral("runs"));
  Q_EMIT menu->aboutToShow();
  QAction* original = nullptr;
  for (QAction* entry : menu->actions())
    if (entry->text().startsWith(QStringLiteral("Original run"))) original = entry;
  QVERIFY(original && original->isEnabled());
  original->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
  QCOMPARE(lab.courses().size(), std::size_t{1});
  lab.closeScenario();
  QVERIFY(!button->isEnabled());
}

void PlayTest::aRefusedValueStaysUntilItIsMended() {
  TestWindow window;
  runToItsEnd(window);
  auto* values = window.valuesPanel();
  QLineEdit* ttl = values->field(QStringLiteral("ttl"));
  type(ttl, QStringLiteral("5 sec"));
  QVERIFY(values->error()->isVisible());
  type(values->field(QStringLiteral("contenders")), QStringLiteral("4"));
  QCOMPARE(window.lab().scenario().contender_count(), 4);
  QCOMPARE(ttl->text(), QStringLiteral("5 sec"));
  QVERIFY(ttl->property("invalid").toBool());
  QVERIFY(values->error()->isVisible());
  type(ttl, QStringLiteral("4s"));
  QVERIFY(!values->error()->isVisible());
  QCOMPARE(window.lab().scenario().terms().ttl, 4s);
  type(ttl, QStringLiteral("nonsense"));
  window.lab().open(QStringLiteral("healthy"));  // another scenario has its own values
  QVERIFY(!values->error()->isVisible());
  QVERIFY(ttl->text() != QStringLiteral("nonsense"));
}

void PlayTest::valuesAsInTheFileBringsTheFaultsBack() {
  TestWindow window;
  runToItsEnd(window);
  QVERIFY(!window.action(LabAction::kResetValues)->isEnabled());
  window.lab().setFault(0, false);
  QVERIFY(window.action(LabAction::kResetValues)->isEnabled());
  window.action(LabAction::kResetValues)->trigger();
  QVERIFY(window.lab().scenario().faults.front().enabled);
  QVERIFY(!window.lab().document().modified());
  QVERIFY(window.findChild<QCheckBox*>(QStringLiteral("fault0"))->isChecked());
}

void PlayTest::anotherSeedIsRun() {
  TestWindow window;
  runToItsEnd(window);
  LabController& lab = window.lab();
  const auto hash = lab.traceHash();
  window.action(LabAction::kNewSeed)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
  QCOMPARE(lab.outcome().seed, lab.scenario().seed);
  QVERIFY(lab.traceHash() != hash);
  type(window.findChild<QLineEdit*>(QStringLiteral("seed")), QStringLiteral("4711"));
  QTRY_COMPARE_WITH_TIMEOUT(lab.outcome().seed, std::uint64_t{4711}, kPatience);
}

// The platform of the tests has a screen of 800 × 800.
void PlayTest::theFirstWindowFitsItsScreen() {
  QSettings().clear();
  TestWindow window;
  window.restore();
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  const QSize screen = window.screen()->availableSize();
  QVERIFY2(window.width() <= screen.width() && window.height() <= screen.height(),
           qPrintable(QStringLiteral("%1x%2").arg(window.width()).arg(window.height())));
  // Too narrow for docks on both sides: the compact layout.
  QVERIFY(!window.labPerspective().findChild<QDockWidget*>(QStringLiteral("labListDock"))->isVisible());
  QVERIFY(window.view()->width() >= 400);
}

LEASESCOPE_SUITE(PlayTest)
#include "play_test.moc"
