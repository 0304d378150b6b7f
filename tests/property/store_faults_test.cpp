// Stores under any plan of what does not make them forget: they grant once, and tokens rise.
#include <rapidcheck.h>

#include <fmt/format.h>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/reader.h"
#include "tests/support/suite.h"

using namespace leasescope;

class StoreProperties : public QObject {
  Q_OBJECT
 private slots:
  void whatDoesNotForgetGrantsOnce();
  void theTraceDoesNotHangOnHowARunIsCutUp();
};

namespace {

std::string milliseconds(int from, int to) { return fmt::format("{}ms", *rc::gen::inRange(from, to)); }

std::string fault(const std::string& kind) {
  std::string out = fmt::format("[[fault]]\nat = \"{}\"\nkind = \"{}\"\n", milliseconds(0, 40'000), kind);
  if (kind == "pool_exhausted")
    out += fmt::format("target = \"{}\"\n", *rc::gen::elementOf(std::vector<std::string>{"owner", "c1", "all"}));
  if (kind == "store_slow") out += fmt::format("by = \"{}\"\n", milliseconds(1, 400));
  if (kind == "store_clock_drift") out += fmt::format("ppm = -{}\n", *rc::gen::inRange(1, 400'000));
  if (kind != "crash" && kind != "stop" && kind != "delete_key" && kind != "delete_row")
    out += fmt::format("duration = \"{}\"\n", milliseconds(10, 12'000));
  return out;
}

// `forgetful`: with what may break the grant or the fence.
std::string plan(bool forgetful) {
  const bool sql = *rc::gen::arbitrary<bool>();
  std::vector<std::string> kinds{"store_crash", "store_freeze", "store_slow", "store_clock_drift", "crash", "stop"};
  if (sql) {
    kinds.insert(kinds.end(), {"row_stall", "pool_exhausted"});
    if (forgetful) kinds.emplace_back("delete_row");
  } else {
    kinds.emplace_back("replica_cut");
    if (forgetful) kinds.insert(kinds.end(), {"delete_key", "store_failover"});
  }
  std::string out = fmt::format(
      "schema = 1\ntitle = \"any\"\nseed = {}\nduration = \"45s\"\n"
      "[mutex]\nname = \"m\"\nttl = \"{}\"\ntransition = \"{}\"\n"
      "[store]\nmodel = \"{}\"\nlatency = {{ median = \"500us\", p99 = \"{}\" }}\ntimeout = \"{}\"\n",
      *rc::gen::inRange(0, 1'000'000), milliseconds(300, 6'000), milliseconds(0, 3'000), sql ? "sql" : "redis",
      milliseconds(1, 60), milliseconds(50, 20'000));
  if (sql)
    out += fmt::format("[store.sql]\nstatement = \"{}\"\npool = {}\n",
                       *rc::gen::elementOf(std::vector<std::string>{"for-update", "update"}), *rc::gen::inRange(1, 4));
  if (!sql) out += fmt::format("[store.redis]\nreplica = true\nreplication_lag = \"{}\"\n", milliseconds(0, 500));
  for (int contender = 1; contender <= 3; ++contender) out += fmt::format("[[contender]]\nname = \"c{}\"\n", contender);
  out += "[[resource]]\nwrite_every = \"50ms\"\n";
  for (int faults = *rc::gen::inRange(0, 8); faults > 0; --faults) out += fault(*rc::gen::elementOf(kinds));
  return out;
}

Scenario read(const std::string& toml) {
  auto scenario = read_scenario(toml, "any.toml");
  if (!scenario) RC_FAIL(scenario.error().text());
  return *scenario;
}

}  // namespace

void StoreProperties::whatDoesNotForgetGrantsOnce() {
  QVERIFY(rc::check("crashes, freezes, stalls, a slow disk, a slow clock: one grant, no overlap, no lost fence", [] {
    const std::string toml = plan(false);
    RC_LOG() << toml;
    VirtualRun run(read(toml));
    run.advance(TrueTime::max());
    const Summary& summary = run.history().summary;
    RC_ASSERT(summary.double_grants == 0u);
    RC_ASSERT(summary.fence_regressions == 0u);
    RC_ASSERT(summary.stale_writes_accepted == 0u);
    RC_ASSERT(summary.belief_overlap == Duration::zero());
  }));
}

void StoreProperties::theTraceDoesNotHangOnHowARunIsCutUp() {
  QVERIFY(rc::check("hash of a run == hash of its pieces", [] {
    const std::string toml = plan(true);
    RC_LOG() << toml;
    const Scenario scenario = read(toml);
    VirtualRun whole(scenario), pieces(scenario);
    whole.advance(TrueTime::max());
    const auto most = *rc::gen::inRange<std::uint64_t>(1, 50);
    while (pieces.advance(TrueTime::max(), most)) {
    }
    RC_ASSERT(whole.outcome().trace_hash == pieces.outcome().trace_hash);
  }));
}

LEASESCOPE_SUITE(StoreProperties)
#include "store_faults_test.moc"
