// One count everywhere. Whatever says how many writes were refused or accepted says the same: the summary (and so
// the status bar, `run --json` and the text), the events, the tables, the incidents, the chart and the panel's account.
#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/catalogue_rows.h"
#include "tests/support/ui_suite.h"
#include "ui/models/contenders_model.h"
#include "ui/models/story.h"
#include "ui/timeline/paint/chart_data.h"

using namespace leasescope;

namespace {

struct Tallies {
  std::uint64_t stale = 0, tokenless = 0, accepted = 0;
  bool operator==(const Tallies& other) const {
    return stale == other.stale && tokenless == other.tokenless && accepted == other.accepted;
  }
  QString text() const {
    return QStringLiteral("%1 stale, %2 without a token, %3 accepted").arg(stale).arg(tokenless).arg(accepted);
  }
};

Tallies ofEvents(const History& history) {
  Tallies counts;
  for (const Event& event : history.events) {
    counts.stale += event.kind == EventKind::kWriteRejected && event.token != kNoToken;
    counts.tokenless += event.kind == EventKind::kWriteRejected && event.token == kNoToken;
    counts.accepted += event.kind == EventKind::kWriteStaleAccepted;
  }
  return counts;
}

Tallies ofChart(const ChartData& data) {
  Tallies counts;
  for (const ResourceRow& row : data.resources())
    for (const WriteMark& write : row.writes) {
      counts.stale += write.fate() == WriteFate::kStale;
      counts.tokenless += write.fate() == WriteFate::kTokenless;
      counts.accepted += write.fate() == WriteFate::kStaleAccepted;
    }
  return counts;
}

}  // namespace

class CountsTest : public leasescope::tests::UiSuite {
  Q_OBJECT
 private slots:
  void everyPlaceCountsTheSame_data() { tests::every_scenario_fenced_and_unfenced(); }
  void everyPlaceCountsTheSame() {
    QFETCH(QString, name);
    QFETCH(bool, fencing);
    const auto scenario = find_scenario(name.toStdString(), {tests::fencing_is(fencing)});
    QVERIFY(scenario);
    VirtualRun run(*scenario);
    run.advance(TrueTime::max());
    const History& history = run.history();
    Cast cast;
    cast.reset(scenario->contender_names());
    cast.sync(history);
    const Tallies events = ofEvents(history);
    const Summary& summary = history.summary;
    QCOMPARE(Tallies({summary.stale_writes_rejected, summary.tokenless_writes_refused, summary.stale_writes_accepted})
                 .text(),
             events.text());

    ChartData data;
    data.reset(run_facts(*scenario));
    data.append(history);
    QCOMPARE(ofChart(data).text(), events.text());

    ContendersModel table;
    table.setHistory(&history, &cast);
    std::uint64_t refused = 0;
    for (int row = 0; row < table.rowCount(); ++row)
      refused += table.index(row, ContendersModel::kRejected).data().toString().remove(QChar(0x2009)).toULongLong();
    QCOMPARE(refused, events.stale + events.tokenless);

    // What the incidents tell adds up to it, and no refusal goes without one.
    Tallies told;
    for (const Incident& incident : history.incidents) {
      const WriteCounts writes = writesOf(history, incident);
      if (incident.kind == IncidentKind::kStaleWriteRejected) told.stale += writes.rejected;
      if (incident.kind == IncidentKind::kTokenlessRefused) told.tokenless += writes.tokenless;
      if (incident.kind == IncidentKind::kStaleWriteAccepted) told.accepted += writes.accepted;
    }
    QCOMPARE(told.text(), events.text());
  }
};

LEASESCOPE_SUITE(CountsTest)
#include "counts_test.moc"
