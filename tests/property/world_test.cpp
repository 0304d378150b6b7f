// The virtual world under any plan of faults: what a store never does, and what the default behaviour never lets
// happen.
#include <rapidcheck.h>

#include <fmt/format.h>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/reader.h"
#include "tests/support/suite.h"

using namespace leasescope;

class WorldProperties : public QObject {
  Q_OBJECT
 private slots:
  void noPlanBreaksAGrantOrAFence();
  void withoutAPauseTheDefaultNeverOverlaps();
  void theSamePlanGivesTheSameTraceHoweverItIsCutUp();
};

namespace {

std::string pick(std::initializer_list<const char*> words) {
  return *rc::gen::elementOf(std::vector<const char*>(words));
}

std::string milliseconds(int from, int to) { return fmt::format("{}ms", *rc::gen::inRange(from, to)); }

// One fault of the kinds that take nothing from the store or the fence by their nature.
std::string fault(bool pauses) {
  std::vector<std::string> kinds{"partition", "clock_step", "lost_notification", "stop", "crash"};
  if (pauses) kinds.insert(kinds.end(), {"pause", "pause"});
  const std::string kind = *rc::gen::elementOf(kinds);
  const std::string at = milliseconds(100, 40'000);
  std::string out = fmt::format("[[fault]]\nat = \"{}\"\nkind = \"{}\"\ntarget = \"{}\"\n", at, kind,
                                pick({"owner", "c1", "c2", "c3"}));
  if (kind == "partition") out += fmt::format("direction = \"{}\"\n", pick({"both", "to_store", "from_store"}));
  if (kind == "clock_step") out += fmt::format("by = \"{}\"\n", milliseconds(-20'000, 20'000));
  if (kind == "pause" && *rc::gen::arbitrary<bool>()) out += "during = \"compute\"\n";
  if (kind == "partition" || kind == "lost_notification" || kind == "pause")
    out += fmt::format("duration = \"{}\"\n", milliseconds(50, 15'000));
  return out;
}

std::string plan(bool pauses, const std::string& behaviours) {
  std::string out = fmt::format(
      "schema = 1\ntitle = \"any\"\nseed = {}\nduration = \"45s\"\n"
      "[mutex]\nname = \"m\"\nttl = \"{}\"\ntransition = \"{}\"\n"
      "[store]\nlatency = {{ median = \"500us\", p99 = \"{}\" }}\n",
      *rc::gen::inRange(0, 1'000'000), milliseconds(300, 6'000), milliseconds(0, 3'000), milliseconds(1, 60));
  for (int contender = 1; contender <= 3; ++contender) {
    out += fmt::format("[[contender]]\nname = \"c{}\"\nclock = {{ offset = \"{}\", drift_ppm = {} }}\n", contender,
                       milliseconds(-5'000, 5'000), *rc::gen::inRange(-500, 501));
    if (!behaviours.empty() && *rc::gen::arbitrary<bool>()) out += fmt::format("behaviour = \"{}\"\n", behaviours);
  }
  out += "[[resource]]\nwrite_every = \"50ms\"\nfencing = true\n";
  for (int faults = *rc::gen::inRange(0, 7); faults > 0; --faults) out += fault(pauses);
  return out;
}

Scenario read(const std::string& toml) {
  auto scenario = read_scenario(toml, "any.toml");
  if (!scenario) RC_FAIL(scenario.error().text());
  return *scenario;
}

Summary summary_of(const Scenario& scenario) {
  VirtualRun run(scenario);
  run.advance(TrueTime::max());
  return run.history().summary;
}

}  // namespace

void WorldProperties::noPlanBreaksAGrantOrAFence() {
  QVERIFY(rc::check("no double grant, no accepted stale write, no fence regression", [] {
    const std::string toml = plan(true, "4.x");
    RC_LOG() << toml;
    const Summary summary = summary_of(read(toml));
    RC_ASSERT(summary.double_grants == 0u);
    RC_ASSERT(summary.stale_writes_accepted == 0u);
    RC_ASSERT(summary.fence_regressions == 0u);
  }));
}

void WorldProperties::withoutAPauseTheDefaultNeverOverlaps() {
  QVERIFY(rc::check("drift, steps, partitions, crashes: never two believers", [] {
    const std::string toml = plan(false, "");
    RC_LOG() << toml;
    const Summary summary = summary_of(read(toml));
    RC_ASSERT(summary.belief_overlap == Duration::zero());
  }));
}

void WorldProperties::theSamePlanGivesTheSameTraceHoweverItIsCutUp() {
  QVERIFY(rc::check("hash of a run == hash of its pieces", [] {
    const std::string toml = plan(true, "3.1");
    RC_LOG() << toml;
    const Scenario scenario = read(toml);
    VirtualRun whole(scenario), pieces(scenario);
    whole.advance(TrueTime::max());
    const auto most = *rc::gen::inRange<std::uint64_t>(1, 50);
    while (pieces.advance(TrueTime::max(), most)) {
    }
    RC_ASSERT(whole.outcome().trace_hash == pieces.outcome().trace_hash);
    RC_ASSERT(whole.outcome().events == pieces.outcome().events);
  }));
}

LEASESCOPE_SUITE(WorldProperties)
#include "world_test.moc"
