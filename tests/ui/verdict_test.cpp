// One verdict for one run, in the status bar, over the empty list and in the exported picture alike; and what was
// refused is told in words.
#include <QSignalSpy>
#include <QStandardPaths>

#include "tests/support/redis_program.h"
#include "tests/support/window_suite.h"
#include "ui/models/contenders_model.h"
#include "ui/models/words.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/report/report_format.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

void finish(TestWindow& window) { QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience); }

}  // namespace

class VerdictTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void aRunAsExpectedWithoutIncidentNeedsNobody();
  void anEditedRunIsNotJudged();
  void aStoppedRunIsNotJudged_data();
  void aStoppedRunIsNotJudged();
  void aRunThatIsNotAsExpectedIsNeverCalledCalm();
  void whereItWasNotObservedTheVerdictIsStillSaid();
  void theExportedPictureSaysTheSame();
  void aRefusedStopIsToldInTheTableOfContenders();

 private:
  static QString status(TestWindow& window) { return window.summary()->text(); }
  static QString list(TestWindow& window) { return window.results()->incidentTable()->emptyText(); }
};

void VerdictTest::aRunAsExpectedWithoutIncidentNeedsNobody() {
  TestWindow window;
  window.show();
  window.open(QStringLiteral("healthy"));
  finish(window);
  QVERIFY2(status(window).startsWith(QStringLiteral("as expected")), qPrintable(status(window)));
  QVERIFY2(list(window).contains(QStringLiteral("nobody needs to look")), qPrintable(list(window)));
}

void VerdictTest::anEditedRunIsNotJudged() {
  TestWindow window;
  window.show();
  QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
  window.lab().setFault(0, false);
  window.lab().restart();
  finish(window);
  QVERIFY(window.lab().history()->incidents.empty());
  QVERIFY2(status(window).startsWith(QStringLiteral("not judged: edited")), qPrintable(status(window)));
  QVERIFY2(!list(window).contains(QStringLiteral("nobody")), qPrintable(list(window)));
  QVERIFY2(list(window).contains(QStringLiteral("not judged: edited")), qPrintable(list(window)));
}

void VerdictTest::aStoppedRunIsNotJudged_data() {
  QTest::addColumn<QByteArray>("store");
  QTest::newRow("virtual") << QByteArray("model");
  QTest::newRow("live") << QByteArray("redis");
}

void VerdictTest::aStoppedRunIsNotJudged() {
  QFETCH(QByteArray, store);
  QVERIFY2(store == "model" || !redis_server_program().isEmpty(), kNoRedis);
  TestWindow window;
  window.show();
  window.lab().setSpeed(1000);
  QVERIFY(window.lab().open(QStringLiteral("healthy")));
  QVERIFY(window.lab().setStore(store.toStdString()));
  window.lab().restart();
  QTRY_VERIFY_WITH_TIMEOUT(window.lab().now() > TrueTime(100ms), kPatience);
  window.action(LabAction::kStop)->trigger();
  finish(window);
  QVERIFY2(status(window).startsWith(QStringLiteral("not judged: stopped")), qPrintable(status(window)));
  QVERIFY2(!list(window).contains(QStringLiteral("nobody")), qPrintable(list(window)));
}

void VerdictTest::aRunThatIsNotAsExpectedIsNeverCalledCalm() {
  QFile file(home_.filePath(QStringLiteral("hopeful.toml")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(
      "schema = 1\ntitle = \"Hopeful\"\nduration = \"20s\"\n[mutex]\nname = \"orders\"\nttl = \"5s\"\ntransition = "
      "\"2s\"\n[[contender]]\ncount = 2\n[expect]\n\"incidents.belief_overlap\" = \">= 1\"\n");
  file.close();
  TestWindow window;
  window.show();
  window.open(file.fileName());
  QVERIFY2(window.lab().hasScenario(), qPrintable(window.view()->problem()->problem().message));
  finish(window);
  QVERIFY2(status(window).startsWith(QStringLiteral("not as expected")), qPrintable(status(window)));
  QVERIFY2(!list(window).contains(QStringLiteral("nobody")), qPrintable(list(window)));
  QVERIFY2(list(window).contains(QStringLiteral("not as expected")), qPrintable(list(window)));
}

void VerdictTest::whereItWasNotObservedTheVerdictIsStillSaid() {
  Outcome outcome;
  outcome.as_expected = true;
  outcome.summary.unobserved = std::chrono::seconds(53);
  const QString seen = ResultsPanel::noIncidentOf(outcome);
  QVERIFY2(seen.contains(QStringLiteral("53")) && !seen.contains(QStringLiteral("nobody")), qPrintable(seen));
  outcome.as_expected = false;
  outcome.reasons = {"acquisitions is 0, expected >= 1"};
  const QString failed = ResultsPanel::noIncidentOf(outcome);
  QVERIFY2(failed.contains(QStringLiteral("not as expected")), qPrintable(failed));
  QVERIFY2(failed.contains(QStringLiteral("acquisitions is 0")), qPrintable(failed));
  outcome.as_expected.reset();
  outcome.not_judged = "stopped";
  const QString stopped = ResultsPanel::noIncidentOf(outcome);
  QVERIFY2(stopped.contains(QStringLiteral("not judged: stopped")), qPrintable(stopped));
}

void VerdictTest::theExportedPictureSaysTheSame() {
  TestWindow window;
  window.show();
  QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
  window.lab().setFault(1, false);
  window.lab().restart();
  finish(window);
  const QString path = home_.filePath(QStringLiteral("chart.svg"));
  ReportExport* exporter = window.labPerspective().exporter();
  QSignalSpy written(exporter, &ReportExport::written);
  exporter->begin(window.view()->exportWish(path, *report_format_of(".svg")));
  QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatience);
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("not judged: edited"));
}

void VerdictTest::aRefusedStopIsToldInTheTableOfContenders() {
  History history;
  Cast cast;
  cast.reset({"a"});
  Event started, refused;
  started.kind = EventKind::kStarted;
  started.node = history.names.intern("a");
  refused.kind = EventKind::kRefused;
  refused.node = started.node;
  refused.detail = static_cast<std::uint8_t>(LifecycleError{});
  history.events = {started, refused};
  ContendersModel model;
  model.setHistory(&history, &cast);
  const QString state = model.index(0, ContendersModel::kState).data().toString();
  QVERIFY2(state.contains(QStringLiteral("refused")), qPrintable(state));
  QVERIFY2(state.contains(fromText(text(LifecycleError{}))), qPrintable(state));
  history.events.push_back(started);
  model.sync();
  QVERIFY(!model.index(0, ContendersModel::kState).data().toString().contains(QStringLiteral("refused")));
}

LEASESCOPE_SUITE(VerdictTest)
#include "verdict_test.moc"
