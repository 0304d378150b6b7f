// A swarm: everything is drawn from the seed, what must hold holds, and what is unsafe is shown to be.
#include "simulator/campaign/swarm.h"

#include "simulator/campaign/verdict.h"
#include "simulator/run/bare_run.h"
#include "simulator/scenario/scenario_text.h"
#include "tests/engine/runs.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

Scenario drawn(std::uint64_t seed, const SwarmOptions& options = {}) {
  auto found = draw_swarm(seed, options);
  if (!found) qFatal("%s", found.error().text().c_str());
  return *found;
}

// What a file cannot say about itself.
Scenario without_its_file(Scenario scenario) {
  scenario.name.clear();
  for (FaultTable& fault : scenario.faults) fault.line = 0;
  return scenario;
}

std::vector<FaultTable> faults_but(const Scenario& of, std::string_view kind) {
  std::vector<FaultTable> out;
  for (const FaultTable& fault : of.faults)
    if (fault.kind != kind) out.push_back(fault);
  return out;
}

// Of any kind, or of that one.
QString first_failure(const SwarmOptions& options, std::uint64_t seeds, std::optional<QString> shows = std::nullopt) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Verdict verdict = verdict_of(drawn(seed, options));
    if (!verdict.failure || (shows && *shows != text(*verdict.failure).data())) continue;
    return QString("seed %1, %2: %3")
        .arg(seed)
        .arg(QString::fromStdString(std::string(text(*verdict.failure))), QString::fromStdString(verdict.reason));
  }
  return {};
}

}  // namespace

