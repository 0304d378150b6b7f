// A run is judged only when the scenario and its end are those that its expectations speak of.
#include "simulator/scenario/validity.h"

#include "simulator/campaign/verdict.h"
#include "simulator/scenario/scenario_text.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

const std::string kFile = kReckoned + R"(
[[contender]]
count = 3
behaviour = "4.x"
[[fault]]
at = "1s"
kind = "stop"
[expect]
double_grants = 0
valid_for = { "mutex.ttl" = ["2s", "10s"], "duration" = ["2 lease", "1h"], "contender.0.count" = [2, 9], "contender.0.behaviour" = ["4.x", "leasescope"] }
)";

Outcome outcome_of(const std::vector<std::string>& sets) {
  const auto scenario = read_scenario(kFile, "mine.toml", sets);
  if (!scenario) qFatal("%s", scenario.error().text().c_str());
  return finished(*scenario)->outcome();
}

}  // namespace

class ValidityTest : public QObject {
  Q_OBJECT
 private slots:
  void aSettingThatNothingIsSaidOfIsAnEdit() {
    const Outcome outcome = outcome_of({"mutex.ttl=4s", "store.loss=0.01", "contender.0.callback=3ms"});
    QCOMPARE(outcome.as_expected, std::optional<bool>());
    QCOMPARE(QString::fromStdString(verdict_text(outcome)),
             QString("not judged: edited (store.loss, contender.0.callback)"));
  }
  void whatIsSetToWhatTheFileSaysIsNoEdit() {
    QCOMPARE(outcome_of({"store.latency=1ms", "fault.0.kind=stop"}).as_expected, std::optional<bool>(true));
  }
  void seedNamesAndFencingAreNoEdits() {
    QCOMPARE(outcome_of({"seed=9", "mutex.name=x", "title=other", "resource.fencing=false"}).as_expected,
             std::optional<bool>(true));
  }
  void whoSaysAnewWhatIsExpectedSaysItOfWhatIsThere() {
    QCOMPARE(outcome_of({"store.loss=0.01", "expect.acquisitions=>= 900"}).as_expected, std::optional<bool>(false));
  }
  void aSettingWithinItsRangeIsJudgedAndOneOutsideIsNot_data() {
    QTest::addColumn<QString>("set");
    QTest::addColumn<QString>("verdict");
    const auto row = [](const char* set, const char* verdict) { QTest::newRow(set) << set << verdict; };
    row("mutex.ttl=2s", "as expected");
    row("mutex.ttl=10s", "as expected");
    row("mutex.ttl=1999ms", "not judged: mutex.ttl below 2s");
    row("mutex.ttl=10001ms", "not judged: mutex.ttl above 10s");
    row("duration=14s", "as expected");
    row("duration=13999ms", "not judged: duration below 14s");
    row("contender.0.count=2", "as expected");
    row("contender.0.count=1", "not judged: contender.0.count below 2");
    row("contender.0.count=10", "not judged: contender.0.count above 9");
    row("contender.0.behaviour=leasescope", "as expected");
    row("contender.0.behaviour=3.1", "not judged: contender.0.behaviour is 3.1, not 4.x or leasescope");
  }
  void aSettingWithinItsRangeIsJudgedAndOneOutsideIsNot() {
    QFETCH(QString, set);
    QFETCH(QString, verdict);
    QCOMPARE(QString::fromStdString(verdict_text(outcome_of({set.toStdString()}))), verdict);
  }
  void aFaultThatIsSwitchedOffIsAnEdit() {
    QCOMPARE(QString::fromStdString(verdict_text(outcome_of({"fault.0.enabled=false"}))),
             QString("not judged: edited (fault.0.enabled)"));
  }
  // What the file itself says is what its expectations speak of.
  void aFaultThatTheFileHasOffIsNoEdit() {
    const std::string at = "[[fault]]\n";
    std::string off = kFile;
    off.insert(off.find(at) + at.size(), "enabled = false\n");
    const Scenario of = written(off);
    QVERIFY(!of.faults.front().enabled);
    QVERIFY(finished(of)->outcome().as_expected.has_value());
    QCOMPARE(written(scenario_text(of)).faults.front().enabled, false);
  }
  void expectationsThatAreOffAreKeptAndJudgeNothing() {
    QCOMPARE(QString::fromStdString(verdict_text(outcome_of({"expect.enabled=false"}))),
             QString("not judged: its expectations are off"));
    const auto off = read_scenario(kFile, "mine.toml", {"expect.enabled=false"});
    QVERIFY(off && !off->expected.empty());
    QCOMPARE(written(scenario_text(*off)).expected, off->expected);
  }
  void aRunThatIsStoppedIsNotJudged() {
    VirtualRun run(written(kFile));
    run.advance(at(20s));
    run.finish();
    QCOMPARE(QString::fromStdString(verdict_text(run.outcome())), QString("not judged: stopped"));
  }
  // Who was judged by what was seen alone: nobody knows of the rest.
  void theVerdictOfARunWhoseStoreDidNotTellSpeaksOfWhatWasObserved() {
    Outcome outcome;
    outcome.as_expected = true;
    outcome.summary.unobserved = 1ms;
    QCOMPARE(QString::fromStdString(verdict_text(outcome)), QString("as expected in what was observed"));
    outcome.as_expected = false;
    QCOMPARE(QString::fromStdString(verdict_text(outcome)), QString("not as expected"));
  }
  void aForkUnderOtherValuesIsNotJudgedAndOneUnderTheSameIs() {
    const Scenario of = written(kFile);
    Scenario changed = of;
    for (const bool other : {false, true}) {
      changed.resources.front().fencing = !other;
      VirtualRun run(of);
      QVERIFY(run.fork(at(20s), changed).has_value());
      run.advance(TrueTime::max());
      QCOMPARE(QString::fromStdString(verdict_text(run.outcome())),
               QString(other ? "not judged: edited (forked)" : "as expected"));
    }
  }
  void ofWhatIsNotJudgedNoSeedFails() {
    const Verdict verdict = verdict_of(scenario("canary", {"store.loss=0.01"}));
    QVERIFY(!verdict.failure.has_value());
    QCOMPARE(verdict.not_judged, std::string("edited (store.loss)"));
  }
  void theRangesAreWrittenOutAsTheyWereRead() {
    const Scenario of = written(kFile);
    QCOMPARE(of.expected.valid_for.size(), std::size_t{4});
    QCOMPARE(written(scenario_text(of)).expected, of.expected);
  }
  void aRangeThatSaysNothingIsAnsweredWithItsPlace() {
    for (const char* wrong : {"\"mutex.name\" = [\"a\", \"b\"]", "\"mutex.ttl\" = [\"2s\"]", "\"mutex.ttl\" = 3",
                              "\"contender.0.count\" = [\"2\", \"9\"]", "\"contender.0.behaviour\" = []"}) {
      const auto read = read_scenario(kReckoned + "[expect]\nvalid_for = { " + wrong + " }\n", "mine.toml");
      QVERIFY2(!read, wrong);
      const QString error = QString::fromStdString(read.error().text());
      QVERIFY2(error.startsWith("mine.toml:11:") && error.contains("expect.valid_for."), qPrintable(error));
    }
  }
};

LEASESCOPE_SUITE(ValidityTest)
#include "validity_test.moc"
