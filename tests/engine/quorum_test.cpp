// The quorum lock in the virtual world: what a majority of the servers comes to, and what stealing does in either form.
#include <map>

#include <fmt/format.h>

#include "core/check/check.h"
#include "core/check/run_calls.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr int kSeeds = 200;

// A victim that hears nothing, a thief with a short lease, and one more who wants the lock.
std::string unheard(std::string_view form, std::string_view more) {
  return fmt::format(R"(schema = 1
title = "t"
duration = "8s"
[mutex]
name = "m"
system = "quorum"
ttl = "5s"
[quorum]
form = "{}"
servers = 5
[[contender]]
name = "victim"
hold = "0s"
[[contender]]
name = "thief"
priority = 5
start = "1s"
ttl = "300ms"
hold = "200ms"
[[contender]]
name = "third"
start = "1200ms"
hold = "200ms"
[[resource]]
write_every = "20ms"
compute = "5ms"
[[fault]]
at = "500ms"
kind = "lost_notification"
target = "victim"
duration = "7s"
{})",
                     form, more);
}

void each_form() {
  QTest::addColumn<bool>("corrected");
  QTest::newRow("specified") << false;
  QTest::newRow("corrected") << true;
}

struct Seen {
  int overlaps = 0;  // seeds in which two believed at once
  int rejected = 0;  // and in which the fence refused a write
  std::uint64_t accepted = 0;
  std::uint64_t regressions = 0;
  std::uint64_t double_grants = 0;
};

Seen seen(Scenario of, int seeds = kSeeds) {
  Seen out;
  for (int seed = 1; seed <= seeds; ++seed) {
    of.seed = static_cast<std::uint64_t>(seed);
    const Summary summary = finished(of)->history().summary;
    out.overlaps += summary.belief_overlap > Duration::zero();
    out.rejected += summary.stale_writes_rejected > 0;
    out.accepted += summary.stale_writes_accepted;
    out.regressions += summary.fence_regressions;
    out.double_grants += summary.double_grants;
  }
  return out;
}

// Loss, slow ways, lost notices, crashes and restarts; no pause, and all clocks are right.
Scenario trouble(std::string_view form, std::uint64_t seed) {
  std::string toml = fmt::format(R"(schema = 1
title = "t"
duration = "6s"
[mutex]
name = "m"
system = "quorum"
ttl = "500ms"
[quorum]
form = "{}"
servers = 3
[store]
loss = 0.02
latency = {{ median = "2ms", p99 = "30ms" }}
)",
                                 form);
  RandomStream draws(seed, "quorum", "trouble");
  for (int i = 0; i < 4; ++i)
    toml +=
        fmt::format("[[contender]]\nname = \"c{}\"\npriority = {}\nhold = \"{}ms\"\nrest = \"{}ms\"\nttl = \"{}ms\"\n",
                    i, i, 50 + draws.below(400), 20 + draws.below(400), 200 + draws.below(400));
  toml += "[[resource]]\nwrite_every = \"10ms\"\ncompute = \"3ms\"\n";
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t at = 200 + draws.below(5000), who = draws.below(4);
    if (i % 2 == 0) {
      toml += fmt::format(
          "[[fault]]\nat = \"{}ms\"\nkind = \"lost_notification\"\ntarget = \"c{}\"\nduration = \"700ms\"\n", at, who);
    } else {
      toml += fmt::format(
          "[[fault]]\nat = \"{0}ms\"\nkind = \"crash\"\ntarget = \"c{1}\"\n"
          "[[fault]]\nat = \"{2}ms\"\nkind = \"restart\"\ntarget = \"c{1}\"\n",
          at, who, at + 300);
    }
  }
  Scenario of = written(toml);
  of.seed = seed;
  return of;
}

}  // namespace

class QuorumTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- what the servers come to
  void theMutexIsGrantedExactlyWhereAMajorityVotesForIt();
  void itRunsOnAnyNumberOfServersFromThreeOn_data();
  void itRunsOnAnyNumberOfServersFromThreeOn();
  void aMinorityOfServersMayBeDown();
  void withoutAMajorityNobodyHolds();
  void aHandOffTakesUpTo128Milliseconds();
  void anEqualPriorityNeverSteals();
  void theLowestPriorityStealsFromNobodyAndEverybodyFromIt();

  // ---- the edges of stealing
  void aThiefThatCrashesBeforeTheAcknowledgement();
  void aThiefThatCannotReachItsVictim();
  void aThiefThatDoesNotWaitForAllOfItsTime();
  void whoHoldsUnconfirmedLeavesTheLockToItsVictim();
  void aLimitEndsTheWaitForAnAcknowledgement_data() { each_form(); }
  void aLimitEndsTheWaitForAnAcknowledgement();
  void aChainThatTakesTooLongIsTriedAgain();
  void whoIsStolenFromEachTimeNeverKeepsIt();
  void aKeyWhoseThiefIsGoneBelongsToNobodyWhoBelieves();
  void acknowledgementsAreAwaitedOneAfterTheOther();
  void aVictimThatHearsTooLateKeepsTheLock();
  void inTroubleTheCorrectedFormNeverOverlaps();

  // ---- several handles
  void theFirstReleaseOfTwoFreesTheLock_data() { each_form(); }
  void theFirstReleaseOfTwoFreesTheLock();
  void correctedAllHandlesAreTold();

  // ---- what its callers are told
  void itsCallsAreThoseOfAFencedLock();

  // ---- what a fence is for
  void withoutAFenceTwoQuorumsWriteBesideEachOther();

  // ---- bad input
  void whatIsRefused_data();
  void whatIsRefused();
};

void QuorumTest::theMutexIsGrantedExactlyWhereAMajorityVotesForIt() {
  const char* const names[] = {"quorum-healthy", "quorum-gc-pause", "redlock-clock-forward", "steal-edges"};
  for (const char* name : names) {
    const Scenario of = scenario(name);
    const auto run = finished(of);
    std::map<std::uint32_t, std::pair<Name, Token>> votes;  // by store
    int grants = 0;
    for (const Event& event : run->history().events) {
      const auto store = static_cast<std::uint32_t>(event.b);
      if (event.kind == EventKind::kVoteGranted) votes[store] = {event.node, event.token};
      if (event.kind == EventKind::kVoteEnded) votes.erase(store);
      if (event.kind != EventKind::kGranted) continue;
      ++grants;
      const auto same = [&](const auto& vote) { return vote.second == std::pair(event.node, event.token); };
      QCOMPARE(static_cast<int>(std::count_if(votes.begin(), votes.end(), same)), of.servers() / 2 + 1);
    }
    QVERIFY(grants >= 2);
  }
}

void QuorumTest::itRunsOnAnyNumberOfServersFromThreeOn_data() {
  QTest::addColumn<int>("servers");
  for (const int servers : {3, 4, 5, 6, 7}) QTest::addRow("%d", servers) << servers;
}
void QuorumTest::itRunsOnAnyNumberOfServersFromThreeOn() {
  QFETCH(int, servers);
  const auto run = finished(scenario("quorum-healthy", {fmt::format("quorum.servers={}", servers)}));
  QVERIFY(run->history().summary.acquisitions > 20);
  QCOMPARE(run->history().summary.belief_overlap.count(), 0);
}

void QuorumTest::aMinorityOfServersMayBeDown() {
  Scenario of = scenario("redlock-clock-forward");
  of.faults.pop_back();  // the clock
  const auto run = finished(of);
  QVERIFY(find(run->history(), EventKind::kBelieved, "first") != nullptr);
  QCOMPARE(run->history().summary.belief_overlap.count(), 0);
}

void QuorumTest::withoutAMajorityNobodyHolds() {
  Scenario of = scenario("redlock-clock-forward");
  FaultTable third = of.faults.front();
  third.target = "store 3";
  of.faults.back() = third;
  const auto run = finished(of);
  const TrueTime up = at(Duration(1500ms));  // 0.3 leases
  for (const Event& event : run->history().events)
    if (event.kind == EventKind::kBelieved || event.kind == EventKind::kGranted) QVERIFY(event.at() >= up);
  QVERIFY(run->history().summary.acquisitions >= 1);
}

void QuorumTest::aHandOffTakesUpTo128Milliseconds() {
  const auto run = finished(
      scenario("quorum-healthy", {"contender.0.hold=510ms", "contender.0.rest=370ms", "duration=60s", "seed=3"}));
  TrueTime released{};
  Duration longest{};
  for (const Event& event : run->history().events) {
    if (event.kind == EventKind::kReleased) released = event.at();
    if (event.kind == EventKind::kGranted && released > TrueTime{}) longest = std::max(longest, event.at() - released);
  }
  QVERIFY(longest > 60ms);
  QVERIFY(longest < 128ms + 20ms);
}