class SwarmTest : public QObject {
  Q_OBJECT
 private slots:
  void aSeedAlwaysDrawsTheSame() {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) QCOMPARE(drawn(seed), drawn(seed));
    QVERIFY(!(drawn(1).mutex == drawn(2).mutex));
  }
  void whatIsDrawnIsReadBackAsItself() {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      const Scenario of = drawn(seed);
      const std::string text = scenario_text(of);
      QVERIFY2(without_its_file(written(text)) == without_its_file(of), text.c_str());
    }
  }
  void aReplayRunsToTheSameHash() {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const Scenario of = drawn(seed);
      const Verdict verdict = verdict_of(of);
      const Scenario replay = written(scenario_text(replay_of(of, verdict)));
      QCOMPARE(hash_of(replay), verdict.trace_hash);
      QCOMPARE(QString::fromStdString(replay.replay->hash), QString::fromStdString(hash_text(verdict.trace_hash)));
    }
  }
  void aKindThatIsOffShiftsNoOtherKindsFaults() {
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
      for (const char* kind : {"pause", "partition"}) {
        const Scenario with = drawn(seed), without = drawn(seed, {{}, {kind}});
        QCOMPARE(faults_but(with, kind), faults_but(without, kind));
        QCOMPARE(with.contenders, without.contenders);
        QCOMPARE(with.store, without.store);
      }
  }
  void everyKindSaysWhatIsWorthDrawing() {
    for (const FaultKind& kind : all_fault_kinds()) {
      if (!is_drawn(kind)) continue;
      for (const FaultKey& key : kind.keys)
        QVERIFY2(key.type != FaultKeyType::kTime || !key.required || key.draw.draws(),
                 qPrintable(QString("%1 of %2").arg(key.name.data(), kind.name.data())));
      QVERIFY2(!kind.lasts || kind.lasting.draws(), kind.name.data());
    }
  }
  void noFaultBeginsAfterTheHealingAndAllLastingOnesEndBefore() {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const Scenario of = drawn(seed);
      for (const FaultTable& fault : of.faults) {
        const FaultKind& kind = *find_fault_kind(fault.kind);
        if (heals(fault, of)) {
          QVERIFY(!is_drawn(kind));
        } else if (kind.lasts) {
          QVERIFY(fault.at.fixed + fault.duration.fixed <= of.heal->fixed);
        }
      }
    }
  }
  void whatIsSetIsSetInEverySeed() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Scenario of = drawn(seed, {{"contender.*.behaviour=3.0", "mutex.transition=0s"}, {}});
      QCOMPARE(of.terms().transition.count(), 0);
      for (const ContenderTable& contender : of.contenders) QCOMPARE(contender.behaviour, Behaviour::k30);
    }
    QVERIFY(!draw_swarm(1, {{"mutex.tll=1s"}, {}}).has_value());
  }
  void theDefaultHoldsAndEveryKindOfFaultFires() {
    std::vector<std::uint32_t> fired(all_fault_kinds().size());
    for (std::uint64_t seed = 1; seed <= seeds(2000); ++seed) {
      const Verdict verdict = verdict_of(drawn(seed));
      QVERIFY2(!verdict.failure, qPrintable(QString("seed %1: %2").arg(seed).arg(verdict.reason.c_str())));
      for (std::size_t kind = 0; kind < fired.size(); ++kind) fired[kind] += verdict.firings[kind];
    }
    for (const std::string_view system : system_names())
      for (std::uint64_t seed = 1; seed <= seeds(100); ++seed) {
        const Verdict verdict = verdict_of(drawn(seed, {{}, {}, std::string(system)}));
        QVERIFY2(!verdict.failure,
                 qPrintable(QString("%1, seed %2: %3").arg(system.data()).arg(seed).arg(verdict.reason.c_str())));
        for (std::size_t kind = 0; kind < fired.size(); ++kind) fired[kind] += verdict.firings[kind];
      }
    for (std::size_t kind = 0; kind < fired.size(); ++kind)
      QVERIFY2(fired[kind] > 0, all_fault_kinds()[kind].name.data());
  }
  // The holder gives its votes back one by one, and the last of its majority runs out meanwhile: it was released.
  void aQuorumThatIsGivenBackIsNotTakenTooEarly() {
    for (const std::uint64_t seed : {587, 1467}) {
      const Verdict verdict = verdict_of(drawn(seed, {{}, {}, "quorum"}));
      QVERIFY2(!verdict.failure, verdict.reason.c_str());
    }
  }
  // A version that is watched on a clock that runs fast is watched for too short a time.
  void aClockThatRunsWrongTakesALeaseEarlyAndExcusesIt() {
    int excused = 0;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
      const Verdict verdict = verdict_of(drawn(seed, {{}, {}, "cas"}));
      QVERIFY2(!verdict.failure, verdict.reason.c_str());
      for (const Broken& broken : verdict.excused) excused += broken.failure == Failure::kDoubleGrant;
    }
    QVERIFY(excused > 0);
  }
  void whatIsUnsafeShowsWithinTenThousandSeeds_data() {
    QTest::addColumn<QStringList>("sets");
    QTest::addColumn<QString>("shows");
    const QString overlap = "unexplained_overlap";
    QTest::newRow("3.0") << QStringList{"contender.*.behaviour=3.0", "mutex.count=1"} << overlap;
    QTest::newRow("3.1 with hanging calls") << QStringList{"contender.*.behaviour=3.1", "store.timeout=60s"} << overlap;
    QTest::newRow("transition 0") << QStringList{"mutex.transition=0s"} << QString("lost_undisturbed");
    QTest::newRow("tokenless accept") << QStringList{"contender.0.behaviour=3.1", "resource.*.tokenless=accept",
                                                     "resource.*.fencing=true"}
                                      << QString("stale_write_accepted");
  }
  void whatIsUnsafeShowsWithinTenThousandSeeds() {
    QFETCH(QStringList, sets);
    QFETCH(QString, shows);
    SwarmOptions options;
    for (const QString& set : sets) options.sets.push_back(set.toStdString());
    QVERIFY2(!first_failure(options, 10'000, shows).isEmpty(), "10 000 seeds did not show it");
  }
  // A double grant is excused by what may break one, in that run and before it; by nothing else.
  void whatAFaultTakesByItsNatureIsExcusedAndCounted() {
    int excused = 0;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
      const Scenario of = drawn(seed);
      for (const Broken& broken : verdict_of(of).excused) {
        const FaultKind& kind = all_fault_kinds()[static_cast<std::size_t>(broken.excused_by)];
        QVERIFY(excuses(of, kind, broken.failure));
        ++excused;
      }
    }
    QVERIFY(excused > 10);
  }
  void whoIsStuckIsToldInWords() {
    Failure failure = Failure::kStorm;
    // The first failed renewal ends the schedule of the 3.0 generation for good: nobody ever asks the store again.
    const SwarmOptions options{{"contender.*.behaviour=3.0"}, {"pause", "stop", "crash", "starve"}};
    for (std::uint64_t seed = 1; seed <= 500 && failure != Failure::kNoProgress; ++seed) {
      const Verdict verdict = verdict_of(drawn(seed, options));
      if (verdict.failure != Failure::kNoProgress) continue;
      failure = *verdict.failure;
      const QString reason = QString::fromStdString(verdict.reason);
      QVERIFY2(reason.startsWith("nothing disturbed since "), qPrintable(reason));
      QVERIFY2(reason.contains("is RUNNING") && reason.contains("last"), qPrintable(reason));
    }
    QCOMPARE(failure, Failure::kNoProgress);
  }
  void aFaultThatIsTakenOutChangesNothingBeforeIt() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Scenario of = drawn(seed);
      const std::size_t row = of.faults.size() / 2;
      if (heals(of.faults[row], of)) continue;
      const TrueTime until = TrueTime{} + of.faults[row].at.fixed - 1ns;
      if (until <= TrueTime{}) continue;
      BareRun with(of);
      with.advance(until);
      of.faults[row].enabled = false;
      BareRun without(of);
      without.advance(until);
      QCOMPARE(with.trace_hash(), without.trace_hash());
    }
  }
};

LEASESCOPE_SUITE(SwarmTest)
#include "swarm_test.moc"
