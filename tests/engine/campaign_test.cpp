// Many seeds come to the same on any number of threads; where two runs part, it is told.
#include "simulator/campaign/campaign.h"

#include "simulator/campaign/swarm.h"
#include "simulator/campaign/trail.h"
#include "simulator/engine/trace_hash.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

Campaign campaign(const ScenarioOfSeed& scenario_of, std::uint64_t seeds, unsigned jobs) {
  CampaignWatch watch;
  auto done = run_campaign(scenario_of, {{1, seeds}, jobs, true}, watch);
  if (!done) qFatal("%s", done.error().text().c_str());
  return *done;
}

ScenarioOfSeed swarm_with(const std::vector<std::string>& sets) {
  return [=](std::uint64_t seed) { return draw_swarm(seed, {sets, {}}); };
}

ScenarioOfSeed built_in(const std::string& name) {
  return [=](std::uint64_t seed) {
    auto found = find_scenario(name);
    if (found) found->seed = seed;
    return found;
  };
}

std::optional<Divergence> part(const Scenario& a, const Scenario& b) {
  Trail here(a), there(b);
  return first_divergence([&] { return here.next(); }, [&] { return there.next(); });
}

}  // namespace

class CampaignTest : public QObject {
  Q_OBJECT
 private slots:
  void oneThreadAndEightComeToTheSame() {
    const Campaign one = campaign(swarm_with({}), 200, 1), eight = campaign(swarm_with({}), 200, 8);
    QCOMPARE(one.done, std::uint64_t{200});
    QCOMPARE(one.hashes, eight.hashes);
    QCOMPARE(one.fired, eight.fired);
    QCOMPARE(one.excused, eight.excused);
    QCOMPARE(one.inputs, eight.inputs);
    QCOMPARE(std::count(one.hashes.begin(), one.hashes.end(), 0), 0);
  }
  void failuresAreToldByTheirSeedsInOrder() {
    const auto unsafe = swarm_with({"mutex.transition=0s"});
    const Campaign one = campaign(unsafe, 200, 1), four = campaign(unsafe, 200, 4);
    QVERIFY(one.failures_in_all() > 50);
    QCOMPARE(one.failures.size(), four.failures.size());
    for (std::size_t i = 0; i < one.failures.size(); ++i) {
      QCOMPARE(one.failures[i].seed, four.failures[i].seed);
      QCOMPARE(one.failures[i].reason, four.failures[i].reason);
      QVERIFY(i == 0 || one.failures[i - 1].seed < one.failures[i].seed);
    }
  }
  void aWrongSettingIsAnsweredBeforeAnythingRuns() {
    CampaignWatch watch;
    QVERIFY(!run_campaign(swarm_with({"mutex.tll=1s"}), {{1, 10}, 2, false}, watch).has_value());
    QCOMPARE(watch.done.load(), std::uint64_t{0});
  }
  void itEndsInOrderWhenItIsToldTo() {
    CampaignWatch watch;
    watch.stop = true;
    const auto done = run_campaign(swarm_with({}), {{1, 1000}, 2, false}, watch);
    QVERIFY(done.has_value() && done->interrupted);
    QCOMPARE(done->done, std::uint64_t{0});
  }
  // It must always fail: what would not be reported here would not be reported anywhere.
  void theCanaryFailsInEverySeed() {
    const Campaign done = campaign(built_in("canary"), 200, 2);
    QCOMPARE(done.failed[static_cast<std::size_t>(Failure::kNotAsExpected)], std::uint64_t{200});
    QVERIFY(done.failures.front().reason.find("stale_writes_accepted") != std::string::npos);
  }
  void aScenarioThatIsAsExpectedHasNoFailure() {
    QCOMPARE(campaign(built_in("gc-pause"), 200, 2).failures_in_all(), std::uint64_t{0});
  }
  void aKindOfFaultThatNeverFiredIsMissedOnlyWhereItWasPossible() {
    Campaign done;
    done.done = 10'000;
    done.fired.assign(all_fault_kinds().size(), 1);
    done.possible.assign(all_fault_kinds().size(), 1'000);
    QVERIFY(done.never_fired().empty());
    done.fired[0] = 0;
    QCOMPARE(done.never_fired(), std::vector<std::string>{std::string(all_fault_kinds()[0].name)});
    done.possible[0] = 999;
    QVERIFY(done.never_fired().empty());
    done.possible[0] = 10'000;
    done.done = 9'999;
    QVERIFY(done.never_fired().empty());
  }
  void oneRunToldTwiceNeverParts() {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) QVERIFY(!part(*draw_swarm(seed), *draw_swarm(seed)).has_value());
  }
  // Planted: one fault more. The first thing that differs is that fault, not what came of it.
  void runsThatDifferInOneFaultPartAtThatFault() {
    const Scenario of = scenario("gc-pause");
    Scenario other = of;
    FaultTable fault = of.faults.front();
    fault.at = TimeExpression(7s);
    fault.target = "c2";
    fault.during_compute = false;
    other.faults.push_back(fault);
    const auto divergence = part(of, other);
    QVERIFY(divergence.has_value());
    QVERIFY2(divergence->there.rfind("7.000000000 s", 0) == 0, divergence->there.c_str());
    QVERIFY2(divergence->there.find("faults due") != std::string::npos, divergence->there.c_str());
    QVERIFY(divergence->here.rfind("7.000000000 s", 0) != 0);
    QVERIFY(!divergence->before.empty() && divergence->line > 10);
  }
  void theLastHashOfATrailIsTheRuns() {
    const Scenario of = scenario("gc-pause");
    Trail trail(of);
    std::string last;
    while (const auto line = trail.next()) last = *line;
    QCOMPARE(QString::fromStdString(last).right(16), QString::fromStdString(hash_text(hash_of(of))));
  }
};

LEASESCOPE_SUITE(CampaignTest)
#include "campaign_test.moc"
