// The same scenario and seed give the same trace hash: again, in a copy, on every compiler and build type.
#include <map>

#include "simulator/engine/world.h"
#include "simulator/run/bare_run.h"
#include "tests/bench/contention_scenario.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// The hash of what is still to come in a world.
std::uint64_t rest_of(World& world, TrueTime until) {
  TraceHash hash;
  while (world.step(until)) {
    hash.add(world.input(), world.names());
    for (const Event& event : world.events()) hash.add(event, world.input(), world.names());
  }
  return hash.digest();
}

}  // namespace

class DeterminismTest : public QObject {
  Q_OBJECT
 private slots:
  void aHundredRunsOfOneSeedAreEqual() {
    const Scenario of = scenario("gc-pause");
    const std::uint64_t first = hash_of(of);
    for (int i = 0; i < 100; ++i) QCOMPARE(hash_of(of), first);
  }
  // Written down once; every compiler and every build type has to come to the same.
  void theHashesAreThoseWrittenDown() {
    const std::map<std::string, std::string> written_down{
#include "tests/engine/golden_hashes.inc"
    };
    std::string others;  // as they are written down
    for (const BuiltIn& built_in : built_in_scenarios()) {
      const std::string hash = hash_text(hash_of(scenario(built_in.name)));
      const auto known = written_down.find(built_in.name);
      if (known == written_down.end() || known->second != hash)
        others += "{\"" + built_in.name + "\", \"" + hash + "\"},\n";
    }
    QVERIFY2(others.empty(), ("these are not, or otherwise:\n" + others).c_str());
  }
  void anotherSeedGivesAnother() {
    QVERIFY(hash_of(scenario("gc-pause", {"seed=8"})) != hash_of(scenario("gc-pause", {"seed=7"})));
  }
  void anotherFaultGivesAnother() {
    QVERIFY(hash_of(scenario("gc-pause", {"fault.0.duration=1 lease + 2001ms"})) != hash_of(scenario("gc-pause")));
    Scenario without = scenario("gc-pause");
    without.faults.front().enabled = false;
    QVERIFY(hash_of(without) != hash_of(scenario("gc-pause")));
  }
  void aCopyOfTheWorldContinuesIdentically() {
    for (const BuiltIn& built_in : built_in_scenarios()) {
      const Scenario of = scenario(built_in.name);
      const TrueTime end = TrueTime{} + of.length();
      World world(of, make_facts(of));
      for (int i = 0; i < 400 && world.step(end); ++i) {
      }
      World copy = world;
      QCOMPARE(rest_of(copy, end), rest_of(world, end));
    }
  }
  void aCopyIsNotTouchedByWhatTheOriginalDoes() {
    const Scenario of = scenario("gc-pause");
    const TrueTime end = TrueTime{} + of.length();
    World world(of, make_facts(of));
    for (int i = 0; i < 400 && world.step(end); ++i) {
    }
    World first = world, second = world;
    const std::uint64_t rest = rest_of(first, end);
    world = World(of, make_facts(of));
    QCOMPARE(rest_of(second, end), rest);
  }
  void theHashDoesNotHangOnHowARunIsDriven() {
    const Scenario of = scenario("gc-pause");
    VirtualRun stepped(of);
    while (stepped.step()) {
    }
    VirtualRun sliced(of);
    for (Duration at = std::chrono::milliseconds(17); sliced.advance(TrueTime{} + at, 5);
         at += std::chrono::milliseconds(17)) {
    }
    while (sliced.advance(TrueTime::max(), 3)) {
    }
    QCOMPARE(*stepped.outcome().trace_hash, hash_of(of));
    QCOMPARE(*sliced.outcome().trace_hash, hash_of(of));
  }
  void theBenchRunsTheWorldThatRunRuns() {
    const Scenario of = bench::contention(100, 60);
    BareRun bare(of);
    bare.advance(TrueTime{} + of.length());
    const auto run = finished(of);
    QCOMPARE(bare.trace_hash(), *run->outcome().trace_hash);
    QCOMPARE(bare.inputs(), run->outcome().events);
  }
  void oneContenderMoreDoesNotShiftTheDrawsOfTheOthers() {
    RandomStream alone(7, "c1", "jitter"), beside(7, "c1", "jitter"), other(7, "c2", "jitter");
    for (int i = 0; i < 100; ++i) {
      other.next();
      QCOMPARE(alone.next(), beside.next());
    }
  }
};

LEASESCOPE_SUITE(DeterminismTest)
#include "determinism_test.moc"
