// Back and forth in a run, as a reader would: the scrubber, steps, forks, and never a frame that hangs.
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>

#include <fmt/format.h>

#include "simulator/run/virtual_run.h"
#include "tests/support/heartbeat.h"
#include "tests/support/redis_program.h"
#include "tests/support/window_suite.h"
#include "ui/lab/transport_bar.h"
#include "ui/lab/values_panel.h"
#include "ui/panels/parts.h"
#include "ui/panels/scrubber.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

void press(Scrubber* scrubber, TrueTime at) {
  QTest::mousePress(scrubber, Qt::LeftButton, {}, QPoint(scrubber->pixelOf(at), 18));
}
void drag(Scrubber* scrubber, TrueTime at) {
  QMouseEvent move(QEvent::MouseMove, QPointF(scrubber->pixelOf(at), 18),
                   scrubber->mapToGlobal(QPointF(scrubber->pixelOf(at), 18)), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(scrubber, &move);
}
void let_go(Scrubber* scrubber, TrueTime at) {
  QTest::mouseRelease(scrubber, Qt::LeftButton, {}, QPoint(scrubber->pixelOf(at), 18));
}

// Computed beside the window: all that is due by then has happened.
std::uint64_t hash_at(const Scenario& scenario, TrueTime at) {
  VirtualRun run(scenario);
  run.advance(at);
  return *run.outcome().trace_hash;
}

std::uint64_t hash_of_fork(const Scenario& of, const Scenario& changed, TrueTime at) {
  VirtualRun run(of);
  if (!run.fork(at, changed)) return 0;
  run.advance(TrueTime::max());
  return *run.outcome().trace_hash;
}

std::vector<Event> events_until(const History& history, TrueTime at) {
  std::vector<Event> out;
  for (const Event& event : history.events)
    if (event.at() <= at) out.push_back(event);
  return out;
}

bool same(const std::vector<Event>& a, const std::vector<Event>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Event& x, const Event& y) {
    return x.at() == y.at() && x.kind == y.kind && x.node == y.node && x.mutex == y.mutex && x.token == y.token &&
           x.a == y.a;
  });
}

}  // namespace

class TimeTravelTest : public leasescope::tests::WindowSuite {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theScrubberBringsTheRunToAMoment();
  void aStepForwardAndOneBackComeToTheSame();
  void theKeysStepAndTheButtonsTellThem();
  void theArrowsStepInTheScrubber();
  void theChartAndTheScrubberShareOneMoment();
  void whatLiesBeyondThePlayheadStays();
  void aForkKeepsThePastAndTakesTheChangedValue();
  void aForkWithNothingChangedWaitsForAValue();
  void aForkIsUndoneAndTheOldRunIsTheSame();
  void whatCannotChangeAtAForkIsToldAndNothingIsLost();
  void aForkWaitsInTheMenuAfterTheRunWasStartedAnew();
  void whatIsOffSaysWhy();
  void aLiveRunHasNoWayBack();
  void noFrameHangsOnAMillionEvents();

 private:
  void fits(const char* what, Heartbeat& heart);
};

void TimeTravelTest::initTestCase() {
  WindowSuite::initTestCase();
  Look::instance().choose(ThemeChoice::kLight);
}

// ---- the playhead

void TimeTravelTest::theScrubberBringsTheRunToAMoment() {
  TestWindow window;
  runToItsEnd(window);
  const Scenario scenario = window.lab().scenario();
  Scrubber* scrubber = window.transport()->scrubber();
  QCOMPARE(window.lab().playhead(), TrueTime{} + scenario.length());
  QCOMPARE(window.lab().traceHash(), window.lab().outcome().trace_hash);
  press(scrubber, TrueTime(20s));
  for (const TrueTime at : {TrueTime(45s), TrueTime(3s), TrueTime(17s), TrueTime{}, TrueTime(33s)}) {
    drag(scrubber, at);
    const TrueTime playhead = window.lab().playhead();
    QVERIFY(std::chrono::abs(playhead - at) < 500ms);  // a pixel or two of it
    QCOMPARE(scrubber->pixelOf(playhead), scrubber->pixelOf(at));
    QCOMPARE(*window.lab().traceHash(), hash_at(scenario, playhead));
  }
  let_go(scrubber, TrueTime(33s));
  QCOMPARE(window.lab().state(), RunState::kFinished);
  drag(scrubber, TrueTime(10s));  // let go: only passing by
  QVERIFY(window.lab().playhead() > TrueTime(30s));
}