void QuorumTest::anEqualPriorityNeverSteals() {
  Scenario of = scenario("steal-edges", {"contender.0.priority=5"});
  const Seen out = seen(of, 20);
  QCOMPARE(out.overlaps, 0);
  const auto run = finished(of);
  for (const Event& event : run->history().events)
    if (event.kind == EventKind::kGranted) QVERIFY(event.detail != static_cast<std::uint8_t>(GrantKind::kStolen));
}

// Not said it is 0, which is above it.
void QuorumTest::theLowestPriorityStealsFromNobodyAndEverybodyFromIt() {
  const auto thefts = [](const char* victim, const char* thief) {
    std::string toml = R"(schema = 1
title = "t"
duration = "6s"
[mutex]
name = "m"
system = "quorum"
ttl = "5s"
[[contender]]
name = "victim"
hold = "0s"
)";
    toml += fmt::format("{}[[contender]]\nname = \"thief\"\nstart = \"1s\"\n{}", victim, thief);
    const auto run = finished(written(toml));
    int out = 0;
    for (const Event& event : run->history().events)
      out += event.kind == EventKind::kGranted && event.detail == static_cast<std::uint8_t>(GrantKind::kStolen);
    return out;
  };
  const char* const lowest = "priority = -1000000\n";
  QCOMPARE(thefts("", lowest), 0);
  QCOMPARE(thefts("priority = 0\n", ""), 0);
  QVERIFY(thefts(lowest, "") > 0);
  QVERIFY(thefts(lowest, "priority = -999999\n") > 0);
}

// As published the key ends with the thief's short time, and whoever comes next holds beside the victim.
void QuorumTest::aThiefThatCrashesBeforeTheAcknowledgement() {
  const std::string crash = "[[fault]]\nat = \"1100ms\"\nkind = \"crash\"\ntarget = \"thief\"\n";
  const Seen specified = seen(written(unheard("specified", crash)));
  const Seen corrected = seen(written(unheard("corrected", crash)));
  QCOMPARE(specified.overlaps, kSeeds);
  QCOMPARE(specified.rejected, kSeeds);
  QCOMPARE(corrected.overlaps, 0);
  QCOMPARE(specified.accepted + corrected.accepted, std::uint64_t{0});
  QCOMPARE(specified.regressions + corrected.regressions, std::uint64_t{0});
}

// As published it frees the key when its time is over, and its own next try gets it.
void QuorumTest::aThiefThatCannotReachItsVictim() {
  const Seen specified = seen(written(unheard("specified", "")));
  const Seen corrected = seen(written(unheard("corrected", "")));
  QCOMPARE(specified.overlaps, kSeeds);
  QCOMPARE(specified.rejected, kSeeds);
  QCOMPARE(corrected.overlaps, 0);
  QCOMPARE(specified.accepted + corrected.accepted, std::uint64_t{0});
  QCOMPARE(specified.regressions + corrected.regressions, std::uint64_t{0});
}

// Both forms overlap then; corrected, it says that it is unconfirmed, and the fence tells them apart.
void QuorumTest::aThiefThatDoesNotWaitForAllOfItsTime() {
  for (const char* form : {"specified", "corrected"}) {
    Scenario of = written(unheard(form, ""));
    std::get<QuorumTerms>(of.system).consistency_ppm = 100'000;
    const Seen out = seen(of);
    QCOMPARE(out.overlaps, kSeeds);
    QCOMPARE(out.accepted, std::uint64_t{0});
    QCOMPARE(out.regressions, std::uint64_t{0});
    const auto run = finished(of);
    const Event* const believed = find(run->history(), EventKind::kBelieved, "thief");
    QVERIFY(believed != nullptr);
    QCOMPARE(static_cast<BeliefKind>(believed->detail),
             std::string_view(form) == "corrected" ? BeliefKind::kUnconfirmed : BeliefKind::kGranted);
  }
}

