// Recordings of whole runs: what is read is what was run, to the bit, and folded anew it comes to the same.
#include <QTemporaryDir>

#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "simulator/engine/trace_hash.h"
#include "simulator/run/outcome_text.h"
#include "simulator/run/recorded_run.h"
#include "simulator/run/stretch.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/scenario_text.h"
#include "tests/support/recordings.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class RecordingOfRunsTest : public QObject {
  Q_OBJECT
 private slots:
  void everyScenarioIsReadAsItWasRun_data() { scenarios(); }
  void everyScenarioIsReadAsItWasRun();
  void foldedAnewARecordingComesToTheSame_data() { scenarios(); }
  void foldedAnewARecordingComesToTheSame();
  void theStretchesOfARunAddUp();
  void aForkedRunRunsUnderWhatItWasForkedTo();
  void aScenarioOfAnotherVersionIsToldByItsPlace();

 private:
  static void scenarios() {
    QTest::addColumn<QString>("name");
    for (const BuiltIn& built_in : built_in_scenarios())
      QTest::newRow(built_in.name.c_str()) << QString::fromStdString(built_in.name);
  }
  std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }
  QTemporaryDir folder_;
};

namespace {

// Of the events alone: what was dispatched is in no history.
std::uint64_t hash_of(const History& history) {
  TraceHash hash;
  for (const Event& event : history.events) hash.add(event, DispatchedInput{}, history.names);
  return hash.digest();
}

// As `run --record` does it; what came of it.
std::string record(VirtualRun& run, const std::string& path) {
  auto writer = RecordingWriter::create(path);
  if (!writer) return writer.error();
  (*writer)->head(history_header(run.scenario(), run.outcome(), TrueTime::max()));
  while (run.advance(TrueTime::max(), 5'000)) (*writer)->append(run.history());
  const auto done = (*writer)->finish(run.history(), recorded(run.outcome()));
  return done ? std::string() : done.error();
}

}  // namespace

void RecordingOfRunsTest::everyScenarioIsReadAsItWasRun() {
  QFETCH(QString, name);
  VirtualRun run(find_scenario(name.toStdString()).value());
  QCOMPARE(record(run, path(name)), std::string());
  auto reader = RecordingReader::open(path(name));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  const auto read = reader->read();
  QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
  QCOMPARE(difference(run.history(), *read), std::string());
  QCOMPARE(hash_of(*read), hash_of(run.history()));
  const auto scenario = scenario_of(reader->header(), path(name));
  QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().c_str());
  const Outcome outcome = outcome_of(reader->header(), *read, reader->outcome());
  QCOMPARE(outcome_json(outcome, *read, *scenario), outcome_json(run.outcome(), run.history(), run.scenario()));
  QCOMPARE(outcome_text(outcome, *read, *scenario), outcome_text(run.outcome(), run.history(), run.scenario()));
  // The scenario inside is the one that ran: run again it comes to the same hash.
  VirtualRun again(*scenario);
  while (again.advance(TrueTime::max())) {
  }
  QCOMPARE(again.outcome().trace_hash.value(), reader->outcome()->trace_hash.value());
}

void RecordingOfRunsTest::foldedAnewARecordingComesToTheSame() {
  QFETCH(QString, name);
  VirtualRun run(find_scenario(name.toStdString()).value());
  while (run.advance(TrueTime::max())) {
  }
  History expected = run.history();
  expected.summary.illegal_mutexes = 0;  // of its calls, which are not judged anew
  Stretch stretch(history_header(run.scenario(), run.outcome(), TrueTime::max()), run.scenario(), expected, TrueTime{});
  stretch.append(expected);
  stretch.finish(expected.now);
  History folded = expected;
  folded.incidents = stretch.incidents();
  folded.summary = stretch.summary();
  QCOMPARE(difference(expected, folded), std::string());
}

void RecordingOfRunsTest::theStretchesOfARunAddUp() {
  VirtualRun run(find_scenario("gc-pause").value());
  while (run.advance(TrueTime::max())) {
  }
  const History& whole = run.history();
  const HistoryHeader header = history_header(run.scenario(), run.outcome(), TrueTime::max());
  Summary sum;
  std::uint64_t renewals = 0;
  Duration believed{};
  const TrueTime middle = TrueTime{} + std::chrono::milliseconds(18'500);  // two believe
  for (const auto& [from, to] : {std::pair{TrueTime{}, middle}, std::pair{middle, whole.now}}) {
    History part = whole;
    part.events.erase(std::find_if(part.events.begin(), part.events.end(),
                                   [&, end = to](const Event& event) { return event.at() > end; }),
                      part.events.end());
    part.now = to;
    Stretch stretch(header, run.scenario(), whole, from);
    stretch.append(part);
    stretch.finish(to);
    for (const SummaryCount& field : kSummaryCounts) sum.*field.of += stretch.summary().*field.of;
    for (const SummaryLength& field : kSummaryLengths) sum.*field.of += stretch.summary().*field.of;
    for (const auto& [who, figures] : stretch.figures().contenders(part)) {
      renewals += figures.renewals;
      believed += figures.believed;
    }
    QCOMPARE(stretch.summary().incidents[static_cast<std::size_t>(IncidentKind::kBeliefOverlap)], std::uint64_t{1});
  }
  QCOMPARE(sum.acquisitions, whole.summary.acquisitions);
  QCOMPARE(sum.renewals, whole.summary.renewals);
  QCOMPARE(sum.stale_writes_rejected, whole.summary.stale_writes_rejected);
  QCOMPARE(sum.belief_overlap, whole.summary.belief_overlap);
  QCOMPARE(sum.leaderless, whole.summary.leaderless);
  Figures all;
  all.append(whole);
  std::uint64_t all_renewals = 0;
  Duration all_believed{};
  for (const auto& [who, figures] : all.contenders(whole)) {
    all_renewals += figures.renewals;
    all_believed += figures.believed;
  }
  QCOMPARE(renewals, all_renewals);
  QCOMPARE(believed, all_believed);
}

void RecordingOfRunsTest::aForkedRunRunsUnderWhatItWasForkedTo() {
  const Scenario before = find_scenario("gc-pause").value();
  const Scenario after = find_scenario("gc-pause", {"resource.fencing=false"}).value();
  HistoryHeader header = history_header(before, Outcome{}, TrueTime::max());
  QCOMPARE(scenario_text(scenario_of(header, "it").value()), scenario_text(before));
  header.fork = {15, history_header(after, Outcome{}, TrueTime::max()).toml};
  QCOMPARE(scenario_text(scenario_of(header, "it").value()), scenario_text(after));
  QVERIFY(scenario_text(before) != scenario_text(after));
}

void RecordingOfRunsTest::aScenarioOfAnotherVersionIsToldByItsPlace() {
  HistoryHeader header = history_header(find_scenario("healthy").value(), Outcome{}, TrueTime::max());
  header.program = "9.8.7";
  header.toml += "[newer]\nkey = 1\n";
  const auto scenario = scenario_of(header, "its.recording");
  QVERIFY(!scenario.has_value());
  QVERIFY2(scenario.error().find("its.recording, its scenario:") == 0 &&
               scenario.error().find("leasescope 9.8.7 wrote it") != std::string::npos,
           scenario.error().c_str());
}

LEASESCOPE_SUITE(RecordingOfRunsTest)
#include "recording_test.moc"
