// A scenario written out is read back as the same scenario, and runs the same.
#include "simulator/scenario/scenario_text.h"

#include "simulator/run/outcome_text.h"
#include "simulator/scenario/differences.h"
#include "tests/bench/contention_scenario.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// What a file cannot say about itself.
Scenario without_its_file(Scenario scenario) {
  scenario.name.clear();
  for (FaultTable& fault : scenario.faults) fault.line = 0;
  return scenario;
}

}  // namespace

class ScenarioTextTest : public QObject {
  Q_OBJECT
 private slots:
  void everyBuiltInIsReadBackAsItself() {
    for (const BuiltIn& built_in : built_in_scenarios()) {
      const Scenario of = scenario(built_in.name);
      const std::string text = scenario_text(of);
      QVERIFY2(without_its_file(written(text)) == without_its_file(of), text.c_str());
      QCOMPARE(hash_of(written(text)), hash_of(of));
    }
  }
  // It is made without a file; a file could say it.
  void theBenchRunsWhatAFileCouldSay() {
    const Scenario of = bench::contention(100, 90);
    QCOMPARE(without_its_file(written(scenario_text(of))), of);
    QCOMPARE(hash_of(written(scenario_text(of))), hash_of(of));
  }
  void whatIsOddInATextSurvives() {
    Scenario of = scenario("healthy");
    of.title = "a \"quoted\" title\\ with\ttabs\nand lines, and ö";
    of.mutex.name = "orders \"é\"";
    of.mutex.terms.jitter = {-1ms, 7us};
    of.store.latency = Distribution::uniform(1ns, 1234567ns);
    of.store.loss_ppm = 12'345;
    of.resources.front().latency = Distribution::exponential(3ms);
    of.contenders.front().clock = {-288s, -500, 77};
    of.heal = TimeExpression(35s + 1ns);
    of.replay = ReplayTable{"0.1.0", 1, "0123456789abcdef", "it said \"no\""};
    QVERIFY2(without_its_file(written(scenario_text(of))) == without_its_file(of), scenario_text(of).c_str());
  }
  void namesAreKeptInTheTextTheRunAndWhatItCameTo() {
    Scenario of = scenario("gc-pause");
    of.contenders.front().names = {"billing", "the \"mailer\"", "ö"};
    of.faults.back().target = "billing";  // a stop
    const std::string text = scenario_text(of);
    QVERIFY2(text.find("names = [\"billing\", ") != std::string::npos, text.c_str());
    QVERIFY2(without_its_file(written(text)) == without_its_file(of), text.c_str());
    const auto run = finished(written(text));
    const std::vector<std::string>& told = run->history().legend.contenders;
    QVERIFY(std::find(told.begin(), told.end(), "billing") != told.end());
    QVERIFY(first(run->history(), EventKind::kStarted, "billing") != TrueTime::max());
    QCOMPARE(first(run->history(), EventKind::kStarted, "c1"), TrueTime::max());
    QVERIFY(first(run->history(), EventKind::kFaultBegan, "billing") != TrueTime::max());
    const std::string told_of = outcome_json(run->outcome(), run->history(), run->scenario());
    QVERIFY2(told_of.find("\"billing\"") != std::string::npos, told_of.c_str());
    // As a list of settings says it.
    const auto settings = settings_for(of, scenario_text(scenario("gc-pause")), "gc-pause.toml");
    QVERIFY2(settings.has_value(), settings ? "" : settings.error().c_str());
    QVERIFY(std::any_of(settings->begin(), settings->end(),
                        [](const std::string& each) { return each.rfind("contender.0.names=[\"billing\"", 0) == 0; }));
  }
  void whoHasNoNameOfItsOwnIsCalledAsBefore() {
    const Scenario of = scenario("gc-pause");
    QVERIFY(of.contenders.front().names.empty());
    QCOMPARE(of.contender_names(), (std::vector<std::string>{"c1", "c2", "c3"}));
    QVERIFY(scenario_text(of).find("names") == std::string::npos);
  }
  void anOverriddenReplayNoLongerSaysWhatItCameTo() {
    Scenario of = scenario("healthy");
    of.replay = ReplayTable{"0.1.0", 1, "0123456789abcdef", ""};
    const auto changed = read_scenario(scenario_text(of), "test.toml", {"mutex.ttl=7s"});
    QVERIFY(changed.has_value());
    QVERIFY(!changed->replay.has_value());
  }
};

LEASESCOPE_SUITE(ScenarioTextTest)
#include "scenario_text_test.moc"
