// Compare-and-set leases: the registers, three ways to stamp, locks, permits and readers, under skew, pauses and a bad
// network.
#include <algorithm>

#include <fmt/format.h>

#include "core/cas/contender.h"
#include "core/history/standing.h"
#include "simulator/model/cas/register_model.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr Name kMutex{1}, kA{2}, kB{3};

// One register of a store whose clock is `ahead` of true time.
struct Shelf {
  RegisterModel model{{{kMutex}, 5s, 1, {}, 0}};
  Duration ahead{};
  ServerSteps steps;

  ServerNow now(Duration at) const { return {ServerTime(at + ahead), TrueTime(at)}; }
  const ServerStep& call(Duration when, Name who, RequestKind kind, std::uint64_t version, CellMode mode, Token token,
                         Stamp by = Stamp::kVersion, bool dated = false) {
    ServerCall call;
    call.request.kind = kind;
    call.request.mutex = kMutex;
    call.request.contender = who;
    call.request.cell = {version, token, 5s, 0, mode, by, dated};
    steps.clear();
    model.take(call, now(when), steps);
    return *(steps.end() - 1);
  }
  const ServerStep& set(Duration when, Name who, std::uint64_t version, CellMode mode, Token token,
                        Stamp by = Stamp::kVersion) {
    return call(when, who, RequestKind::kCompareAndSet, version, mode, token, by);
  }
  const ServerStep& read(Duration when, Stamp by = Stamp::kVersion, bool dated = false) {
    return call(when, kB, RequestKind::kRead, 0, CellMode::kFree, kNoToken, by, dated);
  }
};

using Fact = ServerStep::Fact;

Summary summary_of(const Scenario& of) { return finished(of)->history().summary; }

std::vector<std::string> stamped(const std::string& stamp) { return {"cas.stamp=" + stamp}; }

// A fleet on a bad network: packets are lost, late, doubled and overtake each other.
Scenario on_a_bad_network(const std::string& cas, const std::string& contenders) {
  return written(R"(schema = 1
title = "t"
duration = "60s"
[mutex]
name = "m"
system = "cas"
ttl = "2s"
[cas]
)" + cas + R"(
[store]
loss = 0.05
timeout = "300ms"
)" + contenders + R"(
[[fault]]
at = "5s"
kind = "duplicate"
target = "all"
ppm = 200000
duration = "20s"
[[fault]]
at = "10s"
kind = "reorder"
target = "all"
ppm = 300000
by = "200ms"
duration = "30s"
)");
}

}  // namespace

class CasTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- the registers
  void oneOfTwoWhoSawTheSameVersionSetsIt() {
    Shelf shelf;
    QVERIFY(shelf.set(0s, kA, 0, CellMode::kHeld, 1).reply.done);
    const Reply refused = shelf.set(1ms, kB, 0, CellMode::kHeld, 1).reply;
    QVERIFY(!refused.done);
    QCOMPARE(refused.owner, kA);
    QCOMPARE(refused.number, std::uint64_t{1});
  }
  void theSameTermIsRenewedAndAnotherGranted() {
    Shelf shelf;
    QCOMPARE(shelf.set(0s, kA, 0, CellMode::kHeld, 1).fact, Fact::kGranted);
    QCOMPARE(shelf.set(1s, kA, 1, CellMode::kHeld, 1).fact, Fact::kRenewed);
    QCOMPARE(shelf.set(2s, kA, 2, CellMode::kHeld, 2).fact, Fact::kGranted);
    QCOMPARE(shelf.set(3s, kA, 3, CellMode::kFree, 2).fact, Fact::kReleased);
    QCOMPARE(shelf.set(3s, kB, 4, CellMode::kClaimed, 2).fact, Fact::kNothing);
  }
  void thePromiseOfARegisterEndsATtlAfterTheLastWrite() {
    Shelf shelf;
    shelf.set(0s, kA, 0, CellMode::kHeld, 1);
    shelf.set(2s, kA, 1, CellMode::kHeld, 1);
    QCOMPARE(shelf.model.deadline(0, {}), TrueTime(7s));
    shelf.steps.clear();
    shelf.model.wake(0, shelf.now(7s - 1ns), shelf.steps);
    QVERIFY(shelf.steps.empty());
    shelf.model.wake(0, shelf.now(7s), shelf.steps);
    QCOMPARE(shelf.steps.begin()->fact, Fact::kExpired);
    QCOMPARE(shelf.read(8s).reply.owner, kA);
    QVERIFY2(shelf.set(8s, kA, 2, CellMode::kHeld, 1).reply.done, "nobody has taken it: its holder may go on");
  }
  void whatAClientStampsIsPromisedAsARightClockReadsIt() {
    const auto end = [](Duration stamp) {
      Shelf shelf;
      ServerCall call;
      call.request.kind = RequestKind::kCompareAndSet;
      call.request.contender = kA;
      call.request.cell = {0, 1, stamp, 0, CellMode::kHeld, Stamp::kClient, false};
      shelf.model.take(call, shelf.now(10s), shelf.steps);
      return shelf.model.deadline(0, {});
    };
    QCOMPARE(end(14s), TrueTime(14s));
    QCOMPARE(end(2min), TrueTime(15s));
    QCOMPARE(end(3s), TrueTime(3s));
  }
  void whoFreesAnothersRegisterReleasesNothing() {
    Shelf shelf;
    shelf.set(0s, kA, 0, CellMode::kHeld, 1);
    const ServerStep& freed = shelf.set(1s, kB, 1, CellMode::kFree, 1);
    QCOMPARE(freed.fact, Fact::kForgotten);
    QCOMPARE(freed.owner, kA);
  }
  void aStoreThatStampsTellsByItsOwnClockWhatIsLeft() {
    Shelf shelf;
    shelf.ahead = 1h;
    shelf.set(0s, kA, 0, CellMode::kHeld, 1, Stamp::kServer);
    QCOMPARE(shelf.read(2s, Stamp::kServer).reply.remaining, Duration(3s));
    QCOMPARE(shelf.read(2s, Stamp::kServer, true).reply.remaining, Duration(1h + 5s));
    QCOMPARE(shelf.read(2s, Stamp::kServer).reply.answer & kLeaseOver, 0);
    QVERIFY((shelf.read(5s, Stamp::kServer).reply.answer & kLeaseOver) != 0);
  }

  // ---- three ways to stamp
  void theThreeStampingsAreToldApartBySkew() {
    for (const char* stamp : {"client", "server", "version"}) {
      Scenario of = scenario("generals", stamped(stamp));
      const bool breaks = stamp == std::string_view("client");
      for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        of.seed = seed;
        const Summary summary = summary_of(of);
        QCOMPARE(summary.double_grants > 0, breaks);
        QCOMPARE(summary.belief_overlap > Duration::zero(), breaks);
        QCOMPARE(summary.stale_writes_rejected > 0, breaks);
      }
    }
  }
  // Whatever the taker waits for, the one it takes from has had a whole lease since its last renewal.
  void aPausedHolderIsLeftAWholeLease() {
    for (const char* stamp : {"client", "server", "version"}) {
      Scenario of = scenario("cas-gc-pause", stamped(stamp));
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        of.seed = seed;
        const Summary summary = summary_of(of);
        QCOMPARE(summary.double_grants, 0u);
        QVERIFY(summary.handoffs > 0);
        QVERIFY(summary.stale_writes_rejected > 0);
      }
    }
  }
  // A waiter is not alone with its skew: a holder that is ahead and dies keeps all others out.
  void aDeadHoldersClockKeepsTheOthersOut() {
    const std::string dead =
        "[[contender]]\nname = \"dead\"\nclock = { offset = \"20s\" }\n"
        "[[contender]]\nname = \"next\"\nstart = \"1s\"\n[[fault]]\nat = \"2s\"\nkind = \"crash\"\ntarget = \"dead\"\n";
    for (const char* stamp : {"client", "server", "version"}) {
      const auto run =
          finished(written("schema = 1\ntitle = \"t\"\nduration = \"40s\"\n[mutex]\nname = \"m\"\nsystem = "
                           "\"cas\"\nttl = \"2s\"\n[cas]\n"
                           "stamp = \"" +
                           std::string(stamp) + "\"\n" + dead));
      const TrueTime taken = first(run->history(), EventKind::kGranted, "next");
      if (stamp == std::string_view("client")) {
        QVERIFY(taken > at(20s) && taken < at(25s));
      } else {
        QVERIFY(taken > at(3s) && taken < at(6s));
      }
    }
  }
  // Nobody's clock is wrong, and the network is bad: whatever is lost or late, two never believe.
  void onABadNetworkNobodyOverlaps() {
    const std::string three = "[[contender]]\ncount = 3\nhold = \"3s\"\nrest = \"100ms\"\n";
    for (const char* stamp : {"client", "server", "version"}) {
      Scenario of = on_a_bad_network(fmt::format("stamp = \"{}\"", stamp), three);
      std::uint64_t grants = 0;
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        of.seed = seed;
        const Summary summary = summary_of(of);
        QCOMPARE(summary.double_grants, 0u);
        QCOMPARE(summary.belief_overlap.count(), 0);
        QCOMPARE(summary.fence_regressions, 0u);
        grants += summary.acquisitions;
      }
      QVERIFY(grants > 30 * 10);
    }
  }
  void noMorePermitsAreTakenThanThereAre() {
    Scenario of = on_a_bad_network("kind = \"semaphore\"\npermits = 3",
                                   "[[contender]]\ncount = 7\nhold = \"1s\"\nrest = \"100ms\"\n");
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      of.seed = seed;
      const Summary summary = summary_of(of);
      QCOMPARE(summary.double_grants, 0u);
      QCOMPARE(summary.belief_overlap.count(), 0);
      QCOMPARE(summary.stale_writes_rejected, 0u);
      QVERIFY(summary.acquisitions > 50);
    }
  }
  void allPermitsAreUsed() {
    const auto run = finished(scenario("semaphore-healthy"));
    Standing standing(run->history().legend);
    std::size_t most = 0;
    for (const Event& event : run->history().events) {
      standing.append(event, run->history().names);
      if (!standing.mutexes().empty()) most = std::max(most, standing.mutex(0u).believers.size());
    }
    QCOMPARE(most, std::size_t{3});
  }
  void aWriterIsAloneAndReadersAreBesideEachOther() {
    Scenario of =
        on_a_bad_network("kind = \"read-write\"\nreaders = 4",
                         "[[contender]]\nname = \"r\"\ncount = 4\nmode = \"read\"\nhold = \"700ms\"\nrest = \"300ms\"\n"
                         "[[contender]]\nname = \"w\"\ncount = 2\nhold = \"300ms\"\nrest = \"1s\"\n");
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      of.seed = seed;
      const auto run = finished(of);
      const Summary& summary = run->history().summary;
      QCOMPARE(summary.double_grants, 0u);
      QCOMPARE(summary.belief_overlap.count(), 0);
      QCOMPARE(summary.fence_regressions, 0u);
      QCOMPARE(summary.stale_writes_rejected, 0u);
      std::size_t read = 0, wrote = 0;
      for (const Event& event : run->history().events) {
        if (event.kind != EventKind::kGranted) continue;
        const bool shared = event.detail == static_cast<std::uint8_t>(GrantKind::kShared);
        ++(shared ? read : wrote);
        QCOMPARE(event.token % 2, Token{shared ? 1u : 0u});
      }
      QVERIFY2(read > 10 && wrote > 5, qPrintable(QString("%1 reads, %2 writes").arg(read).arg(wrote)));
    }
  }

  // ---- what goes wrong
  void aWaiterWhoseClockIsAheadAsksWithoutAPause() {
    const auto calls = [](const Scenario& of) { return count(finished(of)->history(), EventKind::kAttempt); };
    const std::size_t storm = calls(scenario("clock-ahead-storm"));
    QVERIFY(storm > 10 * calls(scenario("clock-ahead-storm", {"cas.wait=remaining"})));
    QVERIFY(storm > 10 * calls(scenario("clock-ahead-storm", {"contender.1.clock.offset=0s"})));
  }
  // It does not storm: it takes the lock, and whoever held it loses.
  void stampedByTheClientAClockAheadTakesAndDoesNotStorm() {
    const Summary summary = summary_of(scenario("clock-ahead-storm", {"cas.stamp=client"}));
    QCOMPARE(summary.incidents[static_cast<std::size_t>(IncidentKind::kStorm)], 0u);
    QVERIFY(summary.double_grants > 0);
  }
  void aReleaseThatLooksWhoseLockItIsFreesNobodyElses() {
    Scenario of = scenario("foreign-release", {"cas.release=own"});
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      of.seed = seed;
      QCOMPARE(summary_of(of).double_grants, 0u);
    }
  }
  // The answer to its unlock is lost; asked again, the register is free already.
  void anUnlockThatIsAskedAgainKnowsWhatItDidBefore() {
    const auto run = finished(written(R"(schema = 1
title = "t"
duration = "20s"
[mutex]
name = "orders"
system = "cas"
ttl = "5s"
[store]
latency = "10ms"
timeout = "300ms"
[[contender]]
name = "a"
hold = "3s"
rest = "10s"
[[fault]]
at = "3005ms"
kind = "partition"
target = "a"
direction = "from_store"
duration = "200ms"
)"));
    const auto& events = run->history().events;
    const auto unlocked = std::find_if(events.begin(), events.end(), [](const Event& event) {
      return event.kind == EventKind::kReturned && event.detail == static_cast<std::uint8_t>(Operation::kUnlock);
    });
    QVERIFY(unlocked != events.end());
    QVERIFY(unlocked->at() > at(3300ms));
    QCOMPARE(static_cast<Ending>(unlocked->b), Ending::kOk);
  }
  void everyCallOfTheApplicationEnds() {
    for (const char* name : {"cas-healthy", "semaphore-healthy", "read-write-healthy", "cas-gc-pause"}) {
      const auto run = finished(scenario(name));
      const std::size_t invoked = count(run->history(), EventKind::kInvoked);
      const std::size_t returned = count(run->history(), EventKind::kReturned);
      QVERIFY2(invoked >= returned && invoked <= returned + 6, name);
      QVERIFY2(returned > 10, name);
    }
  }
  void whoIsStoppedGivesBackWhatItHas() {
    const auto run = finished(scenario("cas-healthy", {"contender.0.count=2", "contender.0.hold=0s"}));
    const std::string first_owner = [&] {
      for (const Event& event : run->history().events)
        if (event.kind == EventKind::kGranted) return std::string(run->history().names.text(event.node));
      return std::string();
    }();
    Scenario of = scenario("cas-healthy", {"contender.0.count=2", "contender.0.hold=0s"});
    FaultTable stop;
    stop.kind = "stop";
    stop.target = first_owner;
    stop.at = *parse_time_expression("7s");
    of.faults.push_back(stop);
    const auto stopped = finished(of);
    const TrueTime released = first(stopped->history(), EventKind::kReleased, first_owner);
    QVERIFY(released > at(7s) && released < at(7s + 200ms));
    QVERIFY(first(stopped->history(), EventKind::kStopped, first_owner) >= released);
    const std::string other = first_owner == "c1" ? "c2" : "c1";
    QVERIFY(first(stopped->history(), EventKind::kGranted, other) < released + 2s);
  }

  // ---- the bank
  void idempotentStepsNeitherDoubleNorLoseATransfer() {
    for (const char* fencing : {"true", "false"}) {
      Scenario of = scenario("bank-transfer-idempotent", {std::string("resource.fencing=") + fencing});
      for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        of.seed = seed;
        const Summary summary = summary_of(of);
        QVERIFY(summary.transfers > 10);
        QCOMPARE(summary.transfers_duplicated, 0u);
        QCOMPARE(summary.transfers_lost, 0u);
      }
    }
  }
  // Each form does fewer of them wrong than the one before.
  void checksHelpAndIdempotenceCures() {
    std::array<std::uint64_t, 3> wrong{}, lost{};
    const std::array<const char*, 3> forms{"naive", "checked", "idempotent"};
    for (std::size_t i = 0; i < forms.size(); ++i) {
      Scenario of = scenario(fmt::format("bank-transfer-{}", forms[i]), {"resource.fencing=false"});
      for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        of.seed = seed;
        const Summary summary = summary_of(of);
        wrong[i] += summary.transfers_duplicated + summary.transfers_lost;
        lost[i] += summary.transfers_lost;
      }
    }
    QVERIFY2(wrong[0] > wrong[1] && wrong[1] > wrong[2],
             qPrintable(QString("%1, %2, %3").arg(wrong[0]).arg(wrong[1]).arg(wrong[2])));
    QCOMPARE(wrong[2], std::uint64_t{0});
    QVERIFY(lost[0] > 0);
  }

  // ---- bad input
  void noPermitsAreRefusedWithARemedy() {
    const auto wrong = find_scenario("semaphore-healthy", {"cas.permits=0"});
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().text().find("permits") != std::string::npos &&
                 wrong.error().text().find("1") != std::string::npos,
             wrong.error().text().c_str());
  }
  void aTransferWithoutABankIsRefused() {
    const auto wrong = find_scenario("bank-transfer-naive", {"resource.kind=ledger", "resource.transfer=checked"});
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().text().find("kind = \"bank\"") != std::string::npos, wrong.error().text().c_str());
  }
};

LEASESCOPE_SUITE(CasTest)
#include "cas_test.moc"
