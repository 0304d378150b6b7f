// The window driven as a reader would: choose, run, select, edit, undo, break something, come back another day.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>

#include "simulator/run/outcome_text.h"
#include "tests/support/heartbeat.h"
#include "tests/support/redis_program.h"
#include "tests/support/window_suite.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/transport_bar.h"
#include "ui/lab/values_panel.h"
#include "ui/models/words.h"
#include "ui/panels/parts.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/theme/style.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// Chooses in the list, as with the mouse, and waits for the end of the run.
void chooseAndRun(TestWindow& window, const QString& name) {
  window.scenarios()->search()->setText(name);
  QListView* list = window.scenarios()->list();
  QTRY_VERIFY(list->model()->rowCount() >= 1);
  QModelIndex row;
  for (int i = 0; i < list->model()->rowCount(); ++i)
    if (list->model()->index(i, 0).data().toString() == name) row = list->model()->index(i, 0);
  QVERIFY(row.isValid());
  QSignalSpy finished(&window.lab(), &LabController::finished);
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(row).center());
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
}

int overlapOf(TestWindow& window) {
  const auto& incidents = window.lab().history()->incidents;
  for (std::size_t i = 0; i < incidents.size(); ++i)
    if (incidents[i].kind == IncidentKind::kBeliefOverlap) return static_cast<int>(i);
  return -1;
}

// The row of the table that shows this incident.
QModelIndex rowOf(Table* table, const QString& title) {
  for (int row = 0; row < table->model()->rowCount(); ++row)
    if (table->model()->index(row, IncidentsModel::kKind).data().toString() == title)
      return table->model()->index(row, IncidentsModel::kKind);
  return {};
}

bool near(QRgb a, const QColor& b) {
  return qAbs(qRed(a) - b.red()) < 6 && qAbs(qGreen(a) - b.green()) < 6 && qAbs(qBlue(a) - b.blue()) < 6;
}

void type(QLineEdit* field, const QString& text) {
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, text);
  QTest::keyClick(field, Qt::Key_Return);
}

}  // namespace

class LabTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void anOverlapIsListedAndSelectingItCentresTheChart_data();
  void anOverlapIsListedAndSelectingItCentresTheChart();
  void anotherLockSystemHasItsOwnValuesAndNoTransition();
  void aWordIsChosenAndATruthIsTicked();
  void onlyWhatAMutexHasAUseForIsAsked();
  void whereSeveralMayHoldNobodyIsSaidToLead();
  void theChartHasRoomForTheRowsThatTheRunHasShown();
  void anEditedValueChangesTheScenarioAndUndoBringsItBack();
  void aFaultSwitchedOffDoesNotHappen();
  void fencingSwitchedOffLetsTheStaleWriteIn();
  void aBadTtlIsSaidBesideItsFieldAndChangesNothing();
  void whatWasRefusedIsForgottenWhenItIsMendedElsewhere();
  void aFileThatIsNoScenarioIsNotReadWhole();
  void aFileWithAnErrorIsToldAndTheOldRunStays();
  void aStoreThatCannotBeReachedIsToldWithWhatToDo();
  void aLiveRunLooksTheSame();
  void theRunNeverHoldsTheWindowForLong();
  void pausingHoldsTheTimeAndSteppingGoesOnByOneInput();
  void stoppingEndsTheRunWhereItIs();
  void anotherSeedGivesAnotherTrace();
  void aNarrowWindowFoldsItsDocks();
  void everyActionHasAKey();
  void aKeyTypedIntoAFieldStaysInTheField();
  void everythingStandsWithoutAScenario();
};

void LabTest::anOverlapIsListedAndSelectingItCentresTheChart_data() {
  QTest::addColumn<int>("theme");
  QTest::addColumn<QSize>("size");
  QTest::newRow("light, large") << int(ThemeChoice::kLight) << QSize(1440, 900);
  QTest::newRow("dark, large") << int(ThemeChoice::kDark) << QSize(1440, 900);
  QTest::newRow("light, small") << int(ThemeChoice::kLight) << QSize(1024, 640);
  QTest::newRow("dark, small") << int(ThemeChoice::kDark) << QSize(1024, 640);
}

