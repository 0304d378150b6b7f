// What the scenarios of stores rest on: without its fault the same scenario does not show the outcome, and what the
// generations make of it.
#include <algorithm>

#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kSeeds = 50;

Scenario without(Scenario of, const std::string& kind) {
  for (FaultTable& fault : of.faults)
    if (fault.kind == kind) fault.enabled = false;
  return of;
}

TimeExpression time(const std::string& text) { return *parse_time_expression(text); }

Summary summary_of(const Scenario& of) { return finished(of)->history().summary; }

// Over several seeds: the least and the most of a field.
template <class Field>
auto range_over_seeds(Scenario of, Field field) {
  of.seed = 1;
  auto least = field(summary_of(of)), most = least;
  for (; of.seed <= kSeeds; ++of.seed) {
    const auto got = field(summary_of(of));
    least = std::min(least, got);
    most = std::max(most, got);
  }
  return std::pair(least, most);
}

std::pair<Duration, Duration> overlap(const Scenario& of) {
  return range_over_seeds(of, [](const Summary& summary) { return summary.belief_overlap; });
}
std::pair<Duration, Duration> gap(const Scenario& of) {
  return range_over_seeds(of, [](const Summary& summary) { return summary.leaderless; });
}
std::pair<std::uint64_t, std::uint64_t> double_grants(const Scenario& of) {
  return range_over_seeds(of, [](const Summary& summary) { return std::uint64_t{summary.double_grants}; });
}
std::pair<std::uint64_t, std::uint64_t> handoffs(const Scenario& of) {
  return range_over_seeds(of, [](const Summary& summary) { return std::uint64_t{summary.handoffs}; });
}

template <class T>
std::pair<T, T> always(T value) {
  return {value, value};
}
const auto kNever = always(std::uint64_t{0});
const auto kOnce = always(std::uint64_t{1});
const auto kNone = always(Duration::zero());

}  // namespace

class StoreScenariosTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- store-clock-back

  void withoutTheStepBackADeadOwnersLeaseEndsInTime_data() { models(); }
  void withoutTheStepBackADeadOwnersLeaseEndsInTime() {
    QFETCH(QString, model);
    const Scenario of = scenario("store-clock-back", {"store.model=" + model.toStdString()});
    QCOMPARE(handoffs(of), kNever);
    QCOMPARE(handoffs(without(of, "store_clock_step")), kOnce);
  }
  void afterAStepBackTheTakeoverComesWhenTheClockHasComeToTheEndAgain_data() { models(); }
  void afterAStepBackTheTakeoverComesWhenTheClockHasComeToTheEndAgain() {
    QFETCH(QString, model);
    const std::string store = "store.model=" + model.toStdString();
    const Scenario of = scenario("store-clock-back", {store, "duration=5 lease"});
    const auto run = finished(of), plain = finished(without(of, "store_clock_step"));
    const auto takeover = [](const History& history) {
      for (const Event& event : history.events)
        if (event.kind == EventKind::kGranted && event.token == 2) return event.at();
      return TrueTime::max();
    };
    const Duration later = takeover(run->history()) - takeover(plain->history());
    QVERIFY(later > 2 * of.terms().lease() - 1200ms && later < 2 * of.terms().lease() + 1200ms);
  }

  // ---- leap-strobe

  void aSteadyStoreClockGrantsOnce() {
    QCOMPARE(double_grants(without(scenario("leap-strobe"), "store_clock_strobe")), kNever);
  }
  // A leap second is one of a second: what is left of a lease when it is renewed, the transition, is more.
  void aStrobeSmallerThanTheTransitionEndsNoLease() {
    for (const char* by : {"1s", "0.9 transition"}) {
      const Scenario of = scenario("leap-strobe", {std::string("fault.0.by=") + by});
      QCOMPARE(double_grants(of), kNever);
      QCOMPARE(handoffs(of), kNever);
      QCOMPARE(gap(of), kNone);
    }
  }

  // ---- redis-failover

  void aGrantThatWasReplicatedSurvivesTheFailover() {
    const Scenario of = scenario("redis-failover", {"store.redis.replication_lag=1ms"});
    QCOMPARE(double_grants(of), kNever);
    QCOMPARE(overlap(of), kNone);
  }
  void withoutTheFailoverTheNewcomerWaits() {
    QCOMPARE(handoffs(without(scenario("redis-failover"), "store_failover")), kNever);
  }
  void anEqualTokenPassesTheFenceAfterTheOthersWrites() {
    const auto run = finished(scenario("redis-failover"));
    const History& history = run->history();
    const Event* others = find(history, EventKind::kWriteAccepted, "newcomer");
    QVERIFY(others != nullptr);
    const auto from = static_cast<std::size_t>(others - history.events.data());
    const Event* late = find(history, EventKind::kWriteAccepted, "first", from);
    QVERIFY(late != nullptr);  // the paused owner's, and nobody objects
    QCOMPARE(late->token, others->token);
  }

  // ---- fence-regression

  void whereTheReplicaHasEverythingTheFenceGoesOn() {
    const Scenario of = without(scenario("fence-regression"), "replica_cut");
    for (const Scenario& each : {of, without(scenario("fence-regression"), "store_failover")}) {
      const Summary summary = summary_of(each);
      QCOMPARE(summary.fence_regressions, 0u);
      QCOMPARE(summary.stale_writes_rejected, 0u);
      QCOMPARE(summary.acquisitions, 4u);
    }
  }
  void theRightfulHolderIsTheOneWhoIsRefused() {
    const auto run = finished(scenario("fence-regression"));
    const History& history = run->history();
    const Event* rejected = nullptr;
    for (const Event& event : history.events)
      if (event.kind == EventKind::kWriteRejected) rejected = &event;
    QVERIFY(rejected != nullptr);
    const Event* granted = nullptr;
    for (const Event& event : history.events)
      if (event.kind == EventKind::kGranted) granted = &event;
    QCOMPARE(rejected->node, granted->node);  // it holds, and nobody else believes
    QCOMPARE(history.summary.belief_overlap, Duration::zero());
  }

  // ---- redis-restart

  void withPersistenceARestartGrantsNothingTwice() {
    const Scenario of = scenario("redis-restart", {"store.redis.persistence=true"});
    QCOMPARE(double_grants(of), kNever);
    QCOMPARE(overlap(of), kNone);
  }
  void aRestartDelayedByALeaseGrantsNothingTwiceButTheFenceIsLost() {
    const Scenario of = scenario("redis-restart", {"fault.0.duration=1.1 lease"});
    QCOMPARE(double_grants(of), kNever);
    QCOMPARE(overlap(of), kNone);
    QVERIFY(summary_of(of).fence_regressions >= 1);
  }

  // ---- lock-convoy

  void withoutTheStallTheOwnerRenews() {
    const Summary summary = summary_of(without(scenario("lock-convoy"), "row_stall"));
    QCOMPARE(summary.acquisitions, 1u);
    QCOMPARE(summary.leaderless, Duration::zero());
  }
  void theEndOfADeadOwnersLeaseIsOfNoUseToAConvoy() {
    Scenario of = scenario("lock-convoy");
    FaultTable crash;
    crash.kind = "crash";
    crash.target = "owner";
    crash.at = time("1.4 lease");
    of.faults.push_back(crash);
    QVERIFY(gap(of).first > of.terms().lease());
    QVERIFY(gap(without(of, "row_stall")).second < 1100ms);
  }
  void theOldGenerationOverlapsInAConvoyNeither() {
    // It waits for its answer and goes on believing, but nobody else can be granted the mutex.
    for (const char* behaviour : {"3.1", "4.x"})
      QCOMPARE(overlap(scenario("lock-convoy", {std::string("contender.0.behaviour=") + behaviour})), kNone);
  }

  // ---- born-expired

  void aLeaseCountedAfterTheWaitIsWhole() {
    const Scenario of = scenario("born-expired", {"store.sql.statement=for-update"});
    QCOMPARE(handoffs(of), kOnce);
    QCOMPARE(double_grants(of), kNever);
    QCOMPARE(handoffs(without(scenario("born-expired"), "row_stall")), kOnce);
  }
  void whoIsGrantedAnExpiredLeaseIsToldNothing() {
    const auto run = finished(scenario("born-expired"));
    for (const Event& event : run->history().events)
      if (event.kind == EventKind::kBelieved) QVERIFY(event.a > 0);  // something is left of it
  }
  void on4xWhoIsGrantedAnExpiredLeaseBelievesForNoTimeAtAll() {
    const auto run = finished(scenario("born-expired", {"contender.0.behaviour=4.x"}));
    const History& history = run->history();
    const Event* born = nullptr;
    for (const Event& event : history.events)
      if (event.kind == EventKind::kGranted && event.a == 0) born = &event;
    QVERIFY(born != nullptr);
    const std::string who(history.names.text(born->node));
    const auto from = static_cast<std::size_t>(born - history.events.data());
    const Event* believed = find(history, EventKind::kBelieved, who, from);
    const Event* disbelieved = find(history, EventKind::kDisbelieved, who, from);
    QVERIFY(believed != nullptr && disbelieved != nullptr);
    QCOMPARE(believed->at(), disbelieved->at());
  }
  void theOldGenerationBelievesInAnExpiredLeaseUntilItIsRefused() {
    const auto seen = overlap(scenario("born-expired", {"contender.0.behaviour=3.1"}));
    QVERIFY(seen.second > Duration::zero());
    QVERIFY(seen.second < 100ms);  // its renewal is due at once
  }

  // ---- frozen-now

  void aNowOfTheStatementIsRight() {
    const Scenario of = scenario("frozen-now", {"store.sql.now=clock"});
    QCOMPARE(double_grants(of), kNever);
    QCOMPARE(overlap(of), kNone);
    QCOMPARE(overlap(without(scenario("frozen-now"), "row_stall")), kNone);
  }
  // The store does grant twice. But a deadline counted from the sending is never later than one counted from where the
  // transaction began.
  void whoCountsFromTheSendingStandsFirm() {
    const Scenario of = scenario("frozen-now", {"contender.0.behaviour=4.x"});
    QCOMPARE(double_grants(of), kOnce);
    QCOMPARE(overlap(of), kNone);
  }
  // And whoever renews from there on as well is in time.
  void whoRenewsFromTheSendingKeepsTheRow() {
    const Scenario of = scenario("frozen-now", {"contender.0.behaviour=leasescope"});
    QCOMPARE(double_grants(of), kNever);
    QCOMPARE(overlap(of), kNone);
  }
  void ourOwnStatementWithAFrozenNowIsAsWrong() {
    const Scenario of = scenario("frozen-now", {"store.sql.statement=for-update"});
    QCOMPARE(double_grants(of), kOnce);
    QVERIFY(overlap(of).second < 100ms);  // it is told of the second grant
  }
  // The other half: a lease that has ended while the call waited is refused, and the caller sleeps for what was left
  // when its transaction began.
  void aFrozenNowRefusesALeaseThatHasEnded() {
    const auto waits = [](const char* now) {
      Scenario of = written(kReckoned + R"(model = "sql"
timeout = "1m"
[store.sql]
now = ")" + std::string(now) +
                            R"("
[[contender]]
name = "a"
[[contender]]
name = "b"
start = "3s"
[[fault]]
kind = "row_stall"
at = "1s"
duration = "8900ms"
[[fault]]
kind = "crash"
target = "a"
at = "1s"
)");
      of.mutex.terms.jitter = {Duration::zero(), Duration::zero()};
      const auto run = finished(of);
      return find(run->history(), EventKind::kGranted, "b")->at();
    };
    QCOMPARE(waits("clock"), TrueTime{} + 9900ms);
    // Begun at 3.003 s with 4 s to go by its own now.
    QVERIFY(waits("transaction") >= TrueTime{} + 13900ms);
  }

  // ---- pool-exhaustion

  void withConnectionsTheOwnerRenews() {
    QCOMPARE(handoffs(without(scenario("pool-exhaustion"), "pool_exhausted")), kNever);
  }
  void theOldGenerationWaitsForAConnectionAndBelieves() {
    // On MySQL nothing tells it of the next grant; where the store does, it hears so over a line outside of the pool.
    const std::vector<std::string> old{"contender.0.behaviour=3.1", "store.timeout=1m"};
    Scenario of = scenario("pool-exhaustion", old);
    QVERIFY(overlap(of).second < 100ms);
    of.store.sql().statement = SqlTerms::Statement::kUpdate;
    QVERIFY(overlap(of).first > of.terms().lease() / 2);
    QCOMPARE(overlap(scenario("pool-exhaustion", {"contender.0.behaviour=4.x", "store.timeout=1m"})), kNone);
  }

  // ---- deleted-by-hand

  void withoutTheDeletionTheWaitersComeWhenTheLeaseIsOver() {
    const auto helped = gap(scenario("deleted-by-hand"));
    const auto left_alone = gap(without(scenario("deleted-by-hand"), "delete_key"));
    QVERIFY(left_alone.second < 1100ms);
    QVERIFY(helped.first > left_alone.second);  // by the store nobody holds, and nobody comes
  }
  void theDeletionWakesNobody() {
    Scenario of = scenario("deleted-by-hand");
    for (of.seed = 1; of.seed <= kSeeds; ++of.seed) {
      const auto taken = [](const Scenario& each) {
        const auto run = finished(each);
        for (const Event& event : run->history().events)
          if (event.kind == EventKind::kGranted && event.token == 2) return event.at();
        return TrueTime::max();
      };
      // Nobody is woken: who polls next, polls when it would have polled.
      const TrueTime with = taken(of), alone = taken(without(of, "delete_key"));
      QVERIFY(with <= alone);
      bool polled = false;
      const auto plain = finished(without(of, "delete_key"));
      for (const Event& event : plain->history().events)
        polled |= event.kind == EventKind::kAttempt && event.at() >= with && event.at() <= with + 10ms;
      QVERIFY(polled);
    }
  }

  // ---- ghost-lease

  void nobodyBelievesWhileTheGhostHolds() {
    Scenario of = scenario("ghost-lease");
    for (of.seed = 1; of.seed <= kSeeds; ++of.seed) {
      const auto run = finished(of);
      const History& history = run->history();
      const Event* ghost = find(history, EventKind::kGranted, "first");
      QVERIFY(ghost != nullptr);
      QCOMPARE(ghost->at(), TrueTime{} + 3s);  // the moment at which the server runs again
      QCOMPARE(find(history, EventKind::kBelieved, "first"), nullptr);
      const Event* believed = find(history, EventKind::kBelieved, "second");
      QVERIFY(believed->at() > ghost->at() + of.terms().lease());
    }
  }
  void withoutTheFreezeThereIsNoGhost() {
    const auto run = finished(without(scenario("ghost-lease"), "store_freeze"));
    QVERIFY(find(run->history(), EventKind::kGranted, "first")->at() < TrueTime{} + 1100ms);
  }
  // Who lives finds its own key at its next attempt: nobody works for that long, not for a lease.
  void aContenderThatLivesFindsTheLeaseItDoesNotKnowOf() {
    Scenario of = without(scenario("ghost-lease"), "crash");
    for (of.seed = 1; of.seed <= kSeeds; ++of.seed) {
      const auto run = finished(of);
      const Event* believed = find(run->history(), EventKind::kBelieved, "first");
      QVERIFY(believed != nullptr && believed->at() < TrueTime{} + 4100ms);
      QCOMPARE(believed->token, Token{2});  // it knows of no term, and begins its own
    }
  }

 private:
  static void models() {
    QTest::addColumn<QString>("model");
    QTest::newRow("redis") << "redis";
    QTest::newRow("sql") << "sql";
  }
};

LEASESCOPE_SUITE(StoreScenariosTest)
#include "store_scenarios_test.moc"
