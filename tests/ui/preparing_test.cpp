// The window while a store starts: what it shows, and that whatever a user does then is done, at whatever moment, with
// nothing left of the store that was started.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QStandardPaths>
#include <random>

#include "core/time/duration_text.h"
#include "tests/support/heartbeat.h"
#include "tests/support/impostor.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/window_suite.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/transport_bar.h"
#include "ui/panels/preparation_box.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr double kMostMs = 100;  // of the event loop's silence, as everywhere in the window

struct Deed {
  const char* name;
  std::function<void(TestWindow&)> act;
  std::function<bool(LabController&)> done;  // what is so then
};

bool isOf(LabController& lab, const char* scenario, RunState state) {
  return lab.hasScenario() && lab.source().name == scenario && lab.state() == state;
}

}  // namespace

class PreparingTest : public WindowSuite {
  Q_OBJECT

  QString file_;

  // Of a user while that store starts.
  std::vector<Deed> deeds(const char* store = "redis");
  // A private redis begins to start in it, after a fork of a virtual run.
  void prepare(TestWindow& window, const std::string& store = "redis");

 private slots:
  void initTestCase();
  void init();
  void whateverIsDoneWhileAStoreStartsIsDone_data();
  void whateverIsDoneWhileAStoreStartsIsDone();
  void anythingAtAnyMomentIsSafe();
  void aForkIsGoneBackFromWhileAStoreStarts();
  void theRunIsAsItWasBeforeWhenItIsCancelled();
  void aStoreThatSaysNothingDoesNotStopTheWindow_data();
  void aStoreThatSaysNothingDoesNotStopTheWindow();
  void whatItDoesIsShownAndCanBeCancelled_data();
  void whatItDoesIsShownAndCanBeCancelled();
  void whatIsOverAtOnceIsNotShown();
};

void PreparingTest::initTestCase() {
  WindowSuite::initTestCase();
  QVERIFY2(!QStandardPaths::findExecutable(QStringLiteral("redis-server")).isEmpty(), "no redis-server is installed");
  file_ = home_.filePath(QStringLiteral("mine.toml"));
  QFile file(file_);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray::fromStdString(findSource("gc-pause")->toml));
}

void PreparingTest::init() {
  UiSuite::init();
  QSettings().clear();
}

void PreparingTest::prepare(TestWindow& window, const std::string& store) {
  LabController& lab = window.lab();
  lab.setSpeed(0);
  QVERIFY(lab.setStore("model"));
  QVERIFY(lab.open(QStringLiteral("healthy")));
  QVERIFY(lab.edit("mutex.ttl", "1s"));
  QVERIFY(lab.edit("mutex.transition", "500ms"));
  QVERIFY(lab.setStore(store));
  lab.restart();
  QCOMPARE(lab.state(), RunState::kPreparing);
}