// The next who holds is confirmed, so that nobody else may believe then.
void QuorumTest::whoHoldsUnconfirmedLeavesTheLockToItsVictim() {
  Scenario of = written(unheard("corrected", ""));
  std::get<QuorumTerms>(of.system).consistency_ppm = 100'000;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    of.seed = seed;
    const auto run = finished(of);
    const Event* const next = find(run->history(), EventKind::kBelieved, "third");
    QVERIFY(next != nullptr);
    QCOMPARE(static_cast<BeliefKind>(next->detail), BeliefKind::kGranted);
    const Event* const stolen = find(run->history(), EventKind::kBelieved, "thief");
    const Event* const first_held = find(run->history(), EventKind::kBelieved, "victim");
    QCOMPARE(static_cast<BeliefKind>(stolen->detail), BeliefKind::kUnconfirmed);
    QVERIFY(stolen->token > first_held->token && next->token > stolen->token);
    const TrueTime lost = first(run->history(), EventKind::kDisbelieved, "victim");
    QVERIFY2(lost <= next->at(), qPrintable(QString("seed %1").arg(seed)));
  }
}

// As published it is refused when its victim has acknowledged: that one has let go for nothing, and nobody holds.
void QuorumTest::aLimitEndsTheWaitForAnAcknowledgement() {
  QFETCH(bool, corrected);
  Scenario of = written(unheard(corrected ? "corrected" : "specified", ""));
  of.faults.clear();
  of.contenders.pop_back();
  std::get<QuorumPlan>(of.contenders[0].plan).acknowledge = 1s;
  QuorumPlan& thief = std::get<QuorumPlan>(of.contenders[1].plan);
  thief.limit = 200ms;
  thief.ttl = 5s;
  thief.rest = 1h;
  const auto run = finished(of);
  const History& history = run->history();
  QCOMPARE(first(history, EventKind::kBelieved, "thief"), TrueTime::max());
  const TrueTime lost = first(history, EventKind::kDisbelieved, "victim");
  const TrueTime refused = first(history, EventKind::kReturned, "thief");
  QVERIFY(lost > at(1s) && lost < at(1100ms));
  QVERIFY(corrected ? refused > at(1190ms) && refused < at(1250ms) : refused > at(2s) && refused < at(2100ms));
  for (const Event& event : history.events)
    if (event.kind == EventKind::kBelieved) QVERIFY(event.at() < at(1s) || event.at() > at(2s));
}

// The last of the chain waits for as long as its lease lasts, and holds at a later try.
void QuorumTest::aChainThatTakesTooLongIsTriedAgain() {
  Scenario of = scenario("steal-chain");
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    of.seed = seed;
    const auto run = finished(of);
    int majorities = 0;
    for (const Event& event : run->history().events) {
      if (event.kind == EventKind::kBelieved && run->history().names.text(event.node) == "master") break;
      majorities += event.kind == EventKind::kAttempt && run->history().names.text(event.node) == "master" &&
                    event.detail == static_cast<std::uint8_t>(AttemptResult::kWon);
    }
    QVERIFY2(majorities >= 2, qPrintable(QString("seed %1").arg(seed)));
    const TrueTime held = first(run->history(), EventKind::kBelieved, "master");
    QVERIFY2(held > at(660ms) && held < TrueTime::max(), qPrintable(QString("seed %1").arg(seed)));
  }
}

void QuorumTest::whoIsStolenFromEachTimeNeverKeepsIt() {
  Scenario of = scenario("starvation");
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    of.seed = seed;
    const auto run = finished(of);
    int had = 0;
    for (const Event& event : run->history().events) {
      if (run->history().names.text(event.node) != "low") continue;
      had += event.kind == EventKind::kBelieved;
      if (event.kind == EventKind::kDisbelieved)
        QVERIFY2(event.detail == static_cast<std::uint8_t>(DisbeliefReason::kStolen),
                 qPrintable(QString("seed %1").arg(seed)));
    }
    QVERIFY(had > 5);
  }
}

void QuorumTest::aKeyWhoseThiefIsGoneBelongsToNobodyWhoBelieves() {
  Scenario of = scenario("nobody-holds");
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    of.seed = seed;
    const auto run = finished(of);
    const Summary& summary = run->history().summary;
    QVERIFY2(summary.incidents[static_cast<std::size_t>(IncidentKind::kUnknownOwner)] > 0,
             qPrintable(QString("seed %1").arg(seed)));
    QCOMPARE(first(run->history(), EventKind::kBelieved, "thief"), TrueTime::max());
    QVERIFY(first(run->history(), EventKind::kBelieved, "victim", 1s) > at(5s));
  }
}

