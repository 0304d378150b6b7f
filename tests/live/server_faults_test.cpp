#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// The clock drifts while most of a lease is left, whose owner dies a moment later.
// long.
constexpr const char* kDrift = R"(
schema = 1
title = "A clock that drifts"
duration = "6s"
[mutex]
name = "orders"
ttl = "1s"
transition = "500ms"
jitter = ["0ms", "100ms"]
[[contender]]
count = 3
[[fault]]
at = "1.1s"
kind = "store_clock_drift"
target = "store"
ppm = PPM
duration = "4s"
[[fault]]
at = "1.2s"
kind = "crash"
target = "owner"
)";

constexpr const char* kClockOfSessions = R"(
schema = 1
title = "A clock that sessions do not hang on"
duration = "5s"
[mutex]
system = "latch"
name = "scheduler"
ttl = "1s"
[[contender]]
count = 2
[[fault]]
at = "1s"
kind = "store_clock_step"
target = "store"
by = "1s"
)";

}  // namespace

// What happens to a server, to a clock and to a process, on real servers: the outcome that each scenario declares.
class ServerFaultsTest : public QObject {
  Q_OBJECT

  Runs runs_;

  void add(const std::string& what, const std::string& store, const Settings& settings) {
    QVERIFY2(runs_.add(what + "/" + store, scenario(what, settings), store) != nullptr, runs_.error.c_str());
  }
  void add_drift(const std::string& what, const std::string& ppm, const std::string& store) {
    std::string text = kDrift;
    text.replace(text.find("PPM"), 3, ppm);
    const auto read = read_scenario(text, what);
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QVERIFY2(runs_.add(what + "/" + store, *read, store) != nullptr, runs_.error.c_str());
  }
  // From the last word of the first owner until the store gave it to another.
  Duration gap_of(const std::string& run) const {
    const History& history = runs_.at(run).history();
    const Event* last = nullptr;
    for (const Event& event : history.events) {
      if (event.kind != EventKind::kGranted && event.kind != EventKind::kRenewed) continue;
      if (last != nullptr && event.node != last->node) return event.hi - last->lo;
      last = &event;
    }
    return Duration::max();
  }
  static const Settings& brief() {
    static const Settings terms{"mutex.ttl=1s", "mutex.transition=500ms"};
    return terms;
  }
  std::string cause_of(const std::string& run, IncidentKind kind) const {
    for (const Incident& incident : runs_.at(run).history().incidents)
      if (incident.kind == kind) return incident.cause;
    return "there is none";
  }

 private slots:
  void initTestCase() {
    // Its newcomer has to find its way back to a server that was down before the owner does.
    add("redis-restart", "redis", {"mutex.ttl=3s", "mutex.transition=1s"});
    add("ghost-lease", "redis", {"mutex.ttl=3s"});
    add("ghost-lease", "mysql", {"mutex.ttl=3s"});
    add("deleted-by-hand", "redis", brief());
    // Whoever comes next comes before the promised end, however late this machine is.
    const Settings early{"mutex.ttl=1s", "mutex.transition=500ms", "mutex.jitter=[\"-200ms\", \"-150ms\"]"};
    QVERIFY2(runs_.add("deleted and early", scenario("deleted-by-hand", early), "redis") != nullptr,
             runs_.error.c_str());
    // Likewise, who finds nobody tries again ever more rarely, however short a lease is: its own terms.
    add("redis-failover", "redis", {});
    add("fence-regression", "redis", brief());
    add("frozen-server", "zookeeper", {"mutex.ttl=2s"});
    add("zk-stale-node", "zookeeper", {"mutex.ttl=2s"});
    for (const char* store : {"redis", "postgres", "mysql"}) {
      if (store != std::string("mysql")) add("late-packet", store, brief());  // whose successor is to hear of a release
      add("late-renewal", store, {"mutex.ttl=1s", "mutex.transition=500ms", "duration=8s"});
      add("clock-drift", store, brief());
    }
    add("starved-watchdog", "redis", brief());
    for (const char* store : {"redis", "postgres", "mysql"}) {
      add("store-clock-back", store, brief());
      // How soon the old owner hears of it is not looked at here.
      add("store-clock-forward", store,
          {"mutex.ttl=1s", "mutex.transition=2s", "duration=20s", "needs_messages=false"});
    }
    add("leap-strobe", "redis", brief());
    add("session-ended-by-server", "zookeeper", {"mutex.ttl=2s"});
    for (const char* store : {"redis", "postgres", "mysql"}) {
      add_drift("slow", "-500000", store);
      add_drift("fast", "500000", store);
    }
    QVERIFY(runs_.play(seconds(60)));
  }