std::vector<Deed> PreparingTest::deeds(const char* store) {
  const auto ready = [](const char* wanted, const char* ttl = "1s") {
    return [wanted, ttl](LabController& lab) {
      return isOf(lab, "healthy", RunState::kReady) && lab.values().store == wanted && lab.runStore() == wanted &&
             format_duration(lab.scenario().terms().ttl) == ttl;
    };
  };
  const auto trigger = [](LabAction which) {
    return [which](TestWindow& window) {
      QVERIFY(window.action(which)->isEnabled());
      window.action(which)->trigger();
    };
  };
  return {
      {"a file is dropped",
       [this](TestWindow& window) {
         QMimeData dropped;
         dropped.setUrls({QUrl::fromLocalFile(file_)});
         // Qt gives a drop to whoever has taken the drag.
         QDragEnterEvent drag(QPoint(400, 400), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
         QApplication::sendEvent(&window, &drag);
         QVERIFY(drag.isAccepted());
         QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
         QApplication::sendEvent(&window, &drop);
       },
       [this](LabController& lab) {
         return lab.source().name == file_.toStdString() && lab.state() == RunState::kReady;
       }},
      {"another scenario is chosen",
       [](TestWindow& window) {
         QVERIFY(window.scenarios()->isEnabled());
         Q_EMIT window.scenarios()->chosen(QStringLiteral("gc-pause"));
       },
       [](LabController& lab) { return isOf(lab, "gc-pause", RunState::kReady); }},
      {"the scenario is closed", trigger(LabAction::kCloseScenario),
       [](LabController& lab) { return !lab.hasScenario() && lab.state() == RunState::kEmpty; }},
      {"undo", trigger(LabAction::kUndo), ready("model")},
      {"undo and redo",
       [trigger](TestWindow& window) {
         trigger(LabAction::kUndo)(window);
         trigger(LabAction::kRedo)(window);
       },
       ready(store)},
      {"the store is the model", [](TestWindow& window) { QVERIFY(window.lab().setStore("model")); }, ready("model")},
      {"another store", [](TestWindow& window) { QVERIFY(window.lab().setStore("mysql")); }, ready("mysql")},
      {"a value", [](TestWindow& window) { QVERIFY(window.lab().edit("mutex.ttl", "900ms")); }, ready(store, "900ms")},
      {"another seed", trigger(LabAction::kNewSeed), ready(store)},
      {"values as in the file", trigger(LabAction::kResetValues),
       [](LabController& lab) { return isOf(lab, "healthy", RunState::kReady) && !lab.document().modified(); }},
      {"a fault is added",
       [](TestWindow& window) { QVERIFY(window.lab().document().addFault("pause", 1s, 1s, "owner").has_value()); },
       [](LabController& lab) { return isOf(lab, "healthy", RunState::kReady) && lab.scenario().faults.size() == 1; }},
      {"stop", trigger(LabAction::kStop), ready(store)},
      {"the window is closed", [](TestWindow& window) { window.close(); }, ready(store)},
  };
}

void PreparingTest::whateverIsDoneWhileAStoreStartsIsDone_data() {
  QTest::addColumn<int>("deed");
  QTest::addColumn<bool>("at_once");
  int i = 0;
  for (const Deed& deed : deeds()) {
    QTest::addRow("%s, at once", deed.name) << i << true;
    QTest::addRow("%s, when a server is there", deed.name) << i << false;
    ++i;
  }
}

// The driver was destroyed under its own nested event loop; then all this was barred.
void PreparingTest::whateverIsDoneWhileAStoreStartsIsDone() {
  QFETCH(int, deed);
  QFETCH(bool, at_once);
  const Deed it = deeds()[static_cast<std::size_t>(deed)];
  const TemporaryFolder temporary;
  TestWindow window;
  show(window);
  prepare(window);
  Heartbeat heart;
  LabController& lab = window.lab();
  bool acted = false;
  const auto act = [&] {
    acted = true;
    it.act(window);
  };
  if (at_once) act();
  // As an event of its own, like those of a user.
  QTimer moment;
  moment.callOnTimeout([&] {
    if (temporary.folders().isEmpty() && lab.state() == RunState::kPreparing) return;
    moment.stop();
    if (lab.state() == RunState::kPreparing) act();
  });
  if (!at_once) moment.start(1);
  QTRY_VERIFY_WITH_TIMEOUT(acted, kPatience);
  QTRY_VERIFY2_WITH_TIMEOUT(it.done(lab), qPrintable(window.view()->problem()->problem().message), kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(temporary.left(), QStringList(), kPatience);
  QTest::qWait(100);
  QVERIFY(it.done(lab));  // and nothing begins later
  QVERIFY(window.view()->problem()->problem().empty());
  const Heartbeat::Silence silence = heart.longest();
  QVERIFY2(silence.own_ms < kMostMs, qPrintable(QString::number(silence.own_ms)));
}

void PreparingTest::anythingAtAnyMomentIsSafe() {
  const TemporaryFolder temporary;
  std::mt19937 random(7);
  const std::vector<Deed> all = deeds(), on_postgres = deeds("postgres");
  {
    TestWindow window;
    show(window);
    for (int i = 0; i < 60; ++i) {
      const bool slow = i % 5 == 4;
      const Deed& it = (slow ? on_postgres : all)[random() % all.size()];
      if (!window.isVisible()) window.show();
      prepare(window, slow ? "postgres" : "redis");
      QTest::qWait(static_cast<int>(random() % 120));
      if (window.lab().state() == RunState::kPreparing) {
        it.act(window);
        QTRY_VERIFY2_WITH_TIMEOUT(it.done(window.lab()), it.name, kPatience);
      } else {
        window.lab().stop();
        QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
      }
    }
    prepare(window);
  }
  QTRY_COMPARE_WITH_TIMEOUT(temporary.left(), QStringList(), kPatience);
}

void PreparingTest::aForkIsGoneBackFromWhileAStoreStarts() {
  const TemporaryFolder temporary;
  TestWindow window;
  runToItsEnd(window, QStringLiteral("healthy"));
  LabController& lab = window.lab();
  lab.seek(TrueTime(5s));
  lab.forkHere();
  QVERIFY(lab.setStore("redis"));
  const std::vector<Shown> relatives = lab.relatives();
  QVERIFY(!relatives.empty());
  for (const bool undone : {true, false}) {
    lab.restart();
    QCOMPARE(lab.state(), RunState::kPreparing);
    QTRY_COMPARE_WITH_TIMEOUT(temporary.folders().size(), 1, kPatience);
    if (undone) {
      lab.undoLast();  // the store
      lab.undoLast();  // the fork
      QVERIFY(!lab.live());
      QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
      lab.redoLast();
      lab.redoLast();
      QCOMPARE(lab.values().store, std::string("redis"));
    } else {
      lab.goTo(relatives.front());
      QVERIFY(!lab.live());
    }
    QTRY_COMPARE_WITH_TIMEOUT(temporary.left(), QStringList(), kPatience);
  }
}

void PreparingTest::theRunIsAsItWasBeforeWhenItIsCancelled() {
  const TemporaryFolder temporary;
  TestWindow window;
  show(window);
  prepare(window);
  LabController& lab = window.lab();
  lab.stop();
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kReady, kPatience);
  QVERIFY(window.action(LabAction::kRun)->isEnabled());
  QVERIFY(!window.action(LabAction::kStop)->isEnabled());
  lab.runOrPause();
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kRunning, kPatience);
  QVERIFY(lab.live());
  lab.stop();
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, kPatience);
}