// As published another has it then, while the second handle believes.
void QuorumTest::theFirstReleaseOfTwoFreesTheLock() {
  QFETCH(bool, corrected);
  Scenario of = scenario("half-told-handles", {fmt::format("quorum.form={}", corrected ? "corrected" : "specified"),
                                               "contender.0.hold=500ms", "contender.0.rest=1h",
                                               "contender.1.priority=0", "contender.1.start=100ms"});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    of.seed = seed;
    const auto run = finished(of);
    const TrueTime lost = first(run->history(), EventKind::kDisbelieved, "victim");
    const TrueTime next = first(run->history(), EventKind::kBelieved, "thief");
    QVERIFY(lost > at(1s) && next < TrueTime::max());
    QCOMPARE(next < lost, !corrected);
    QCOMPARE(run->history().summary.belief_overlap > Duration::zero(), !corrected);
  }
}

void QuorumTest::correctedAllHandlesAreTold() {
  Scenario of = scenario("half-told-handles", {"quorum.form=corrected"});
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    of.seed = seed;
    const auto run = finished(of);
    QVERIFY2(run->history().summary.belief_overlap.count() == 0, qPrintable(QString("seed %1").arg(seed)));
    QCOMPARE(run->history().summary.stale_writes_rejected, std::uint64_t{0});
    QVERIFY(find(run->history(), EventKind::kBelieved, "thief") != nullptr);
  }
}

// A0 ← B1 ← C2 ← D3, each acknowledgement 300 ms: the last of them holds after all three.
void QuorumTest::acknowledgementsAreAwaitedOneAfterTheOther() {
  std::string toml = R"(schema = 1
title = "t"
duration = "4s"
[mutex]
name = "m"
system = "quorum"
ttl = "5s"
[quorum]
servers = 3
[store]
latency = "1ms"
)";
  for (int i = 0; i < 4; ++i)
    toml += fmt::format(
        "[[contender]]\nname = \"p{0}\"\npriority = {0}\nstart = \"{1}ms\"\nhold = \"0s\"\n"
        "acknowledge = \"300ms\"\n",
        i, 20 * i);
  toml += "[[resource]]\nwrite_every = \"10ms\"\ncompute = \"1ms\"\nlatency = \"1ms\"\n";
  const auto run = finished(written(toml));
  const History& history = run->history();
  QVERIFY(find(history, EventKind::kBelieved, "p0") != nullptr);
  QCOMPARE(first(history, EventKind::kBelieved, "p1"), TrueTime::max());
  QCOMPARE(first(history, EventKind::kBelieved, "p2"), TrueTime::max());
  const TrueTime last = first(history, EventKind::kBelieved, "p3");
  QVERIFY(last > at(900ms) && last < at(1s));
  QVERIFY(last > first(history, EventKind::kAcknowledged, "p2"));
  QVERIFY(first(history, EventKind::kAcknowledged, "p2") > first(history, EventKind::kAcknowledged, "p1"));
  QVERIFY(first(history, EventKind::kAcknowledged, "p1") > first(history, EventKind::kAcknowledged, "p0"));
  QCOMPARE(history.summary.belief_overlap.count(), 0);
}

void QuorumTest::aVictimThatHearsTooLateKeepsTheLock() {
  const std::string late =
      "[[fault]]\nat = \"500ms\"\nkind = \"late_notification\"\ntarget = \"victim\"\n"
      "duration = \"7s\"\nby = \"800ms\"\n";
  for (const char* form : {"specified", "corrected"}) {
    Scenario of = written(unheard(form, late));
    of.faults.erase(of.faults.begin());
    of.contenders.pop_back();
    const auto run = finished(of);
    const Event* const lost = find(run->history(), EventKind::kDisbelieved, "victim");
    QVERIFY(lost != nullptr);
    const bool kept = static_cast<DisbeliefReason>(lost->detail) == DisbeliefReason::kWatchdog;
    QCOMPARE(kept, std::string_view(form) == "corrected");
  }
}