void LabTest::anOverlapIsListedAndSelectingItCentresTheChart() {
  QFETCH(int, theme);
  QFETCH(QSize, size);
  Look::instance().choose(static_cast<ThemeChoice>(theme));
  TestWindow window;
  window.resize(size);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  if (size.width() < 1200) QTest::keyClick(&window, Qt::Key_Slash);  // the list is a button there
  chooseAndRun(window, QStringLiteral("gc-pause"));
  Table* table = window.results()->incidentTable();
  const QModelIndex row = rowOf(table, QStringLiteral("Belief overlap"));
  QVERIFY2(row.isValid(), "the overlap is not listed");
  table->scrollTo(row);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(row).center());
  TimelineView* chart = window.view()->timeline();
  const int index = overlapOf(window);
  QCOMPARE(window.lab().selectedIncident(), index);
  const Incident& overlap = window.lab().history()->incidents[static_cast<std::size_t>(index)];
  const TrueTime middle = overlap.start + (overlap.end - overlap.start) / 2;
  const auto centre = [&] {
    const auto [from, to] = chart->visibleRange();
    return from + (to - from) / 2;
  };
  QTRY_VERIFY(std::chrono::abs(centre() - middle) < 100ms);
  QTest::qWait(200);  // the jump is over
  // Both colours of the tape lie within 12 px of the middle of the mark in the rail.
  const QRect mark = chart->incidentRect(index);
  QVERIFY(!mark.isEmpty());
  const QImage image = chart->viewport()->grab().toImage();
  const QPoint at(chart->pixelOf(middle), mark.center().y());
  bool amber = false, black = false;
  for (int y = -12; y <= 12; ++y)
    for (int x = -12; x <= 12; ++x) {
      const QPoint p = (QPointF(at + QPoint(x, y)) * image.devicePixelRatio()).toPoint();
      if (!image.rect().contains(p)) continue;
      amber = amber || near(image.pixel(p), ink().overlap);
      black = black || near(image.pixel(p), ink().overlap_ink);
    }
  QVERIFY2(amber && black, "the tape's colours are not there");
}

void LabTest::anotherLockSystemHasItsOwnValuesAndNoTransition() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("fenced-gc-pause"));
  ValuesPanel* values = window.valuesPanel();
  QVERIFY(!values->field(QStringLiteral("transition"))->isVisible());
  QLineEdit* asks = values->field(QStringLiteral("asks"));
  QVERIFY(asks != nullptr && asks->isVisible());
  QCOMPARE(asks->text(), QStringLiteral("500ms"));
  type(asks, QStringLiteral("2s"));
  QCOMPARE(std::get<FencedPlan>(window.lab().scenario().contenders.front().plan).asks, 2s);
  type(asks, QStringLiteral("soon"));
  QVERIFY(values->error()->isVisible());
  chooseAndRun(window, QStringLiteral("gc-pause"));
  QVERIFY(values->field(QStringLiteral("transition"))->isVisible());
  QTRY_VERIFY(values->field(QStringLiteral("asks")) == nullptr);
}

void LabTest::aWordIsChosenAndATruthIsTicked() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("fenced-gc-pause"));
  ValuesPanel* values = window.valuesPanel();
  const auto terms = [&] { return std::get<FencedTerms>(window.lab().scenario().system); };
  auto* told = values->findChild<QComboBox*>(QStringLiteral("told"));
  QVERIFY(told != nullptr && told->isVisible());
  QCOMPARE(told->count(), 2);
  QCOMPARE(told->currentText(), QStringLiteral("call"));
  told->setFocus();
  QTest::keyClick(told, Qt::Key_Down);
  QCOMPARE(terms().told, FencedTerms::Told::kHeartbeat);
  auto* memo = values->findChild<QCheckBox*>(QStringLiteral("memo"));
  QVERIFY(memo != nullptr && memo->isChecked());
  memo->click();
  QVERIFY(!terms().memo);
  window.action(LabAction::kUndo)->trigger();
  window.action(LabAction::kUndo)->trigger();
  QVERIFY(memo->isChecked());
  QCOMPARE(told->currentText(), QStringLiteral("call"));
}

