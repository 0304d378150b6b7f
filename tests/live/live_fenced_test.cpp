#include "core/store/types/types.h"
#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

struct Row {
  const char* key;
  const char* scenario;
  Settings settings;
};

// In little time; what is set beside is true of each of them under any.
const std::vector<Row>& plays() {
  static const std::vector<Row> out{
      {"healthy", "fenced-healthy", {"duration=14s"}},
      {"pause", "fenced-gc-pause", {"duration=10s"}},
      {"unfenced", "fenced-gc-pause", {"duration=10s", "resource.fencing=false"}},
      {"borrowed", "borrowed-token", {"duration=10s"}},
      {"immortal", "immortal-watchdog", {"duration=12s"}},
  };
  return out;
}

// Its first holder keeps it until the end, if nobody ends its session.
constexpr const char* kForce = R"(
schema = 1
title = "A session that is ended by force"
duration = "6s"
[mutex]
system = "fenced"
name = "orders"
ttl = "3s"
[[contender]]
count = 3
hold = "20s"
[[resource]]
name = "ledger"
write_every = "20ms"
compute = "5ms"
fencing = true
[[fault]]
at = "2s"
kind = "session_close"
target = "store"
)";

}  // namespace

// Fenced locks on every live store that keeps them: the same contenders, the same faults, the same expectations as in
// virtual time.
class LiveFencedTest : public QObject {
  Q_OBJECT

  Runs runs_;

  static void stores() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types())
      if (type->carries(Family::kSession)) QTest::newRow(type->name().data()) << true;
  }
  const LiveRun& run(const std::string& name) const { return runs_.at(name + QTest::currentDataTag()); }

 private slots:
  void initTestCase() {
    for (const StoreType* type : store_types()) {
      if (!type->carries(Family::kSession)) continue;
      const std::string store(type->name());
      for (Row row : plays()) {
        row.settings.emplace_back("mutex.ttl=1s");
        QVERIFY2(runs_.add(row.key + store, scenario(row.scenario, row.settings), store) != nullptr,
                 runs_.error.c_str());
      }
    }
    const auto force = read_scenario(kForce, "force");
    QVERIFY2(force.has_value(), force ? "" : force.error().text().c_str());
    for (const std::string store : {"postgres", "zookeeper"})
      QVERIFY2(runs_.add("force" + store, *force, store) != nullptr, runs_.error.c_str());
    QVERIFY(runs_.play(seconds(40)));
  }

  void eachHasTheOutcomeOfVirtualTime_data() {
    QTest::addColumn<QString>("key");
    for (const StoreType* type : store_types())
      if (type->carries(Family::kSession))
        for (const Row& row : plays())
          QTest::newRow((std::string(row.key) + " on " + std::string(type->name())).c_str())
              << QString::fromStdString(row.key + std::string(type->name()));
  }
  void eachHasTheOutcomeOfVirtualTime() {
    QFETCH(QString, key);
    check_reasons(runs_.at(key.toStdString()));
  }

  void grantsFollowEachOtherAndFencesRise_data() { stores(); }
  void grantsFollowEachOtherAndFencesRise() {
    for (const char* name : {"healthy", "pause"}) {
      Token last = kNoToken;
      for (const Event& grant : of_kind(run(name).history(), EventKind::kGranted)) {
        QVERIFY(grant.lo <= grant.hi);
        QVERIFY(grant.token > last);
        last = grant.token;
      }
      QVERIFY(last > kNoToken);
    }
  }
  void whoGivesBackIsSeenToReleaseAndWhoStandsStillToRunOut_data() { stores(); }
  void whoGivesBackIsSeenToReleaseAndWhoStandsStillToRunOut() {
    QVERIFY(!of_kind(run("healthy").history(), EventKind::kReleased).empty());
    QVERIFY(of_kind(run("healthy").history(), EventKind::kExpired).empty());
    QVERIFY(!of_kind(run("pause").history(), EventKind::kExpired).empty());
    QVERIFY(!of_kind(run("pause").history(), EventKind::kSessionEnded).empty());
  }
  // Who stands first in the line looks when the session of the one before may be over, not only when its own call has
  // taken too long.
  void whoWaitsComesWhenTheSessionIsOver_data() { stores(); }
  void whoWaitsComesWhenTheSessionIsOver() {
    const History& history = run("pause").history();
    const auto paused = of_kind(history, EventKind::kFaultBegan);
    QCOMPARE(paused.size(), std::size_t{1});
    const auto grants = of_kind(history, EventKind::kGranted);
    const auto next = std::find_if(grants.begin(), grants.end(),
                                   [&](const Event& grant) { return grant.at() > paused.front().at(); });
    QVERIFY(next != grants.end());
    const Duration after = next->at() - paused.front().at();
    // ZooKeeper looks after sessions every tick, of a quarter of a second here.
    const milliseconds most(find_store_type(QTest::currentDataTag())->rows ? 1150 : 1450);
    QVERIFY2(after > milliseconds(880) && after < most, std::to_string(after.count()).c_str());
  }

  void aSessionThatIsEndedByForceGivesTheLockToTheNextAtOnce_data() {
    QTest::addColumn<QByteArray>("store");
    for (const char* store : {"postgres", "zookeeper"}) QTest::newRow(store) << QByteArray(store);
  }
  void aSessionThatIsEndedByForceGivesTheLockToTheNextAtOnce() {
    QFETCH(QByteArray, store);
    const LiveRun& forced = runs_.at("force" + store.toStdString());
    const auto grants = of_kind(forced.history(), EventKind::kGranted);
    QCOMPARE(grants.size(), std::size_t{2});
    QVERIFY(grants.back().node != grants.front().node);
    const Duration after = grants.back().at() - TrueTime(seconds(2));
    QVERIFY2(after > Duration::zero() && after < seconds(1), std::to_string(after.count()).c_str());
    QVERIFY(!of_kind(forced.history(), EventKind::kSessionEnded).empty());
    QCOMPARE(forced.history().summary.stale_writes_accepted, std::uint64_t{0});
  }

  void whatNoStoreCanDoIsRefusedSayingWhereItCan() {
    Runs runs;
    QVERIFY(runs.add("jump", scenario("leader-clock-jump", {}), "postgres") == nullptr);
    QVERIFY2(runs.error.find("store_clock_step cannot be produced") != std::string::npos, runs.error.c_str());
    QVERIFY(runs.add("delay", scenario("lock-delay", {}), "postgres") == nullptr);
    QVERIFY2(runs.error.find("what it says of its model cp does not hold") != std::string::npos, runs.error.c_str());
    QVERIFY(runs.add("healthy", scenario("fenced-healthy", {}), "mysql") == nullptr);
    QVERIFY2(runs.error.find("the system fenced is not kept on") != std::string::npos, runs.error.c_str());
    QVERIFY2(runs.error.find("virtual, live:postgres") != std::string::npos, runs.error.c_str());
  }
};

LEASESCOPE_SUITE(LiveFencedTest)
#include "live_fenced_test.moc"