void TimeTravelTest::aStepForwardAndOneBackComeToTheSame() {
  TestWindow window;
  runToItsEnd(window);
  const Scenario scenario = window.lab().scenario();
  window.lab().seek(TrueTime(20s));                // where no two inputs share a moment
  window.action(LabAction::kStepBack)->trigger();  // onto an input
  for (int i = 0; i < 40; ++i) {
    const TrueTime at = window.lab().playhead();
    const auto hash = window.lab().traceHash();
    QCOMPARE(*hash, hash_at(scenario, at));
    window.action(LabAction::kStep)->trigger();
    QVERIFY(window.lab().traceHash() != hash);
    window.action(LabAction::kStepBack)->trigger();
    QCOMPARE(window.lab().playhead(), at);
    QCOMPARE(window.lab().traceHash(), hash);
    window.action(LabAction::kStepBack)->trigger();
    QVERIFY(window.lab().playhead() <= at);
    QVERIFY(window.lab().traceHash() != hash);
  }
  const auto events = window.lab().history()->events.size();
  window.action(LabAction::kStepBackTen)->trigger();
  const TrueTime ten = window.lab().playhead();
  for (int i = 0; i < 10; ++i) window.action(LabAction::kStepBack)->trigger();
  window.action(LabAction::kStepTen)->trigger();
  QCOMPARE(window.lab().playhead(), ten);
  QCOMPARE(window.lab().history()->events.size(), events);
}

void TimeTravelTest::theKeysStepAndTheButtonsTellThem() {
  TestWindow window;
  runToItsEnd(window);
  window.lab().seek(TrueTime(21s));
  QTest::keyClick(&window, Qt::Key_Left, Qt::ControlModifier);
  const TrueTime back = window.lab().playhead();
  QVERIFY(back < TrueTime(21s) && back > TrueTime(20s));
  QTest::keyClick(&window, Qt::Key_Right, Qt::ControlModifier);
  QVERIFY(window.lab().playhead() > back);
  int told = 0;
  for (const QToolButton* button : window.transport()->findChildren<QToolButton*>())
    for (const LabAction which : {LabAction::kStepBack, LabAction::kStep, LabAction::kFork})
      if (button->defaultAction() == window.action(which) ||
          (which == LabAction::kFork && button->objectName() == QLatin1String("fork"))) {
        QVERIFY(!button->icon().isNull());
        QVERIFY2(button->toolTip().contains(QStringLiteral("Ctrl+")), qPrintable(button->toolTip()));
        ++told;
      }
  QCOMPARE(told, 3);
}

void TimeTravelTest::theArrowsStepInTheScrubber() {
  TestWindow window;
  runToItsEnd(window);
  Scrubber* scrubber = window.transport()->scrubber();
  window.lab().seek(TrueTime(25s));
  QTest::keyClick(scrubber, Qt::Key_Left);
  const TrueTime one = window.lab().playhead();
  QVERIFY(one < TrueTime(25s) && one > TrueTime(24s));
  QTest::keyClick(scrubber, Qt::Key_Right, Qt::ShiftModifier);
  QTest::keyClick(scrubber, Qt::Key_Left, Qt::ShiftModifier);
  QCOMPARE(window.lab().playhead(), one);
  QTest::keyClick(scrubber, Qt::Key_Home);
  QCOMPARE(window.lab().playhead(), TrueTime{});
  QTest::keyClick(scrubber, Qt::Key_PageDown);
  QVERIFY(window.lab().selectedIncident() >= 0);
  const auto& incidents = window.lab().history()->incidents;
  QCOMPARE(window.lab().playhead(), incidents[static_cast<std::size_t>(window.lab().selectedIncident())].start);
  QTest::keyClick(scrubber, Qt::Key_End);
  QCOMPARE(window.lab().playhead(), window.lab().now());
}