void PreparingTest::aStoreThatSaysNothingDoesNotStopTheWindow_data() {
  QTest::addColumn<QString>("scheme");
  QTest::newRow("redis") << "redis";
  QTest::newRow("postgres") << "postgres";
}

// The look before a run waits for seconds, on a thread of its own.
void PreparingTest::aStoreThatSaysNothingDoesNotStopTheWindow() {
  QFETCH(QString, scheme);
  const Impostor silent([](Peer& peer, int) { peer.be_silent(); });
  TestWindow window;
  show(window);
  LabController& lab = window.lab();
  QVERIFY(lab.open(QStringLiteral("healthy")));
  QVERIFY(lab.setStore(QStringLiteral("%1://127.0.0.1:%2").arg(scheme).arg(silent.port()).toStdString()));
  Heartbeat heart;
  lab.restart();
  QCOMPARE(lab.state(), RunState::kPreparing);
  QTRY_VERIFY_WITH_TIMEOUT(lab.state() != RunState::kPreparing, kPatience);
  const Heartbeat::Silence silence = heart.longest();
  QVERIFY2(silence.own_ms < kMostMs, qPrintable(QString::number(silence.own_ms)));
  QVERIFY(silent.met() > 0);
  QVERIFY2(window.view()->problem()->problem().message.contains(QStringLiteral("127.0.0.1")),
           qPrintable(window.view()->problem()->problem().message));
}

void PreparingTest::whatItDoesIsShownAndCanBeCancelled_data() {
  QTest::addColumn<QString>("how");
  for (const char* how : {"button", "Esc", "Ctrl+.", "transport"}) QTest::newRow(how) << how;
}

void PreparingTest::whatItDoesIsShownAndCanBeCancelled() {
  QFETCH(QString, how);
  const Impostor silent([](Peer& peer, int) { peer.be_silent(); });
  TestWindow window;
  show(window);
  prepare(window, "redis://127.0.0.1:" + std::to_string(silent.port()));
  LabController& lab = window.lab();
  PreparationBox* box = window.preparation();
  QVERIFY(!box->isVisible());  // it may be over in a moment
  QTRY_VERIFY(box->isVisible());
  QTRY_VERIFY2(box->text().contains(QStringLiteral("Looking at the store")), qPrintable(box->text()));
  QVERIFY2(box->text().contains(QStringLiteral("127.0.0.1")), qPrintable(box->text()));
  QVERIFY(window.view()->rect().contains(box->geometry()));
  QVERIFY2(window.summary()->text().contains(QStringLiteral("looking at the store")),
           qPrintable(window.summary()->text()));
  const auto* run = window.transport()->findChild<QPushButton*>(QStringLiteral("run"));
  QVERIFY2(run->text().contains(QStringLiteral("Starting")), qPrintable(run->text()));
  QVERIFY(!window.action(LabAction::kRun)->isEnabled());
  QVERIFY2(window.action(LabAction::kStop)->toolTip().contains(QStringLiteral("Cancel")),
           qPrintable(window.action(LabAction::kStop)->toolTip()));
  if (how == QStringLiteral("button")) QTest::mouseClick(box->findChild<QPushButton*>(), Qt::LeftButton);
  if (how == QStringLiteral("Esc")) QTest::keyClick(&window, Qt::Key_Escape);
  if (how == QStringLiteral("Ctrl+.")) QTest::keyClick(&window, Qt::Key_Period, Qt::ControlModifier);
  if (how == QStringLiteral("transport")) {
    for (auto* button : window.transport()->findChildren<QToolButton*>())
      if (button->defaultAction() == window.action(LabAction::kStop)) QTest::mouseClick(button, Qt::LeftButton);
  }
  QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kReady, 2000);
  QVERIFY(!box->isVisible());
  QVERIFY(!window.action(LabAction::kStop)->toolTip().contains(QStringLiteral("Cancel")));
  QVERIFY(window.view()->problem()->problem().empty());
}

void PreparingTest::whatIsOverAtOnceIsNotShown() {
  TestWindow window;
  show(window);
  prepare(window);
  QTest::qWait(20);
  window.lab().stop();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kReady, kPatience);
  QTest::qWait(400);
  QVERIFY(!window.preparation()->isVisible());
}

LEASESCOPE_SUITE(PreparingTest)
#include "preparing_test.moc"