void LabTest::onlyWhatAMutexHasAUseForIsAsked() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("cas-healthy"));
  ValuesPanel* values = window.valuesPanel();
  const auto shows = [&](const char* key) {
    const auto* widget = values->findChild<QWidget*>(QString::fromLatin1(key));
    return widget != nullptr && widget->isVisibleTo(values);
  };
  QVERIFY(shows("kind") && shows("heartbeat") && shows("hold"));
  for (const char* key : {"permits", "readers", "mode"}) QVERIFY2(!shows(key), key);
  QVERIFY(window.lab().edit("cas.kind", "semaphore").has_value());
  QVERIFY(shows("permits") && !shows("readers") && !shows("mode"));
  QVERIFY(window.lab().edit("cas.kind", "read-write").has_value());
  QVERIFY(!shows("permits") && shows("readers") && shows("mode"));
  window.lab().undoLast();
  window.lab().undoLast();
  for (const char* key : {"permits", "readers", "mode"}) QVERIFY2(!shows(key), key);
  // A contender of the quorum lock may have a ttl beside that of the mutex.
  chooseAndRun(window, QStringLiteral("quorum-healthy"));
  QVERIFY(shows("ttl") && shows("own ttl"));
  QVERIFY(values->field(QStringLiteral("ttl"))->text() != values->field(QStringLiteral("own ttl"))->text());
}

void LabTest::whereSeveralMayHoldNobodyIsSaidToLead() {
  const std::pair<const char*, const char*> said[]{{"gc-pause", "leaderless"},
                                                   {"semaphore-healthy", "no permit held"},
                                                   {"read-write-healthy", "nobody reads or writes"}};
  for (const auto& [name, word] : said) {
    TestWindow window;
    runToItsEnd(window, QString::fromLatin1(name));
    const LabController& lab = window.lab();
    const QString bar = window.summary()->accessibleDescription();
    const QString text = fromText(outcome_text(lab.outcome(), *lab.history(), lab.scenario()));
    for (const QString& words : {bar, text}) {
      QVERIFY2(words.contains(QString::fromLatin1(word)), qPrintable(words));
      QCOMPARE(words.contains(QStringLiteral("leaderless")), std::string_view(word) == "leaderless");
    }
  }
}

void LabTest::theChartHasRoomForTheRowsThatTheRunHasShown() {
  for (const char* name : {"fenced-gc-pause", "quorum-gc-pause"}) {
    TestWindow window;
    runToItsEnd(window, QString::fromLatin1(name));
    const TimelineView* chart = window.view()->timeline();
    QTRY_VERIFY2(chart->height() >= chart->contentHeight() || window.results()->height() <= 160, name);
  }
}

void LabTest::anEditedValueChangesTheScenarioAndUndoBringsItBack() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("gc-pause"));
  QLineEdit* ttl = window.valuesPanel()->field(QStringLiteral("ttl"));
  QCOMPARE(ttl->text(), QStringLiteral("5s"));
  type(ttl, QStringLiteral("3s"));
  QCOMPARE(window.lab().scenario().terms().ttl, 3s);
  QVERIFY(window.lab().stale());
  type(window.valuesPanel()->field(QStringLiteral("contenders")), QStringLiteral("5"));
  QCOMPARE(window.lab().scenario().contender_count(), 5);
  type(window.valuesPanel()->field(QStringLiteral("jitterFrom")), QStringLiteral("-100ms"));
  QCOMPARE(window.lab().scenario().terms().jitter.min, -100ms);
  QCOMPARE(window.lab().scenario().terms().jitter.max, 1s);
  window.action(LabAction::kUndo)->trigger();
  QCOMPARE(window.lab().scenario().terms().jitter.min, -200ms);
  window.action(LabAction::kUndo)->trigger();
  QCOMPARE(window.lab().scenario().contender_count(), 3);
  window.action(LabAction::kUndo)->trigger();
  QCOMPARE(window.lab().scenario().terms().ttl, 5s);
  QCOMPARE(ttl->text(), QStringLiteral("5s"));
  QVERIFY(!window.lab().stale());
  window.action(LabAction::kRedo)->trigger();
  QCOMPARE(window.lab().scenario().terms().ttl, 3s);
  window.action(LabAction::kRestart)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QCOMPARE(window.lab().runScenario()->terms().ttl, 3s);
  QVERIFY(!window.lab().stale());
}