void TimeTravelTest::theChartAndTheScrubberShareOneMoment() {
  TestWindow window;
  runToItsEnd(window);
  TimelineView* chart = window.view()->timeline();
  window.lab().seek(TrueTime(12s));
  QCOMPARE(chart->cursorTime(), TrueTime(12s));
  chart->setCursorTime(TrueTime(40s));
  QCOMPARE(window.lab().playhead(), TrueTime(40s));
  // Out of view, the chart comes after it.
  chart->fitRange(TrueTime(10s), TrueTime(20s), false);
  press(window.transport()->scrubber(), TrueTime(50s));
  let_go(window.transport()->scrubber(), TrueTime(50s));
  const auto [from, to] = chart->visibleRange();
  QVERIFY(from < window.lab().playhead() && window.lab().playhead() < to);
}

void TimeTravelTest::whatLiesBeyondThePlayheadStays() {
  TestWindow window;
  window.resize(1440, 900);
  window.show();
  window.lab().setSpeed(10'000);
  window.open(QStringLiteral("gc-pause"));
  QTRY_VERIFY(window.lab().now() > TrueTime(3s));
  // Taken hold of, a run stands; what it has come to stays.
  press(window.transport()->scrubber(), TrueTime(1s));
  let_go(window.transport()->scrubber(), TrueTime(1s));
  QCOMPARE(window.lab().state(), RunState::kPaused);
  const TrueTime newest = window.lab().now();
  const auto events = window.lab().history()->events.size();
  QVERIFY(window.lab().playhead() < TrueTime(2s) && newest > TrueTime(3s));
  press(window.transport()->scrubber(), TrueTime(50s));  // not run yet: as far as it is
  QCOMPARE(window.lab().playhead(), newest);
  let_go(window.transport()->scrubber(), TrueTime(50s));
  window.lab().seek(TrueTime(1s));
  QCOMPARE(window.lab().history()->events.size(), events);
  QCOMPARE(window.view()->timeline()->data().now(), newest);
  // It goes on from where it had come to, and the playhead with it.
  const Scenario scenario = window.lab().scenario();
  window.action(LabAction::kToEnd)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QCOMPARE(window.lab().playhead(), window.lab().now());
  QCOMPARE(*window.lab().traceHash(), hash_at(scenario, window.lab().now()));
}

// ---- forks

void TimeTravelTest::aForkKeepsThePastAndTakesTheChangedValue() {
  TestWindow window;
  runToItsEnd(window);
  const Scenario of = window.lab().scenario();
  QVERIFY(window.lab().outcome().summary.stale_writes_rejected > 0);
  const TrueTime kept(18s);
  window.lab().seek(kept);
  const std::vector<Event> past = events_until(*window.lab().history(), kept);
  window.valuesPanel()->findChild<Switch*>(QStringLiteral("fencing"))->click();
  const Scenario changed = window.lab().scenario();
  window.valuesPanel()->findChild<QPushButton*>(QStringLiteral("forkHere"))->click();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QVERIFY(same(events_until(*window.lab().history(), kept), past));
  QVERIFY(window.lab().outcome().summary.stale_writes_accepted > 0);
  QCOMPARE(window.lab().outcome().summary.stale_writes_rejected, 0u);
  QCOMPARE(*window.lab().traceHash(), hash_of_fork(of, changed, kept + Duration(1)));
  QVERIFY(!window.lab().stale());
  QVERIFY(window.windowTitle().contains(QStringLiteral("fork at 18.000 s")));
  // What was before the fork can still be looked at.
  window.lab().seek(TrueTime(9s));
  QCOMPARE(*window.lab().traceHash(), hash_at(of, TrueTime(9s)));
}

void TimeTravelTest::aForkWithNothingChangedWaitsForAValue() {
  TestWindow window;
  runToItsEnd(window);
  const Scenario of = window.lab().scenario();
  window.lab().seek(TrueTime(18s));
  window.action(LabAction::kFork)->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(window.lab().waitsAtFork(), kPatience);
  QCOMPARE(window.lab().now(), TrueTime(18s));
  window.lab().setFault(1, false);  // the stop at 29 s
  const Scenario changed = window.lab().scenario();
  window.action(LabAction::kRun)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QCOMPARE(*window.lab().traceHash(), hash_of_fork(of, changed, TrueTime(18s) + Duration(1)));
  for (const Event& event : window.lab().history()->events) QVERIFY(event.kind != EventKind::kStopped);
  QCOMPARE(window.lab().relatives().size(), 2u);  // the original and this one, not the one that waited
}

void TimeTravelTest::aForkIsUndoneAndTheOldRunIsTheSame() {
  TestWindow window;
  runToItsEnd(window);
  const auto original = window.lab().outcome().trace_hash;
  const auto events = window.lab().history()->events.size();
  window.lab().seek(TrueTime(18s));
  QVERIFY(window.lab().edit("resource.0.fencing", "false"));
  window.action(LabAction::kFork)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  const auto forked = window.lab().outcome().trace_hash;
  QVERIFY(forked != original);
  QVERIFY(window.action(LabAction::kUndo)->text().contains(QStringLiteral("fork at 18.000 s")));
  window.action(LabAction::kUndo)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QCOMPARE(window.lab().outcome().trace_hash, original);
  QCOMPARE(window.lab().history()->events.size(), events);
  QCOMPARE(window.lab().playhead(), TrueTime(18s));  // where it stood
  QVERIFY(!window.lab().scenario().fencing());       // the edit before is another step
  window.action(LabAction::kUndo)->trigger();
  QVERIFY(window.lab().scenario().fencing());
  window.action(LabAction::kRedo)->trigger();
  window.action(LabAction::kRedo)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QCOMPARE(window.lab().outcome().trace_hash, forked);
}

void TimeTravelTest::whatCannotChangeAtAForkIsToldAndNothingIsLost() {
  TestWindow window;
  runToItsEnd(window);
  const auto original = window.lab().outcome().trace_hash;
  window.lab().seek(TrueTime(18s));
  QVERIFY(window.lab().edit("mutex.ttl", "3s"));
  window.action(LabAction::kFork)->trigger();
  ProblemBox* box = window.view()->problem();
  QVERIFY(box->isVisible());
  QVERIFY2(box->problem().message.contains(QStringLiteral("ttl")), qPrintable(box->problem().message));
  QCOMPARE(window.lab().state(), RunState::kFinished);
  QCOMPARE(window.lab().outcome().trace_hash, original);
  QCOMPARE(window.lab().playhead(), TrueTime(18s));
  QCOMPARE(window.lab().courses().size(), 1u);
}

void TimeTravelTest::aForkWaitsInTheMenuAfterTheRunWasStartedAnew() {
  TestWindow window;
  runToItsEnd(window);
  window.lab().seek(TrueTime(18s));
  QVERIFY(window.lab().edit("resource.0.fencing", "false"));
  window.action(LabAction::kFork)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  const auto forked = window.lab().outcome().trace_hash;
  QVERIFY(window.lab().edit("resource.0.fencing", "true"));
  window.action(LabAction::kRestart)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QVERIFY(window.lab().outcome().trace_hash != forked);
  auto* menu = window.findChild<QMenu*>(QStringLiteral("runs"));
  QVERIFY(menu);
  Q_EMIT menu->aboutToShow();
  QAction* fork = nullptr;
  for (QAction* entry : menu->actions())
    if (entry->text().startsWith(QStringLiteral("Fork at 18.000 s"))) fork = entry;
  QVERIFY(fork);
  QVERIFY2(fork->text().contains(QStringLiteral("resource.0.fencing = false")), qPrintable(fork->text()));
  fork->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QCOMPARE(window.lab().outcome().trace_hash, forked);
}

// ---- what is off

void TimeTravelTest::whatIsOffSaysWhy() {
  TestWindow window;
  window.show();
  const auto told = [&](LabAction which, const QString& why) {
    const QAction* action = window.action(which);
    return !action->isEnabled() && action->toolTip().endsWith(why);
  };
  for (const LabAction which : {LabAction::kStepBack, LabAction::kStep, LabAction::kFork})
    QVERIFY(told(which, QStringLiteral("no scenario is open")));
  runToItsEnd(window);
  QVERIFY(told(LabAction::kStep, QStringLiteral("the playhead is at the end")));
  QVERIFY(told(LabAction::kFork, QStringLiteral("the playhead is at the end")));
  QVERIFY(window.action(LabAction::kStepBack)->isEnabled());
  window.lab().seek(TrueTime{});
  QVERIFY(told(LabAction::kStepBack, QStringLiteral("the playhead is at the beginning")));
  QVERIFY(window.action(LabAction::kStep)->isEnabled() && window.action(LabAction::kFork)->isEnabled());
  QVERIFY(!window.action(LabAction::kStep)->toolTip().contains(QStringLiteral("playhead")));
}

void TimeTravelTest::aLiveRunHasNoWayBack() {
  QVERIFY2(!redis_server_program().isEmpty(), kNoRedis);
  TestWindow window;
  runToItsEnd(window, QStringLiteral("healthy"));
  QVERIFY(window.lab().edit("mutex.ttl", "1s"));
  QVERIFY(window.lab().edit("mutex.transition", "500ms"));
  QVERIFY(window.lab().edit("duration", "3s"));
  QVERIFY(window.lab().setStore("redis"));
  window.action(LabAction::kRestart)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kRunning, 30'000);
  Scrubber* scrubber = window.transport()->scrubber();
  for (const bool ended : {false, true}) {
    if (ended) QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, 30'000);
    for (const LabAction which : {LabAction::kStepBack, LabAction::kStepBackTen, LabAction::kStep, LabAction::kFork}) {
      QVERIFY(!window.action(which)->isEnabled());
      QVERIFY2(window.action(which)->toolTip().contains(QStringLiteral("live run")),
               qPrintable(window.action(which)->toolTip()));
    }
    QVERIFY2(scrubber->toolTip().contains(QStringLiteral("live run")), qPrintable(scrubber->toolTip()));
    const TrueTime newest = window.lab().now();
    press(scrubber, TrueTime(100ms));
    let_go(scrubber, TrueTime(100ms));
    QTest::keyClick(scrubber, Qt::Key_Home);
    QVERIFY(window.lab().playhead() >= newest);
    QCOMPARE(window.lab().state(), ended ? RunState::kFinished : RunState::kRunning);
  }
}

// ---- speed

void TimeTravelTest::fits(const char* what, Heartbeat& heart) {
  const int beats = heart.beats();
  const Heartbeat::Silence silence = heart.longest();
  qInfo("%-24s longest silence %5.1f ms of its own, %5.1f ms by the watch, %d beats", what, silence.own_ms,
        silence.wall_ms, beats);
  QVERIFY2(silence.own_ms < 50, what);
}

// Sixteen contenders for four mutexes, every one of them paused now and then.
QByteArray million() {
  std::string toml =
      "schema = 1\ntitle = \"A million\"\nseed = 3\nduration = \"3600s\"\n[mutex]\nname = \"orders\"\ncount = 4\n"
      "ttl = \"2s\"\ntransition = \"1s\"\n[[contender]]\ncount = 16\nclock = { drift_ppm = 50 }\n"
      "[[resource]]\nname = \"ledger\"\nwrite_every = \"20ms\"\n";
  for (int i = 0; i < 120; ++i)
    toml += fmt::format("[[fault]]\nat = \"{}s\"\nkind = \"pause\"\ntarget = \"c{}\"\nduration = \"5s\"\n", 30 * i + 10,
                        i % 16 + 1);
  return QByteArray::fromStdString(toml);
}

void TimeTravelTest::noFrameHangsOnAMillionEvents() {
  QFile file(home_.filePath(QStringLiteral("million.toml")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(million());
  file.close();
  TestWindow window;
  show(window);
  LabController& lab = window.lab();
  Scrubber* scrubber = window.transport()->scrubber();
  Heartbeat heart;
  const auto arrive = [&] { QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, 120'000); };
  // Until the window has come to everything that waited for it just now.
  const auto beat = [&] {
    const int before = heart.beats();
    QVERIFY(QTest::qWaitFor([&] { return heart.beats() > before + 1; }));
  };
  // Real time is what this is about: what the window puts off by a tenth of a second is still part of what is measured.
  const auto watch = [] { QTest::qWait(200); };
  beat();
  (void)heart.longest();  // its first frame is no part of it

  window.open(file.fileName());
  QTRY_VERIFY(lab.now() > TrueTime{});
  const Heartbeat::Silence opening = heart.longest();  // its plan is a list of 120 rows, made once
  qInfo("opening: longest silence %.1f ms of its own", opening.own_ms);
  arrive();
  watch();
  fits("running", heart);
  QVERIFY2(lab.outcome().events >= 1'000'000, qPrintable(QString::number(lab.outcome().events)));
  const Scenario of = lab.scenario();
  const auto original = lab.outcome().trace_hash;

  QRandomGenerator random(7);
  const auto place = [&] { return TrueTime(Duration(random.bounded(qint64{lab.length().count()}))); };
  QSignalSpy settled(&lab, &LabController::settled);
  press(scrubber, place());
  for (int i = 0; i < 40; ++i) {
    drag(scrubber, place());
    if (i % 4 == 0)
      QVERIFY(settled.wait());  // it rests now and then
    else
      beat();
  }
  let_go(scrubber, TrueTime(1200s));
  fits("dragging", heart);

  for (int i = 0; i < 12; ++i) {
    lab.seek(place());
    for (int k = 0; k < 5; ++k) {
      window.action(LabAction::kStepBack)->trigger();
      beat();
    }
    window.action(LabAction::kStepBackTen)->trigger();
    beat();
    for (int k = 0; k < 5; ++k) {
      window.action(LabAction::kStep)->trigger();
      beat();
    }
  }
  fits("stepping back and forth", heart);

  const TrueTime kept(3000s);
  lab.seek(kept);
  QCOMPARE(*lab.traceHash(), hash_at(of, kept));
  beat();
  (void)heart.longest();  // the comparison just now was no part of the window
  QVERIFY(lab.edit("resource.0.fencing", "false"));
  beat();
  window.action(LabAction::kFork)->trigger();
  beat();
  arrive();
  watch();
  fits("forking", heart);
  QVERIFY(lab.outcome().events >= 1'000'000);
  QCOMPARE(lab.courses().size(), 2u);

  window.action(LabAction::kUndo)->trigger();
  beat();
  arrive();
  watch();
  fits("undoing the fork", heart);
  QCOMPARE(lab.outcome().trace_hash, original);
}

LEASESCOPE_SUITE(TimeTravelTest)
#include "time_travel_test.moc"
