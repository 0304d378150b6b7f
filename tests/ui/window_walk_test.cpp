// The window under every key of the key sheet and every menu entry, in every state it can be in, in an order that the
// seed shuffles: no crash, no warning, and the event loop never held for long. LEASESCOPE_WALK_SEEDS says how many
// seeds (tests/window_walk walks 20, with the sanitizers); one by itself.
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QStandardPaths>
#include <QTabBar>
#include <algorithm>
#include <random>

#include "tests/support/heartbeat.h"
#include "tests/support/impostor.h"
#include "tests/support/redis_program.h"
#include "tests/support/window_hands.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/transport_bar.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/command_palette.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// Instrumented code is three to four times as slow.
#if defined(__SANITIZE_ADDRESS__)
constexpr double kMostMs = 350;
#else
constexpr double kMostMs = 100;
#endif

enum class Walked { kEmpty, kReady, kRunning, kPaused, kFinished, kPlaying, kForked, kLive, kPreparing };
constexpr const char* kNames[] = {"empty",   "ready",  "running", "paused",   "finished",
                                  "playing", "forked", "live",    "preparing"};

const QStringList kScenarios{"gc-pause",           "mixed-fleet", "owner-partition", "leap-strobe",
                             "gc-pause-in-flight", "frozen-now",  "redis-restart",   "healthy"};

QStringList texts(const QList<QAction*>& actions) {
  QStringList out;
  for (const QAction* action : actions) out << action->text();
  return out;
}

constexpr int kMayGo = 4;

}  // namespace

class WindowWalkTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void initTestCase();
  void everyKeyAndEveryMenuEntryInEveryState_data();
  void everyKeyAndEveryMenuEntryInEveryState();
  void fitSelectionShowsTheSelectedIncidentAndThenTheWholeRun();

 private:
  void bring(TestWindow& window, Walked state, const QString& scenario);
  bool isIn(TestWindow& window, Walked state) const;
  void calm(const QString& after);
  void focusSomewhere(TestWindow& window);

  const Impostor silent_{[](Peer& peer, int) { peer.be_silent(); }};  // a store that is looked at for long
  std::mt19937 random_;
  std::unique_ptr<Heartbeat> heart_;
  double longest_ = 0;
  QString longestAfter_;
};

void WindowWalkTest::initTestCase() {
  WindowSuite::initTestCase();
  QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
}

void WindowWalkTest::everyKeyAndEveryMenuEntryInEveryState_data() {
  QTest::addColumn<int>("seed");
  QTest::addColumn<int>("state");
  const int seeds = std::max(1, qEnvironmentVariableIntValue("LEASESCOPE_WALK_SEEDS"));
  for (int seed = 1; seed <= seeds; ++seed)
    for (int state = 0; state <= static_cast<int>(Walked::kPreparing); ++state)
      QTest::addRow("%s, seed %d", kNames[state], seed) << seed << state;
}

bool WindowWalkTest::isIn(TestWindow& window, Walked state) const {
  LabController& lab = window.lab();
  const bool live = state == Walked::kLive || state == Walked::kPreparing;
  if (!window.isVisible() || lab.live() != live) return false;
  const bool model = !lab.values().live();
  switch (state) {
    case Walked::kEmpty:
      return !lab.hasScenario();
    case Walked::kReady:
      return model && lab.hasScenario() && lab.state() == RunState::kReady;
    case Walked::kRunning:
      return model && lab.state() == RunState::kRunning;
    case Walked::kPaused:
      return model && lab.state() == RunState::kPaused && lab.courses().size() == 1;
    case Walked::kFinished:
      return model && lab.state() == RunState::kFinished && lab.courses().size() == 1;
    case Walked::kPlaying:
      return lab.state() == RunState::kPlaying;
    case Walked::kForked:
      return model && lab.courses().size() > 1;
    case Walked::kLive:
      return lab.state() == RunState::kRunning;
    case Walked::kPreparing:
      return lab.state() == RunState::kPreparing;
  }
  return false;
}

void WindowWalkTest::bring(TestWindow& window, Walked state, const QString& scenario) {
  window.turnTo(window.labPerspective());
  window.commandPalette()->hide();
  if (isIn(window, state)) return;
  LabController& lab = window.lab();
  if (!window.isVisible()) window.show();
  if (lab.state() == RunState::kPreparing) lab.stop();
  QTRY_VERIFY_WITH_TIMEOUT(lab.state() != RunState::kPreparing, kPatience);
  if (lab.live() && lab.state() == RunState::kRunning) {
    lab.stop();
    QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
  }
  lab.closeScenario();
  QVERIFY(lab.setStore("model"));
  if (state == Walked::kEmpty) return;
  if (state == Walked::kPreparing) {
    QVERIFY(lab.open(QStringLiteral("healthy")));
    QVERIFY(lab.setStore("redis://127.0.0.1:" + std::to_string(silent_.port())));
    lab.restart();
    QCOMPARE(lab.state(), RunState::kPreparing);
    return;
  }
  if (state == Walked::kLive) {
    QVERIFY(lab.open(QStringLiteral("healthy")));
    QVERIFY(lab.edit("mutex.ttl", "1s"));
    QVERIFY(lab.edit("mutex.transition", "500ms"));
    QVERIFY(lab.edit("duration", "120s"));
    QVERIFY(lab.setStore("redis"));
    lab.restart();
    QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kRunning, kPatience);
    return;
  }
  const bool whole = state == Walked::kFinished || state == Walked::kForked || state == Walked::kPlaying;
  lab.setSpeed(whole ? 0 : 1000);
  QVERIFY(lab.open(scenario));
  if (state == Walked::kReady) return;
  lab.runOrPause();
  if (state == Walked::kPaused) {
    QTRY_VERIFY(lab.now() > TrueTime(50ms));
    lab.runOrPause();
  }
  if (whole) QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
  if (state == Walked::kPlaying) {
    lab.setSpeed(1000);
    lab.seek(TrueTime(lab.length() / 4));
    lab.runOrPause();
  }
  if (state == Walked::kForked) {
    lab.seek(TrueTime(lab.length() / 3));
    lab.forkHere();
    QVERIFY(lab.courses().size() > 1);
  }
}