void LabTest::aFaultSwitchedOffDoesNotHappen() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("gc-pause"));
  QVERIFY(overlapOf(window) >= 0);
  for (std::size_t i = 0; i < window.lab().scenario().faults.size(); ++i)
    if (window.lab().scenario().faults[i].kind == "pause") window.lab().setFault(static_cast<int>(i), false);
  QVERIFY(window.lab().stale());
  window.action(LabAction::kRestart)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QCOMPARE(overlapOf(window), -1);
  auto* box = window.valuesPanel()->findChild<QCheckBox*>(QStringLiteral("fault0"));
  QVERIFY(box);
  QVERIFY(!box->isChecked());
}

void LabTest::fencingSwitchedOffLetsTheStaleWriteIn() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("gc-pause"));
  QCOMPARE(window.lab().outcome().summary.stale_writes_accepted, 0u);
  auto* fence = window.valuesPanel()->findChild<Switch*>(QStringLiteral("fencing"));
  QVERIFY(fence && fence->isChecked());
  fence->click();
  QVERIFY(!window.lab().scenario().fencing());
  window.valuesPanel()->findChild<QPushButton*>(QStringLiteral("runAgain"))->click();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QVERIFY(window.lab().outcome().summary.stale_writes_accepted > 0);
}

void LabTest::aBadTtlIsSaidBesideItsFieldAndChangesNothing() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("gc-pause"));
  QLineEdit* ttl = window.valuesPanel()->field(QStringLiteral("ttl"));
  type(ttl, QStringLiteral("5 sec"));
  QLabel* error = window.valuesPanel()->error();
  QVERIFY(!error->isHidden());
  QVERIFY2(error->text().contains(QStringLiteral("duration")), qPrintable(error->text()));
  QVERIFY(ttl->property("invalid").toBool());
  QCOMPARE(window.lab().scenario().terms().ttl, 5s);
  QVERIFY(!window.lab().undo().canUndo());
  type(ttl, QStringLiteral("-3s"));
  QVERIFY(!error->isHidden());
  type(ttl, QStringLiteral("4s"));
  QVERIFY(error->isHidden());
  QVERIFY(!ttl->property("invalid").toBool());
  QCOMPARE(window.lab().scenario().terms().ttl, 4s);
}

// Also by another way than the field itself: another seed, an undo, the values of the file.
void LabTest::whatWasRefusedIsForgottenWhenItIsMendedElsewhere() {
  TestWindow window;
  runToItsEnd(window);
  LabController& lab = window.lab();
  auto* seed = window.transport()->findChild<QLineEdit*>(QStringLiteral("seed"));
  type(seed, QStringLiteral("abc"));
  QVERIFY(flagged(seed, kInvalid));
  window.action(LabAction::kNewSeed)->trigger();
  QVERIFY(!flagged(seed, kInvalid));
  QCOMPARE(seed->text(), QString::number(lab.scenario().seed));

  QLineEdit* ttl = window.valuesPanel()->field(QStringLiteral("ttl"));
  type(ttl, QStringLiteral("4s"));
  QCOMPARE(lab.scenario().terms().ttl, Duration(std::chrono::seconds(4)));
  type(ttl, QStringLiteral("soon"));
  QVERIFY(flagged(ttl, kInvalid));
  lab.setFault(0, false);  // nothing of its own
  QVERIFY(flagged(ttl, kInvalid));
  lab.undoLast();
  lab.undoLast();
  QVERIFY(!flagged(ttl, kInvalid));
  QCOMPARE(ttl->text(), QStringLiteral("5s"));
  QVERIFY(window.valuesPanel()->error()->text().isEmpty());

  type(ttl, QStringLiteral("soon"));
  type(seed, QStringLiteral("abc"));
  QVERIFY(flagged(ttl, kInvalid) && flagged(seed, kInvalid));
  lab.setFault(0, false);
  lab.resetValues();
  QVERIFY(!flagged(ttl, kInvalid) && !flagged(seed, kInvalid));
  QCOMPARE(ttl->text(), QStringLiteral("5s"));
}