  void aServerThatIsKilledAndForgetsGrantsTheMutexASecondTime() {
    check_reasons(runs_.at("redis-restart/redis"));
    const std::string cause = cause_of("redis-restart/redis", IncidentKind::kDoubleGrant);
    QVERIFY2(cause.find("the store had come back without it") != std::string::npos, cause.c_str());
  }
  void aReplicaThatTakesOverWithoutTheKeyGrantsTheMutexASecondTime() {
    check_reasons(runs_.at("redis-failover/redis"));
    const std::string cause = cause_of("redis-failover/redis", IncidentKind::kDoubleGrant);
    QVERIFY2(cause.find("the replica had taken over without it") != std::string::npos, cause.c_str());
  }
  void aReplicaThatTakesOverWithAnOlderCounterTakesTheFenceBack() {
    check_reasons(runs_.at("fence-regression/redis"));
    const std::string cause = cause_of("fence-regression/redis", IncidentKind::kFenceRegression);
    QVERIFY2(cause.find("the replica had taken over with an older counter") != std::string::npos, cause.c_str());
  }
  void whatAFrozenServerIsAskedItDoesAfterwardsForNobody() {
    check_reasons(runs_.at("ghost-lease/redis"));
    check_reasons(runs_.at("ghost-lease/mysql"));
  }
  void aKeyThatIsDeletedByHandIsToldSo() {
    check_reasons(runs_.at("deleted-by-hand/redis"));
    const std::string cause = cause_of("deleted and early", IncidentKind::kDoubleGrant);
    QVERIFY2(cause.find("it had been deleted by hand") != std::string::npos, cause.c_str());
  }
  void aFrozenZooKeeperEndsEverySession() { check_reasons(runs_.at("frozen-server/zookeeper")); }
  void aNodeOfAnOldSessionMakesALeaderWhoIsNotToldOfItsEnd() {
    check_reasons(runs_.at("zk-stale-node/zookeeper"));
    QVERIFY(runs_.at("zk-stale-node/zookeeper").history().summary.belief_overlap > seconds(5));
  }
  void aWriteThatComesLateIsFencedOff() {
    for (const char* store : {"redis", "postgres"}) check_reasons(runs_.at(std::string("late-packet/") + store));
  }
  void aRenewalThatWaitsOnTheWayIsRefused() {
    for (const char* store : {"redis", "postgres", "mysql"}) {
      const LiveRun& run = runs_.at(std::string("late-renewal/") + store);
      const std::string cause = cause_of(std::string("late-renewal/") + store, IncidentKind::kLateRenewal);
      QVERIFY2(cause.find("renewal arrived") != std::string::npos, cause.c_str());
      QCOMPARE(run.history().summary.double_grants, std::uint64_t{0});
      QCOMPARE(run.history().summary.belief_overlap.count(), std::int64_t{0});
      QVERIFY(run.outcome().summary.handoffs >= 1);
    }
  }
  // How often two believe hangs on the jitter; what must never happen is the same as in virtual time.
  void aClockThatIsSlowIsFencedOff() {
    for (const char* store : {"redis", "postgres", "mysql"}) {
      const LiveRun& run = runs_.at(std::string("clock-drift/") + store);
      QCOMPARE(run.history().summary.double_grants, std::uint64_t{0});
      QCOMPARE(run.history().summary.stale_writes_accepted, std::uint64_t{0});
      QVERIFY(run.outcome().summary.handoffs >= 1);
      QVERIFY(!of_kind(run.history(), EventKind::kClockChanged).empty());
    }
  }
  void aStoreWhoseClockIsSetForwardGrantsTheMutexTwice() {
    for (const char* store : {"redis", "postgres", "mysql"}) {
      const std::string run = std::string("store-clock-forward/") + store;
      QVERIFY2(runs_.at(run).history().summary.double_grants >= 1, store);
      QCOMPARE(runs_.at(run).history().summary.stale_writes_accepted, std::uint64_t{0});
    }
  }
  void aStoreWhoseClockIsSetBackKeepsTheLeaseOfTheDead() {
    for (const char* store : {"redis", "postgres", "mysql"}) {
      const std::string run = std::string("store-clock-back/") + store;
      QCOMPARE(runs_.at(run).history().summary.double_grants, std::uint64_t{0});
      QCOMPARE(runs_.at(run).history().summary.handoffs, std::uint64_t{0});
      QVERIFY2(cause_of(run, IncidentKind::kUnknownOwner) != "there is none", store);
    }
  }
  // The lease of 1.5 s, and a moment for who comes then.
  void aStoreWhoseClockGoesSlowKeepsTheLeaseOfTheDeadForLonger() {
    for (const char* store : {"redis", "postgres", "mysql"}) {
      const std::string run = std::string("slow/") + store;
      QVERIFY2(gap_of(run) > milliseconds(2600), store);
      QVERIFY2(gap_of(run) < milliseconds(5000), store);
      QCOMPARE(runs_.at(run).history().summary.double_grants, std::uint64_t{0});
      QCOMPARE(runs_.at(run).history().summary.acquisitions, std::uint64_t{2});
      QCOMPARE(of_kind(runs_.at(run).history(), EventKind::kClockChanged).size(), std::size_t{2});
    }
  }
  void aStoreWhoseClockGoesFastEndsTheLeaseOfTheDeadTooEarly() {
    for (const char* store : {"redis", "postgres", "mysql"}) {
      const std::string run = std::string("fast/") + store;
      const std::vector<Event> ends = of_kind(runs_.at(run).history(), EventKind::kExpired);
      QVERIFY2(!ends.empty(), store);
      const Event& end = ends.front();
      const Duration lasted = end.hi - of_kind(runs_.at(run).history(), EventKind::kRenewed).back().lo;
      QVERIFY2(lasted < milliseconds(1500), qPrintable(QString::number(lasted / milliseconds(1))));
    }
  }
  void aClockThatJumpsForthAndBackGrantsToOneAfterTheOther() { check_reasons(runs_.at("leap-strobe/redis")); }
  void aSessionThatIsEndedByForceMakesAnotherLead() { check_reasons(runs_.at("session-ended-by-server/zookeeper")); }
  void workGoesOnWhileItsTimersStarve() {
    check_reasons(runs_.at("starved-watchdog/redis"));
    QVERIFY(runs_.at("starved-watchdog/redis").history().summary.stale_writes_rejected >= 1);
  }