void WindowWalkTest::calm(const QString& after) {
  const Heartbeat::Silence silence = heart_->longest();
  if (silence.own_ms > longest_) longestAfter_ = after;
  longest_ = std::max(longest_, silence.own_ms);
  QVERIFY2(
      silence.own_ms <= kMostMs,
      qPrintable(
          QStringLiteral("after %1: %2 ms, of it %3 ms of work").arg(after).arg(silence.own_ms).arg(silence.work_ms)));
}

void WindowWalkTest::focusSomewhere(TestWindow& window) {
  QWidgetList able;
  for (QWidget* widget : window.findChildren<QWidget*>())
    if (widget->isVisible() && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus &&
        !qobject_cast<QLineEdit*>(widget) && !qobject_cast<QComboBox*>(widget))
      able << widget;
  if (!able.isEmpty()) able[static_cast<qsizetype>(random_() % static_cast<unsigned>(able.size()))]->setFocus();
}

void WindowWalkTest::everyKeyAndEveryMenuEntryInEveryState() {
  QFETCH(int, seed);
  QFETCH(int, state);
  const auto wanted = static_cast<Walked>(state);
  QVERIFY2(wanted != Walked::kLive || !redis_server_program().isEmpty(), kNoRedis);
  random_.seed(static_cast<unsigned>(seed * 16 + state));
  const QString scenario = kScenarios[(seed - 1) % kScenarios.size()];
  Look::instance().choose(seed % 2 == 0 ? ThemeChoice::kDark : ThemeChoice::kLight);
  TestWindow window;
  window.resize(seed % 3 == 0 ? QSize(1024, 640) : QSize(1440, 900));
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  const SaysNo no;

  bring(window, wanted, scenario);
  QStringList entries = texts(entries_of(window));
  QVERIFY(entries.size() >= 40);
  const QList<QAction*> all = entries_of(window);
  const auto able = std::count_if(all.begin(), all.end(), [](const QAction* action) { return action->isEnabled(); });
  QVERIFY(able >= 20);
  QList<QKeySequence> keys = keys_of(window);
  for (int panel = 1; panel <= 6; ++panel)
    QVERIFY2(keys.contains(QKeySequence(QStringLiteral("Alt+%1").arg(panel))), qPrintable(QString::number(panel)));
  QVERIFY(keys.size() >= 50);
  std::shuffle(entries.begin(), entries.end(), random_);
  std::shuffle(keys.begin(), keys.end(), random_);

  const auto settle = [&](const QString& what) {
    QTest::qWait(12);
    calm(what);
    bring(window, wanted, scenario);
    heart_->longest();  // how it is brought back is not the walk's
  };
  heart_ = std::make_unique<Heartbeat>();
  longest_ = 0;
  int pressed = 0;
  for (const QString& text : entries) {
    heart_->longest();
    // Menus are made anew, and texts change with what can be undone: what has gone meanwhile, or cannot be done, is not
    // pressed, and is not counted.
    for (QAction* action : entries_of(window))
      if (action->text() == text && action->isEnabled()) {
        action->trigger();
        ++pressed;
        break;
      }
    settle(text);
    if (QTest::currentTestFailed()) return;
  }
  for (const QKeySequence& key : keys) {
    focusSomewhere(window);
    heart_->longest();
    press(window, key);
    settle(key.toString());
    if (QTest::currentTestFailed()) return;
  }
  if (window.lab().state() == RunState::kPreparing) window.lab().stop();
  QTRY_VERIFY_WITH_TIMEOUT(window.lab().state() != RunState::kPreparing, kPatience);
  heart_.reset();
  qInfo("%d of %lld entries, %lld keys, longest silence %.1f ms of its own, after %s", pressed,
        static_cast<long long>(entries.size()), static_cast<long long>(keys.size()), longest_,
        qPrintable(longestAfter_));
  // Of those that could be pressed when it began a few are gone by then: an undo, a fork that has another name.
  QVERIFY2(pressed + kMayGo >= able, qPrintable(QStringLiteral("%1 of %2").arg(pressed).arg(able)));
}

void WindowWalkTest::fitSelectionShowsTheSelectedIncidentAndThenTheWholeRun() {
  TestWindow window;
  show(window);
  bring(window, Walked::kFinished, QStringLiteral("gc-pause"));
  window.lab().selectIncident(window.results()->incidents()->worst());
  const Incident& worst = window.lab().history()->incidents[static_cast<std::size_t>(window.lab().selectedIncident())];
  TimelineView* chart = window.view()->timeline();
  const auto shows = [&](Duration least, Duration most) {
    const auto [from, to] = chart->visibleRange();
    return from <= worst.start && worst.end <= to && to - from >= least && to - from <= most;
  };
  const Duration lasts = worst.end - worst.start;
  window.action(ChartAction::kFitSelection)->trigger();
  QTRY_VERIFY(shows(lasts, lasts * 2));
  press(window, QKeySequence(Qt::Key_F));
  QTRY_VERIFY(shows(window.lab().length(), window.lab().length() * 2));
}

LEASESCOPE_SUITE(WindowWalkTest)
#include "window_walk_test.moc"