// Within the bounds of every other reader: a disc's image must not fill the memory.
void LabTest::aFileThatIsNoScenarioIsNotReadWhole() {
  QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("disc.toml")));
  QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64{65} << 20));
  file.close();
  const auto large = findSource(file.fileName().toStdString());
  QVERIFY(!large);
  QVERIFY2(large.error().message.find("64 MB") != std::string::npos, large.error().message.c_str());
  const auto device = findSource("/dev/null");
  QVERIFY(!device);
}

void LabTest::aFileWithAnErrorIsToldAndTheOldRunStays() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("gc-pause"));
  const auto events = window.lab().history()->events.size();
  QFile file(home_.filePath(QStringLiteral("mine.toml")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(
      "schema = 1\ntitle = \"Mine\"\nduration = \"5s\"\n[mutex]\nname = \"orders\"\nttl = \"5 sec\"\ntransition = "
      "\"2s\"\n[[contender]]\ncount = 2\n");
  file.close();
  window.open(file.fileName());
  ProblemBox* box = window.view()->problem();
  QVERIFY(box->isVisible());
  QVERIFY(box->problem().title.contains(QStringLiteral("mine.toml")));
  QCOMPARE(box->problem().line, 6);
  QVERIFY(!box->problem().excerpt.isEmpty());
  QVERIFY(!box->problem().remains.isEmpty());
  QCOMPARE(window.lab().history()->events.size(), events);
  window.open(QStringLiteral("healthy"));
  QVERIFY(!box->isVisible());
}

void LabTest::aStoreThatCannotBeReachedIsToldWithWhatToDo() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("healthy"));
  QVERIFY(!window.lab().setStore("nonsense"));
  QVERIFY(window.lab().setStore("redis://127.0.0.1:1/0"));
  window.action(LabAction::kRestart)->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(window.view()->problem()->isVisible(), 30'000);
  QVERIFY(!window.view()->problem()->problem().message.isEmpty());
  QCOMPARE(window.lab().state(), RunState::kReady);
}

void LabTest::aLiveRunLooksTheSame() {
  QVERIFY2(!redis_server_program().isEmpty(), kNoRedis);
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("healthy"));
  QVERIFY(window.lab().edit("mutex.ttl", "1s"));
  QVERIFY(window.lab().edit("mutex.transition", "500ms"));
  QVERIFY(window.lab().edit("duration", "3s"));
  QVERIFY(window.lab().setStore("redis"));
  window.action(LabAction::kRestart)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kRunning, 30'000);
  QVERIFY(window.lab().live());
  QVERIFY(!window.action(LabAction::kStep)->isEnabled());
  QVERIFY(window.windowTitle().contains(QStringLiteral("live redis")));
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, 30'000);
  const auto events = static_cast<int>(window.lab().history()->events.size());
  QVERIFY(events > 10);
  window.results()->showTab(2);
  QCOMPARE(window.results()->eventTable()->model()->rowCount(), events);
  QVERIFY(!window.view()->timeline()->data().contenders().front().name.empty());
  QVERIFY(!window.lab().outcome().trace_hash.has_value());
}