  void aServerThatWasGivenIsLeftInPeace() {
    Runs runs;
    QVERIFY(runs.add("given", scenario("redis-restart", {}), "redis://localhost") == nullptr);
    QVERIFY2(runs.error.find("expected --store redis, a private server for this run") != std::string::npos,
             runs.error.c_str());
    QVERIFY(runs.add("given", scenario("redis-failover", {}), "redis://localhost") == nullptr);
    QVERIFY2(runs.error.find("the fault store_failover is done to the server itself") != std::string::npos &&
                 runs.error.find("expected --store redis, a private server for this run") != std::string::npos,
             runs.error.c_str());
  }
  void whatAStoreCannotSufferIsRefused() {
    Runs runs;
    QVERIFY(runs.add("key", scenario("deleted-by-hand", {}), "mysql") == nullptr);
    QVERIFY2(runs.error.find("the fault delete_key cannot be produced") != std::string::npos, runs.error.c_str());
    QVERIFY(runs.add("replica", scenario("redis-failover", {}), "postgres") == nullptr);
    QVERIFY2(runs.error.find("the fault store_failover needs a replica, and no private server has one on postgres") !=
                 std::string::npos,
             runs.error.c_str());
    const auto clock = read_scenario(kClockOfSessions, "clock");
    QVERIFY2(clock.has_value(), clock ? "" : clock.error().text().c_str());
    QVERIFY(runs.add("clock", *clock, "zookeeper") == nullptr);
    QVERIFY2(runs.error.find("the fault store_clock_step cannot be produced") != std::string::npos, runs.error.c_str());
    QVERIFY(runs.add("memory", scenario("redis-restart", {}), "postgres") == nullptr);
    QVERIFY2(runs.error.find("what it says of its model redis does not hold") != std::string::npos, runs.error.c_str());
    QVERIFY(runs.add("statement", scenario("born-expired", {}), "postgres") == nullptr);
    QVERIFY2(runs.error.find("the statements of the model") != std::string::npos, runs.error.c_str());
  }
};

LEASESCOPE_SUITE(ServerFaultsTest)
#include "server_faults_test.moc"
