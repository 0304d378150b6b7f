// What befalls a store, as its contenders live through it.
#include <algorithm>

#include <fmt/format.h>

#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// Alone: granted at 3 ms, believes from 4 ms on, renews at 5.005 s; its lease lasts 7 s.
Scenario world(const std::string& store, const std::string& contenders, const std::string& faults) {
  return written(kReckoned + store + contenders + "[[resource]]\nlatency = \"1ms\"\n" + faults);
}

const std::string kAlone = "[[contender]]\nname = \"a\"\n";
const std::string kTwo = kAlone + "[[contender]]\nname = \"b\"\nstart = \"10ms\"\n";
const std::string kReplica = "[store.redis]\nreplica = true\n";
const std::string kSql = "model = \"sql\"\n";

std::string fault(const std::string& kind, const std::string& at, const std::string& more = "") {
  return fmt::format("[[fault]]\nkind = \"{}\"\nat = \"{}\"\n{}\n", kind, at, more);
}
std::string lasting(const std::string& kind, const std::string& at, const std::string& duration,
                    const std::string& more = "") {
  return fault(kind, at, fmt::format("duration = \"{}\"\n{}", duration, more));
}

std::size_t attempts(const History& history, AttemptResult result, Duration from, Duration until,
                     const std::string& node = "a") {
  return static_cast<std::size_t>(std::count_if(history.events.begin(), history.events.end(), [&](const Event& event) {
    return event.kind == EventKind::kAttempt && event.detail == static_cast<std::uint8_t>(result) &&
           history.names.text(event.node) == node && event.at() >= at(from) && event.at() <= at(until);
  }));
}

std::size_t notifications(const History& history, const std::string& node, NotificationStep step) {
  return static_cast<std::size_t>(std::count_if(history.events.begin(), history.events.end(), [&](const Event& event) {
    return event.kind == EventKind::kNotification && event.detail == static_cast<std::uint8_t>(step) &&
           history.names.text(event.node) == node;
  }));
}

// When each happened and to whom, without the faults.
std::vector<std::string> course(const History& history) {
  std::vector<std::string> out;
  for (const Event& event : history.events)
    if (event.kind != EventKind::kFaultBegan && event.kind != EventKind::kFaultEnded)
      out.push_back(fmt::format("{} {} {} {}", event.at().time_since_epoch().count(), text(event.kind),
                                history.names.text(event.node), event.token));
  return out;
}

}  // namespace

class StoreFaultsTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- crash

  void aCrashedStoreRefusesCallsUntilItIsBack() {
    const auto run = finished(world("", kAlone, lasting("store_crash", "4s", "2s")));
    const History& history = run->history();
    QVERIFY(attempts(history, AttemptResult::kFailed, 5s, 6s + 2ms) >= 1);
    QCOMPARE(attempts(history, AttemptResult::kFailed, 6s + 3ms, 30s), std::size_t{0});
    QCOMPARE(history.summary.acquisitions, 1u);  // kept: it was back before the lease was over
    QCOMPARE(history.summary.incidents[static_cast<std::size_t>(IncidentKind::kBeliefOverlap)], 0u);
    QVERIFY(first(history, EventKind::kRenewed, "a", 6s) < at(7s));
  }
  void aCallUnderWayWhenTheStoreCrashesEndsUnknown() {
    const auto run = finished(world("", kAlone, lasting("store_crash", "5002500us", "100ms")));
    QCOMPARE(attempts(run->history(), AttemptResult::kUnknown, 5003ms, 5004ms), std::size_t{1});
    QVERIFY(first(run->history(), EventKind::kRenewed, "a") > at(5102ms));
  }
  void whoListenedSubscribesAnewWhenTheStoreIsBack() {
    const auto run =
        finished(world("", kTwo, lasting("store_crash", "1s", "500ms") + fault("stop", "3s", "target = \"a\"\n")));
    const TrueTime granted = first(run->history(), EventKind::kGranted, "b");
    QVERIFY(granted > at(3s) && granted < at(3010ms));  // heard of the release
  }
  void leasesRunOutWhileTheStoreIsDown() {
    const auto run = finished(world("", kTwo, lasting("store_crash", "1s", "10s")));
    const History& history = run->history();
    QCOMPARE(first(history, EventKind::kExpired, "a"), at(7003ms));
    QVERIFY(first(history, EventKind::kDisbelieved, "a") < at(7s));
    QCOMPARE(history.summary.double_grants, 0u);
    QCOMPARE(history.summary.belief_overlap, Duration::zero());
    QCOMPARE(history.summary.fence_regressions, 0u);
    QVERIFY(history.summary.acquisitions >= 2);
  }
  void withoutPersistenceAndADelayedRestartTheFenceIsLostAndNothingElse() {
    const auto run = finished(world("[store.redis]\npersistence = false\n", kTwo, lasting("store_crash", "1s", "10s")));
    QCOMPARE(run->history().summary.double_grants, 0u);
    QVERIFY(run->history().summary.fence_regressions >= 1);
  }
  void aDatabaseComesBackWithItsRows() {
    const auto run = finished(world(kSql, kAlone, lasting("store_crash", "4s", "2s")));
    QCOMPARE(run->history().summary.acquisitions, 1u);
    QVERIFY(first(run->history(), EventKind::kRenewed, "a", 6s) < at(7s));
  }

  // ---- the replica

  void aFailoverOfWhatWasReplicatedIsOnlyAPause() {
    const auto run = finished(world(kReplica, kTwo, lasting("store_failover", "4s", "1500ms")));
    QCOMPARE(run->history().summary.acquisitions, 1u);
    QCOMPARE(run->history().summary.double_grants, 0u);
    QVERIFY(first(run->history(), EventKind::kRenewed, "a", 5500ms) < at(7s));
  }
  void aFailoverWithinTheLagLosesTheGrant() {
    const auto run =
        finished(world(kReplica + "replication_lag = \"50ms\"\n", kAlone, lasting("store_failover", "20ms", "100ms")));
    const History& history = run->history();
    QCOMPARE(first(history, EventKind::kExpired, "a"), at(120ms));
    QCOMPARE(find(history, EventKind::kExpired, "a")->detail, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
    QCOMPARE(history.events[find(history, EventKind::kExpired, "a")->cause - 1].kind, EventKind::kFaultEnded);
    QCOMPARE(history.summary.fence_regressions, 1u);  // it is granted #1 again
  }
  void aCutReplicaAloneChangesNothing() {
    const auto plain = finished(world(kReplica, kTwo, fault("stop", "12s")));
    const auto cut = finished(world(kReplica, kTwo, fault("stop", "12s") + lasting("replica_cut", "1s", "20s")));
    QCOMPARE(course(cut->history()), course(plain->history()));
    const auto without = finished(world("", kTwo, fault("stop", "12s")));
    QCOMPARE(course(plain->history()), course(without->history()));  // nor does a replica
  }
  void aReplicaThatIsHealedHasEverything() {
    const std::string plan = lasting("replica_cut", "1s", "3s") + fault("stop", "2s", "target = \"a\"\n");
    const auto healed = finished(world(kReplica, kTwo, plan + lasting("store_failover", "5s", "100ms")));
    QCOMPARE(healed->history().summary.double_grants, 0u);
    QCOMPARE(healed->history().summary.fence_regressions, 0u);
    const auto cut = finished(world(kReplica, kTwo, plan + lasting("store_failover", "3s", "100ms")));
    const Event* restored = nullptr;
    for (const Event& event : cut->history().events)
      if (event.kind == EventKind::kGranted && event.at() == at(3100ms)) restored = &event;
    QVERIFY(restored != nullptr);  // the lease that A gave back is its again, by the replica
    QCOMPARE(cut->history().names.text(restored->node), "a");
    QCOMPARE(restored->detail, static_cast<std::uint8_t>(GrantKind::kRestored));
    QCOMPARE(cut->history().summary.double_grants, 1u);
  }

  // ---- freezing, slowness

  void aFrozenStoreDoesAfterwardsWhatWasAskedMeanwhile() {
    const auto run = finished(world("", kAlone, lasting("store_freeze", "4500ms", "2s")));
    const History& history = run->history();
    QCOMPARE(attempts(history, AttemptResult::kUnknown, 5s, 6500ms), std::size_t{1});
    QCOMPARE(first(history, EventKind::kRenewed, "a"), at(6500ms));  // nobody waits for that answer any more
    QCOMPARE(history.summary.acquisitions, 1u);
  }
  void aFrozenStoreLetsLeasesRunOutAllTheSame() {
    const auto run = finished(world("", kTwo, lasting("store_freeze", "1s", "10s") + fault("crash", "1s")));
    const History& history = run->history();
    QCOMPARE(first(history, EventKind::kExpired, "a"), at(7003ms));
    QVERIFY(first(history, EventKind::kGranted, "b") >= at(11s));
    QCOMPARE(history.summary.double_grants, 0u);
  }
  void aSlowStoreServesOneAfterTheOther() {
    const std::string three = "[[contender]]\ncount = 3\n";
    const auto run = finished(world("", three, lasting("store_slow", "0s", "1s", "by = \"50ms\"\n")));
    const History& history = run->history();
    // Three subscriptions, one after the other; the calls that follow are served in the order in which they came.
    QCOMPARE(first(history, EventKind::kGranted, "c1"), at(1ms + 4 * 50ms));
    QCOMPARE(first(history, EventKind::kAttempt, "c2"), at(1ms + 5 * 50ms + 1ms));
    QCOMPARE(first(history, EventKind::kAttempt, "c3"), at(1ms + 6 * 50ms + 1ms));
  }

  // ---- its clock

  void aFastStoreClockEndsLeasesEarlyAndASlowOneLate_data() {
    QTest::addColumn<QString>("model");
    QTest::newRow("redis") << "redis";
    QTest::newRow("sql") << "sql";
  }
  void aFastStoreClockEndsLeasesEarlyAndASlowOneLate() {
    QFETCH(QString, model);
    const std::string store = "model = \"" + model.toStdString() + "\"\n";
    const auto ended = [&](const std::string& ppm) {
      const auto run = finished(world(
          store, kAlone, lasting("store_clock_drift", "1s", "20s", "ppm = " + ppm + "\n") + fault("crash", "1s")));
      return first(run->history(), EventKind::kExpired, "a") - at(1s);
    };
    const auto near = [](Duration got, Duration wanted) { return std::chrono::abs(got - wanted) <= 2ms; };
    QVERIFY(near(ended("250000"), 6003ms * 4 / 5));
    QVERIFY(near(ended("-250000"), 6003ms * 4 / 3));
  }
  void aStrobingClockIsAtTheEndWhereItWouldHaveBeen() {
    for (const char* duration : {"900ms", "1s", "1100ms"}) {
      const auto run = finished(
          world("", kAlone, lasting("store_clock_strobe", "1s", duration, "by = \"100ms\"\nperiod = \"200ms\"\n")));
      Duration sum{};
      Duration last{};
      for (const Event& event : run->history().events) {
        if (event.kind != EventKind::kClockChanged) continue;
        QVERIFY(last == Duration::zero() || event.a == -last.count());
        last = Duration(event.a);
        sum += last;
      }
      QCOMPARE(last, Duration(-100ms));
      QCOMPARE(sum, Duration::zero());
    }
  }
  void manySlowClocksNeverStandStill() {
    std::string plan = fault("crash", "1s");
    for (int i = 0; i < 3; ++i) plan += lasting("store_clock_drift", "1s", "28s", "ppm = -500000\n");
    QVERIFY(first(finished(world("", kAlone, plan))->history(), EventKind::kExpired, "a") < at(30s) + 40s);
  }

  // ---- by hand

  void aDeletedKeyIsToldToNobody() {
    const auto run = finished(world("", kTwo, fault("delete_key", "1s")));
    const History& history = run->history();
    QCOMPARE(first(history, EventKind::kExpired, "a"), at(1s));
    QCOMPARE(notifications(history, "b", NotificationStep::kReceived), std::size_t{1});  // of the grant afterwards
    QCOMPARE(first(history, EventKind::kAttempt, "a", 1s), at(5004ms));  // its next renewal finds nothing
    QCOMPARE(find(history, EventKind::kGranted, "a", 20)->token, Token{2});
  }
  void aDeletedRowBeginsAtTheFirstTokenAgain() {
    const auto run = finished(world(kSql, kTwo, fault("delete_row", "1s")));
    QCOMPARE(run->history().summary.fence_regressions, 1u);
  }

  // ---- the row

  void aStalledRowHoldsUpOwnerAndWaitersAlike() {
    const auto run = finished(world(kSql, kTwo, lasting("row_stall", "4s", "10s")));
    const History& history = run->history();
    QVERIFY(first(history, EventKind::kDisbelieved, "a") < at(7s));
    QCOMPARE(first(history, EventKind::kExpired, "a"), at(7004ms));
    QVERIFY(std::min(first(history, EventKind::kGranted, "a", 7s), first(history, EventKind::kGranted, "b")) >=
            at(14s));
    QCOMPARE(history.summary.double_grants, 0u);
    QCOMPARE(history.summary.belief_overlap, Duration::zero());
  }
  void aShortStallOnlyDelaysARenewal() {
    const auto run = finished(world(kSql, kAlone, lasting("row_stall", "5s", "500ms")));
    QCOMPARE(first(run->history(), EventKind::kRenewed, "a"), at(5500ms));
    QCOMPARE(first(run->history(), EventKind::kAttempt, "a", 5s), at(5501ms));
    QCOMPARE(run->history().summary.acquisitions, 1u);
  }
  void theDatabaseGivesUpAWaitOnlyWhenItRuns() {
    // The client has given up at 6.004 s; the database, frozen at 5.5 s, would have at 6.005 s.
    const std::string stall = lasting("row_stall", "5s", "10s");
    const std::string freeze = lasting("store_freeze", "5500ms", "2s");
    const auto run = finished(world(kSql, kAlone, stall + freeze));
    QCOMPARE(attempts(run->history(), AttemptResult::kUnknown, 6s, 6010ms), std::size_t{1});
    QCOMPARE(attempts(run->history(), AttemptResult::kFailed, 0s, 7500ms), std::size_t{0});
  }
  void aStallEndsInAFrozenDatabaseOnlyWhenItRunsAgain() {
    const auto run =
        finished(world(kSql, kAlone, lasting("row_stall", "5s", "300ms") + lasting("store_freeze", "5100ms", "500ms")));
    QCOMPARE(first(run->history(), EventKind::kRenewed, "a"), at(5600ms));
  }
  void aCrashEndsAStall() {
    const auto run =
        finished(world(kSql, kAlone, lasting("row_stall", "4s", "20s") + lasting("store_crash", "5100ms", "200ms")));
    QVERIFY(first(run->history(), EventKind::kRenewed, "a") < at(6500ms));
  }

  void aStallThatACrashEndedDoesNotEndTheNextOne() {
    const auto run = finished(world(kSql, kAlone,
                                    lasting("row_stall", "4s", "6s") + lasting("store_crash", "5100ms", "200ms") +
                                        lasting("row_stall", "8s", "10s")));
    QVERIFY(attempts(run->history(), AttemptResult::kWon, 5300ms, 8s) >= 1);
    QCOMPARE(attempts(run->history(), AttemptResult::kWon, 8s, 17999ms), std::size_t{0});
    QVERIFY(attempts(run->history(), AttemptResult::kWon, 18s, 30s) >= 1);
  }
  void whatIsAskedOfAStoreThatIsDownHasNotFired() {
    for (const std::string kind : {"delete_row", "row_stall"}) {
      const std::string asked = kind == "row_stall" ? lasting(kind, "5s", "1s") : fault(kind, "5s");
      const std::string expect = "[expect]\ndouble_grants = 0\n";
      const auto run = finished(world(kSql, kAlone, lasting("store_crash", "4s", "2s") + asked + expect));
      const std::vector<Event>& events = run->history().events;
      QCOMPARE(std::count_if(events.begin(), events.end(),
                             [](const Event& event) { return event.kind == EventKind::kFaultBegan; }),
               1);
      QCOMPARE(run->outcome().reasons,
               std::vector<std::string>{kind + " of store at 5s was in vain: the store was down"});
    }
  }

  // ---- the pool

  void anExhaustedPoolHoldsUpItsOwnProcessAlone() {
    const auto run = finished(world(kSql, kTwo, lasting("pool_exhausted", "4s", "20s", "target = \"a\"\n")));
    const History& history = run->history();
    QVERIFY(attempts(history, AttemptResult::kUnknown, 5s, 24s) >= 2);
    QCOMPARE(attempts(history, AttemptResult::kUnknown, 0s, 30s, "b"), std::size_t{0});
    QVERIFY(first(history, EventKind::kDisbelieved, "a") < at(7s));
    QVERIFY(first(history, EventKind::kGranted, "b") < at(8100ms));
    QVERIFY(attempts(history, AttemptResult::kLost, 24s, 30s) >= 1);  // it gets connections again
  }
  void aCallThatWaitedForAConnectionGoesOutWhenThereIsOne() {
    const auto run = finished(world(kSql, kAlone, lasting("pool_exhausted", "5s", "300ms")));
    QCOMPARE(first(run->history(), EventKind::kRenewed, "a"), at(5301ms));
    QCOMPARE(run->history().summary.acquisitions, 1u);
  }
  void aPoolOfOneCarriesOneCallAtATime() {
    // Stopped while its renewal is under way: the release has to wait for that connection.
    const auto released = [](const std::string& pool) {
      Scenario of = world(kSql + "[store.sql]\npool = " + pool + "\n", kAlone, fault("stop", "5250ms"));
      of.store.latency = Distribution::constant(100ms);
      return first(finished(of)->history(), EventKind::kReleased, "a");
    };
    QCOMPARE(released("2"), at(5250ms + 100ms));
    QCOMPARE(released("1"), at(5200ms + 2 * 100ms + 100ms));
  }

  // ---- how it is noted and refused

  void whatBefellTheStoreIsNotedUnderItsName() {
    const auto run = finished(world(kReplica, kAlone,
                                    lasting("store_crash", "1s", "1s") + lasting("replica_cut", "3s", "1s") +
                                        lasting("store_freeze", "5s", "1s") + fault("delete_key", "7s")));
    std::size_t noted = 0;
    for (const Event& event : run->history().events)
      if (event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded) {
        QCOMPARE(run->history().names.text(event.node), "redis (model)");
        ++noted;
      }
    QCOMPARE(noted, std::size_t{7});
  }
  void whatOnlyTheVirtualWorldCanDoIsRefusedLive() {
    const Scenario of = world("", kAlone, lasting("store_slow", "1s", "1s", "by = \"50ms\"\n"));
    QCOMPARE(of.not_live(), "the fault store_slow cannot be produced");
    QVERIFY(!world(kReplica, kAlone, lasting("replica_cut", "1s", "1s")).not_live());
    QVERIFY(!world("", kAlone, lasting("store_freeze", "1s", "1s")).not_live());
  }
  void whatAFaultMayBreakHangsOnTheStore() {
    StoreTable redis, forgetful, sql, frozen;
    forgetful.redis().persistence = false;
    sql.model = frozen.model = "sql";
    frozen.sql().now = SqlTerms::Now::kTransaction;
    const FaultKind& crash = *find_fault_kind("store_crash");
    QVERIFY(may_break(redis, crash).empty() && may_break(sql, crash).empty());
    QCOMPARE(may_break(forgetful, crash), "fence");
    const FaultKind& stall = *find_fault_kind("row_stall");
    QVERIFY(may_break(sql, stall).empty());
    QCOMPARE(may_break(frozen, stall), "grant");
    QVERIFY(can_have(sql, stall) && !can_have(redis, stall));
    const FaultKind& failover = *find_fault_kind("store_failover");
    QVERIFY(!can_have(redis, failover));
    redis.redis().replica = true;
    QVERIFY(can_have(redis, failover) && !can_have(sql, failover));
  }
};

LEASESCOPE_SUITE(StoreFaultsTest)
#include "store_faults_test.moc"