void LabTest::theRunNeverHoldsTheWindowForLong() {
  TestWindow window;
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  chooseAndRun(window, QStringLiteral("gc-pause"));
  QVERIFY(window.lab().edit("contender.0.count", "40"));
  QVERIFY(window.lab().edit("duration", "600s"));
  Heartbeat heart;
  window.lab().restart();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, 60'000);
  const Heartbeat::Silence silence = heart.longest();
  QVERIFY(window.lab().history()->events.size() > 10'000);
  qInfo("longest silence of the event loop: %.1f ms of its own", silence.own_ms);
  QVERIFY2(silence.own_ms <= 50, qPrintable(QString::number(silence.own_ms)));
}

void LabTest::pausingHoldsTheTimeAndSteppingGoesOnByOneInput() {
  TestWindow window;
  window.show();
  window.lab().setSpeed(1000);
  window.open(QStringLiteral("gc-pause"));
  QCOMPARE(window.lab().state(), RunState::kRunning);
  QTRY_VERIFY(window.lab().now() > TrueTime(200ms));
  window.action(LabAction::kRun)->trigger();
  QCOMPARE(window.lab().state(), RunState::kPaused);
  const TrueTime held = window.lab().now();
  QTest::qWait(120);
  QCOMPARE(window.lab().now(), held);
  QVERIFY(held < TrueTime(10s));
  const auto events = window.lab().history()->events.size();
  for (int i = 0; i < 20; ++i) window.action(LabAction::kStep)->trigger();
  QVERIFY(window.lab().now() > held);
  QVERIFY(window.lab().history()->events.size() > events);
  QCOMPARE(window.lab().state(), RunState::kPaused);
  window.action(LabAction::kToEnd)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
}

void LabTest::stoppingEndsTheRunWhereItIs() {
  TestWindow window;
  window.show();
  window.lab().setSpeed(1000);
  window.open(QStringLiteral("healthy"));
  QTRY_VERIFY(window.lab().now() > TrueTime(100ms));
  window.action(LabAction::kStop)->trigger();
  QCOMPARE(window.lab().state(), RunState::kFinished);
  QVERIFY(window.lab().now() < TrueTime(30s));
}

void LabTest::anotherSeedGivesAnotherTrace() {
  TestWindow window;
  window.show();
  chooseAndRun(window, QStringLiteral("gc-pause"));
  const auto first = window.lab().outcome().trace_hash;
  QVERIFY(first.has_value());
  type(window.findChild<QLineEdit*>(QStringLiteral("seed")), QStringLiteral("8"));
  window.action(LabAction::kRestart)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QVERIFY(window.lab().outcome().trace_hash != first);
  window.action(LabAction::kUndo)->trigger();
  window.action(LabAction::kRestart)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  QCOMPARE(window.lab().outcome().trace_hash, first);
}

void LabTest::aNarrowWindowFoldsItsDocks() {
  TestWindow window;
  show(window);
  auto* scenarios = window.labPerspective().findChild<QDockWidget*>(QStringLiteral("labListDock"));
  auto* selection = window.labPerspective().findChild<QDockWidget*>(QStringLiteral("selectionDock"));
  QTRY_VERIFY(scenarios->isVisible());
  QVERIFY(window.labPerspective().tabifiedDockWidgets(selection).isEmpty());
  window.resize(1024, 640);
  QTRY_VERIFY(!scenarios->isVisible());
  QTRY_COMPARE(window.labPerspective().tabifiedDockWidgets(selection).size(), 2);
  QTRY_VERIFY(qAbs(selection->width() - 236) <= 8);
  window.resize(1440, 900);
  QTRY_VERIFY(scenarios->isVisible());
  QTRY_VERIFY(window.labPerspective().tabifiedDockWidgets(selection).isEmpty());
}

void LabTest::everyActionHasAKey() {
  TestWindow window;
  for (Perspective* each : window.perspectives()) {
    window.turnTo(*each);
    QSet<QString> keys;
    for (const ActionTable* table : window.actionTables())
      for (const ActionSpec& spec : table->specs()) {
        const QString key = table->action(spec.which)->shortcut().toString();
        QVERIFY2(!key.isEmpty(), spec.text);
        QVERIFY2(!keys.contains(key), spec.text);
        keys.insert(key);
      }
  }
}

void LabTest::aKeyTypedIntoAFieldStaysInTheField() {
  TestWindow window;
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  chooseAndRun(window, QStringLiteral("healthy"));
  QLineEdit* search = window.scenarios()->search();
  search->clear();
  search->setFocus();
  QTest::keyClicks(search, QStringLiteral("w s"));
  QCOMPARE(search->text(), QStringLiteral("w s"));
  QCOMPARE(window.lab().state(), RunState::kFinished);
}

void LabTest::everythingStandsWithoutAScenario() {
  TestWindow window;
  window.show();
  for (const LabAction which : {LabAction::kRun, LabAction::kStep, LabAction::kStop})
    QVERIFY(!window.action(which)->isEnabled());
  for (const ChartAction which : {ChartAction::kNextIncident, ChartAction::kExport})
    QVERIFY(!window.action(which)->isEnabled());
  window.open(QStringLiteral("gc-pause"));
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  window.action(LabAction::kCloseScenario)->trigger();
  QVERIFY(!window.lab().hasScenario());
  QVERIFY(!window.lab().history());
  QTest::qWait(20);
}

LEASESCOPE_SUITE(LabTest)
#include "lab_test.moc"