// It waits for the acknowledgement or for the end of the claim; the other lets its victim overlap.
void QuorumTest::inTroubleTheCorrectedFormNeverOverlaps() {
  int specified = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Summary corrected = finished(trouble("corrected", seed))->history().summary;
    QVERIFY2(corrected.belief_overlap.count() == 0, qPrintable(QString("seed %1").arg(seed)));
    QVERIFY2(corrected.stale_writes_accepted == 0, qPrintable(QString("seed %1").arg(seed)));
    QVERIFY2(corrected.fence_regressions == 0, qPrintable(QString("seed %1").arg(seed)));
    QVERIFY2(corrected.acquisitions > 3, qPrintable(QString("seed %1").arg(seed)));
    const Summary published = finished(trouble("specified", seed))->history().summary;
    specified += published.belief_overlap > Duration::zero();
    QVERIFY2(published.stale_writes_accepted == 0, qPrintable(QString("seed %1").arg(seed)));
    QVERIFY2(published.fence_regressions == 0, qPrintable(QString("seed %1").arg(seed)));
  }
  QVERIFY2(specified > kSeeds / 10, qPrintable(QString::number(specified)));
}

// Whoever had lost it learns so by its unlock, at the latest; so no two of them held at once.
void QuorumTest::itsCallsAreThoseOfAFencedLock() {
  constexpr std::uint64_t kFew = 20;
  const auto verdict = [](Scenario of, std::uint64_t seed) {
    of.seed = seed;
    const auto run = finished(of);
    check::RunCalls calls(false);
    for (Sequence number = 1; number <= run->history().last(); ++number) calls.add(run->history(), number);
    return check::judge({check::ModelKind::kFenced}, calls.calls(), {}).verdict;
  };
  for (std::uint64_t seed = 1; seed <= kFew; ++seed) {
    for (const char* name : {"quorum-healthy", "quorum-gc-pause", "steal-chain", "redlock-clock-forward"})
      QVERIFY2(verdict(scenario(name), seed) == check::Verdict::kOk, qPrintable(QString("%1 %2").arg(name).arg(seed)));
  }
}

// They bear no token then, and a resource that does not insist on one takes what both write.
void QuorumTest::withoutAFenceTwoQuorumsWriteBesideEachOther() {
  const auto run = finished(scenario("redlock-clock-forward", {"quorum.fence=false", "resource.tokenless=accept"}));
  QVERIFY(run->history().summary.belief_overlap > Duration::zero());
  QCOMPARE(run->history().summary.stale_writes_rejected, std::uint64_t{0});
  int writers = 0;
  for (const char* name : {"first", "second"})
    writers += first(run->history(), EventKind::kWriteAccepted, name, 2700ms) < at(4900ms);
  QCOMPARE(writers, 2);
}

void QuorumTest::whatIsRefused_data() {
  QTest::addColumn<QString>("set");
  QTest::addColumn<QString>("words");
  QTest::newRow("two servers") << "quorum.servers=2"
                               << "3";
  QTest::newRow("eight servers") << "quorum.servers=8"
                                 << "7";
  QTest::newRow("a ttl beyond a timer") << "mutex.ttl=2147483648ms"
                                        << "expected";
  QTest::newRow("its own ttl beyond a timer") << "contender.0.ttl=2147483648ms"
                                              << "expected";
  QTest::newRow("a ttl that its drift takes up") << "mutex.ttl=2ms"
                                                 << "3ms at least";
  QTest::newRow("its own ttl that its drift takes up") << "contender.0.ttl=1ms"
                                                       << "3ms at least";
  QTest::newRow("a priority below the lowest") << "contender.0.priority=-1000001"
                                               << "-1000000 to 1000000";
  QTest::newRow("a priority above the highest") << "contender.0.priority=1000001"
                                                << "-1000000 to 1000000";
  QTest::newRow("a transition") << "mutex.transition=1s"
                                << "no key of the system";
  QTest::newRow("a model that cannot") << "store.model=redis"
                                       << "redlock";
  QTest::newRow("another form") << "quorum.form=best"
                                << "corrected";
  QTest::newRow("a factor above one") << "quorum.stolen_consistency_factor=1.5"
                                      << "0 to 1";
}
void QuorumTest::whatIsRefused() {
  QFETCH(QString, set);
  QFETCH(QString, words);
  const auto of = find_scenario("quorum-healthy", {set.toStdString()});
  QVERIFY(!of.has_value());
  QVERIFY2(QString::fromStdString(of.error().text()).contains(words), of.error().text().c_str());
  QVERIFY(find_scenario("quorum-healthy", {"mutex.ttl=2147483647ms"}).has_value());
  for (const char* bound : {"contender.0.priority=-1000000", "contender.0.priority=1000000", "mutex.ttl=3ms"})
    QVERIFY2(find_scenario("quorum-healthy", {bound}).has_value(), bound);
}

LEASESCOPE_SUITE(QuorumTest)
#include "quorum_test.moc"
