// Locks bound to a connection, in the world: what ends a connection, when, and who is told. Ways of 1 ms; keep-alive
// 8 s, so that a connection of which nothing is heard ends 8 s after its last sign of life.
#include <algorithm>

#include <fmt/format.h>

#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// `a` holds for good from 3 ms on and `b` waits, unless it says otherwise.
std::unique_ptr<VirtualRun> run_of(const std::string& faults, const std::string& a = "", const std::string& b = "",
                                   const std::string& system = "") {
  const std::string toml = R"(schema = 1
title = "t"
duration = "60s"
[mutex]
name = "m"
system = "advisory"
ttl = "5s"
[advisory]
reconnect = "1ms"
)" + system + R"(
[store]
latency = "1ms"
[store.backends]
keep_alive = "8s"
[[contender]]
name = "a"
)" + a + R"(
[[contender]]
name = "b"
start = "1s"
)" + b + R"(
[[resource]]
name = "ledger"
write_every = "100ms"
tokenless = "accept"
)" + faults;
  return finished(written(toml));
}

std::string fault(const std::string& kind, const std::string& at, const std::string& more = "") {
  return fmt::format("[[fault]]\nkind = \"{}\"\nat = \"{}\"\n{}\n", kind, at, more);
}
std::string fault_of_a(const std::string& kind, const std::string& at, const std::string& more = "") {
  return fault(kind, at, "target = \"a\"\n" + more);
}
std::string lasting(const std::string& duration) { return "duration = \"" + duration + "\""; }

bool about(TrueTime is, Duration wanted) { return is >= at(wanted - 20ms) && is <= at(wanted + 20ms); }

std::size_t sessions_ended(const History& history, SessionEnd how) {
  return static_cast<std::size_t>(std::count_if(history.events.begin(), history.events.end(), [&](const Event& each) {
    return each.kind == EventKind::kSessionEnded && each.detail == static_cast<std::uint8_t>(how);
  }));
}

}  // namespace

class AdvisoryTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- the lock
  void whoWaitsIsServedInTheOrderOfTheRequests() {
    const auto run = finished(scenario("advisory-healthy", {"contender.0.count=12"}));
    std::vector<Name> queue;
    std::size_t served = 0;
    for (const Event& event : run->history().events) {
      if (event.kind == EventKind::kQueued) queue.push_back(event.node);
      if (event.kind != EventKind::kGranted || queue.empty()) continue;
      QCOMPARE(event.node, queue.front());
      queue.erase(queue.begin());
      ++served;
    }
    QVERIFY(served > 20);
  }
  void whoEnteredThriceIsOutAfterThreeUnlocks() {
    const auto run = run_of("", "hold = \"3s\"\nrest = \"30s\"\ntimes = 3");
    const History& history = run->history();
    std::vector<std::int64_t> held;
    for (const Event& event : history.events)
      if (event.kind == EventKind::kReentered && history.names.text(event.node) == "a") held.push_back(event.b);
    QCOMPARE(held, (std::vector<std::int64_t>{2, 3, 2, 1}));
    QCOMPARE(count(history, EventKind::kReleased), std::size_t{1});
    QVERIFY(first(history, EventKind::kGranted, "b") == first(history, EventKind::kReleased, "a"));
  }
  void noTokenIsShownAndAResourceThatFencesRefusesAllOfIt() {
    const auto run = finished(scenario("advisory-healthy", {"resource.tokenless=reject"}));
    const Summary& summary = run->history().summary;
    QVERIFY(summary.tokenless_writes_refused > 0);
    QCOMPARE(summary.stale_writes_rejected, 0u);
    for (const Event& event : run->history().events) QCOMPARE(event.token, kNoToken);
  }
  void whoTriesTakesTurnsWithWhoeverElseTries() {
    const auto run = run_of("", "hold = \"2s\"\nrest = \"3s\"\ntries = \"200ms\"",
                            "hold = \"2s\"\nrest = \"3s\"\ntries = \"200ms\"");
    QVERIFY(run->history().summary.handoffs >= 8);
    QCOMPARE(count(run->history(), EventKind::kQueued), std::size_t{0});
  }

  // ---- what ends a connection
  void aProcessThatDiesFreesItsLockAtOnce() {
    const auto run = run_of(fault_of_a("crash", "10s"));
    QVERIFY(about(first(run->history(), EventKind::kGranted, "b"), 10s));
    QCOMPARE(sessions_ended(run->history(), SessionEnd::kClosed), std::size_t{1});
  }
  void aWaiterThatDiesLeavesTheQueue() {
    const auto run = run_of(fault("crash", "5s", "target = \"b\"") + fault_of_a("stop", "10s"));
    QVERIFY(about(first(run->history(), EventKind::kDequeued, "b"), 5s));
    QCOMPARE(first(run->history(), EventKind::kGranted, "b"), TrueTime::max());
  }
  void aDeathBehindAPartitionIsFoundByKeepAliveAlone() {
    const auto run = run_of(fault_of_a("partition", "9s", lasting("40s")) + fault_of_a("crash", "10s"));
    // The last probe that was answered was sent 2 ms after a multiple of 2 s.
    QVERIFY(about(first(run->history(), EventKind::kExpired, "a"), 16s));
    QVERIFY(first(run->history(), EventKind::kGranted, "b") == first(run->history(), EventKind::kExpired, "a"));
    QCOMPARE(sessions_ended(run->history(), SessionEnd::kExpired), std::size_t{1});
  }
  // Its kernel knows of no such connection, and says so to the next probe.
  void aDeathBehindAShortPartitionIsFoundByTheNextProbe() {
    const auto run = run_of(fault_of_a("partition", "9s", lasting("3s")) + fault_of_a("crash", "10s"));
    QVERIFY(about(first(run->history(), EventKind::kGranted, "b"), 12s) ||
            about(first(run->history(), EventKind::kGranted, "b"), 14s));
    QCOMPARE(sessions_ended(run->history(), SessionEnd::kClosed), std::size_t{1});
  }
  void aPauseKeepsTheLockForAsLongAsItLasts() {
    const auto run = run_of(fault_of_a("pause", "10s", lasting("45s")));
    QCOMPARE(first(run->history(), EventKind::kGranted, "b"), TrueTime::max());
    QCOMPARE(run->history().summary.belief_overlap, Duration::zero());
    QCOMPARE(sessions_ended(run->history(), SessionEnd::kExpired), std::size_t{0});
  }
  void aMachineThatStandsStillLosesItAndItsHolderBelievesOn() {
    const auto run = run_of(fault_of_a("pause", "10s", "clock = \"stands\"\n" + lasting("20s")));
    QVERIFY(about(first(run->history(), EventKind::kGranted, "b"), 18s) ||
            about(first(run->history(), EventKind::kGranted, "b"), 16s));
    QVERIFY(run->history().summary.belief_overlap > 40s);  // to the end: it asks for nothing
  }
  void aMachineThatStandsStillForLessThanKeepAliveLosesNothing() {
    const auto run = run_of(fault_of_a("pause", "10s", "clock = \"stands\"\n" + lasting("3s")));
    QCOMPARE(first(run->history(), EventKind::kGranted, "b"), TrueTime::max());
  }
  void aHalfOpenHolderIsGivenUpByTheServerAndBelievesOn() {
    const auto run = run_of(fault_of_a("half_open", "9s", lasting("50s")));
    QVERIFY(about(first(run->history(), EventKind::kGranted, "b"), 16s));
    QVERIFY(run->history().summary.belief_overlap > 40s);
  }
  void aServerThatStoodStillEndsNoConnectionThatStands() {
    const auto run = run_of(fault("store_freeze", "10s", lasting("30s")));
    QCOMPARE(sessions_ended(run->history(), SessionEnd::kExpired), std::size_t{0});
    QCOMPARE(first(run->history(), EventKind::kGranted, "b"), TrueTime::max());
  }
  void aServerThatIsStartedAgainHasForgottenEverything() {
    const auto run = run_of(fault("store_crash", "10s", lasting("2s")));
    QCOMPARE(sessions_ended(run->history(), SessionEnd::kForced), std::size_t{2});
    QVERIFY(about(first(run->history(), EventKind::kGranted, "b", 10s), 12s));
    QVERIFY(run->history().summary.belief_overlap > 40s);  // nobody has told the holder
    QCOMPARE(run->history().summary.double_grants, 1u);
  }

  void aBackendThatIsEndedByForceFreesItsLockAndTellsNobody() {
    const auto run = run_of(fault("session_close", "10s", ""));
    QCOMPARE(sessions_ended(run->history(), SessionEnd::kForced), std::size_t{1});
    QVERIFY(about(first(run->history(), EventKind::kGranted, "b"), 10s));
    QVERIFY(run->history().summary.belief_overlap > 40s);
    QCOMPARE(run->history().summary.double_grants, 1u);
  }

  // ---- who is told
  void aHolderLearnsOfItByItsNextCallAndGoesOnAnew() {
    const auto run =
        run_of(fault_of_a("partition", "9s", lasting("20s")), "hold = \"35s\"\nrest = \"1s\"", "hold = \"3s\"");
    const History& history = run->history();
    QVERIFY(about(first(history, EventKind::kGranted, "b"), 16s));
    QVERIFY(about(first(history, EventKind::kDisbelieved, "a"), 35s));
    const Event* const unlocked = find(history, EventKind::kDisconnected, "a");
    QVERIFY(unlocked != nullptr && about(unlocked->at(), 35s));
    QVERIFY(first(history, EventKind::kGranted, "a", 35s) < at(45s));
  }
  void aHolderThatChecksLearnsOfItByThat() {
    const auto run = run_of(fault_of_a("partition", "9s", lasting("20s")), "", "", "check = \"500ms\"");
    const TrueTime told = first(run->history(), EventKind::kDisbelieved, "a");
    QVERIFY(told > at(9s) && told < at(11s));
    QCOMPARE(run->history().summary.belief_overlap, Duration::zero());
  }
  // The server has its old connection still, and the new one waits behind that.
  void whoComesBackSoonWaitsBehindItself() {
    const auto run = run_of(fault_of_a("half_open", "9s", lasting("1s")) + fault_of_a("crash", "9500ms") +
                            fault_of_a("restart", "9600ms"));
    const History& history = run->history();
    QVERIFY(first(history, EventKind::kQueued, "a") < at(9700ms));
    QVERIFY(first(history, EventKind::kGranted, "b") > at(9900ms));
  }
  void whateverIsLostTheCallsAreLegalAndTheLockGoesOn() {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      Scenario of =
          scenario("advisory-healthy", {"store.loss=0.03", "store.backends.keep_alive=2s", "advisory.check=200ms"});
      of.seed = seed;
      const auto run = finished(of);
      QCOMPARE(run->outcome().legal->illegal, std::uint64_t{0});
      QVERIFY(run->history().summary.acquisitions > 10);
    }
  }

  // ---- the scenarios
  void withAPauseOfTheProcessAloneNobodyElseGetsIn() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Scenario of = scenario("advisory-machine-stops", {"fault.0.clock=runs"});
      of.seed = seed;
      const Summary summary = finished(of)->history().summary;
      QCOMPARE(summary.handoffs, 0u);
      QCOMPARE(summary.belief_overlap, Duration::zero());
    }
  }
  void whoseLineStandsIsMissedAtOnce() {
    Scenario of = scenario("half-open");
    of.faults.front().enabled = false;
    const auto run = finished(of);
    QCOMPARE(run->history().summary.handoffs, 1u);
    QVERIFY(run->history().incidents.begin() == run->history().incidents.end());
  }
  void theDeadIsHeldForUntilKeepAliveAndTheIncidentSaysSo() {
    const auto run = finished(scenario("half-open"));
    const auto ghost = run->history().incidents.begin();
    QVERIFY(ghost->kind == IncidentKind::kUnknownOwner);
    QVERIFY(ghost->end - ghost->start > 22s && ghost->end - ghost->start <= 30s);
    QVERIFY2(ghost->cause.find(" is down. Nobody else gets in meanwhile.") != std::string::npos, ghost->cause.c_str());
  }
};

LEASESCOPE_SUITE(AdvisoryTest)
#include "advisory_test.moc"
