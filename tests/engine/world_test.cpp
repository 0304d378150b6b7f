// What the virtual world does to its contenders: pauses, partitions, crashes, clocks, losses.
#include <algorithm>

#include "simulator/engine/world.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// One contender alone with constant delays, so that moments can be reckoned.
Scenario alone(const std::string& faults, const std::string& clock = "{}") {
  return written(kReckoned + "[[contender]]\nname = \"a\"\nclock = " + clock + "\n[[resource]]\nlatency = \"1ms\"\n" +
                 faults);
}

std::string fault(const std::string& body) { return "[[fault]]\n" + body; }

}  // namespace

class WorldTest : public QObject {
  Q_OBJECT
 private slots:
  void aLoneContenderRenewsAtTheEndOfEachTtl() {
    const auto run = finished(alone(""));
    const Event* granted = find(run->history(), EventKind::kGranted, "a");
    QVERIFY(granted != nullptr);
    QCOMPARE(granted->at(), TrueTime{} + 3ms);  // subscribe there and back, acquire there
    const Event* renewed = find(run->history(), EventKind::kRenewed, "a");
    QVERIFY(renewed != nullptr);
    QCOMPARE(renewed->at(), TrueTime{} + 2ms + 5s + 1ms);  // ttl after the sending, and the way there
    QCOMPARE(run->history().summary.renewals, 5u);
  }
  void theStoreCountsARenewedLeaseFromTheRenewal() {
    const auto run = finished(alone(fault("kind = \"crash\"\nat = \"6s\"\n")));
    const Event* expired = find(run->history(), EventKind::kExpired, "a");
    QVERIFY(expired != nullptr);
    QCOMPARE(expired->at(), TrueTime{} + 5003ms + 7s);
  }
  void aPauseEndsWithTheStepOfTheWorkThenWhatFellDue() {
    const auto run =
        finished(alone(fault("kind = \"pause\"\nat = \"4s\"\nduring = \"compute\"\nduration = \"10s\"\n")));
    const History& history = run->history();
    const Event* ended = find(history, EventKind::kFaultEnded, "a");
    QVERIFY(ended != nullptr);
    const std::size_t from = static_cast<std::size_t>(ended - history.events.data());
    const Event* write = find(history, EventKind::kWriteAccepted, "a", from);
    const Event* disbelieved = find(history, EventKind::kDisbelieved, "a", from);
    const Event* checked = find(history, EventKind::kChecked, "a", from);
    QVERIFY(write != nullptr && disbelieved != nullptr && checked != nullptr);
    QCOMPARE(write->at(), ended->at() + 1ms);  // the compute counts as finished: only the way is left
    QCOMPARE(disbelieved->at(), ended->at());  // the watchdog was due long ago
    QCOMPARE(static_cast<DisbeliefReason>(disbelieved->detail), DisbeliefReason::kWatchdog);
    QVERIFY(checked->at() > ended->at());  // the next cycle comes after it found the lease gone, and anew
  }
  void aPausedContenderIsHandedNothing() {
    const auto run = finished(alone(fault("kind = \"pause\"\nat = \"4s\"\nduration = \"10s\"\n")));
    for (const Event& event : run->history().events) {
      const bool own = event.kind == EventKind::kAttempt || event.kind == EventKind::kChecked ||
                       event.kind == EventKind::kDisbelieved;
      QVERIFY(!own || event.at() <= TrueTime{} + 4s || event.at() >= TrueTime{} + 14s);
    }
  }
  void aCutOffOwnerStepsDownBeforeTheStoreLetsGo() {
    const auto run = finished(alone(fault("kind = \"partition\"\nat = \"6s\"\nduration = \"10s\"\n")));
    const Event* down = find(run->history(), EventKind::kDisbelieved, "a");
    const Event* expired = find(run->history(), EventKind::kExpired, "a");
    QVERIFY(down != nullptr && expired != nullptr);
    // Margin: 1 % of the lease and 2 ms, and the way there, for the lease counts from the sending.
    QCOMPARE(expired->at() - down->at(), Duration(70ms + 2ms + 1ms));
  }
  void aOneWayPartitionLetsRequestsPassAndNoReplies() {
    const auto run =
        finished(alone(fault("kind = \"partition\"\ndirection = \"from_store\"\nat = \"6s\"\nduration = \"10s\"\n")));
    const History& history = run->history();
    QVERIFY(count(history, EventKind::kRenewed) > 3);  // the store renews for one who does not know
    const Event* down = find(history, EventKind::kDisbelieved, "a");
    QVERIFY(down != nullptr);
    QCOMPARE(static_cast<DisbeliefReason>(down->detail), DisbeliefReason::kWatchdog);
  }
  void aCrashedContenderComesBackWithoutMemory() {
    const auto run = finished(
        alone(fault("kind = \"crash\"\nat = \"6s\"\n") + fault("kind = \"restart\"\ntarget = \"a\"\nat = \"8s\"\n")));
    const History& history = run->history();
    const Event* crashed = find(history, EventKind::kCrashed, "a");
    QVERIFY(crashed != nullptr);
    const std::size_t from = static_cast<std::size_t>(crashed - history.events.data());
    for (std::size_t i = from; i < history.events.size() && history.events[i].at() < TrueTime{} + 8s; ++i)
      QVERIFY(history.events[i].kind != EventKind::kAttempt);
    const Event* believed = find(history, EventKind::kBelieved, "a", from);
    QVERIFY(believed != nullptr);
    QCOMPARE(believed->token, 2u);  // the key still bears its id: it finds its own lease, and begins a new term of it
  }
  void aStoppedOwnerReleasesAndAStartedOneComesBack() {
    const auto run = finished(
        alone(fault("kind = \"stop\"\nat = \"6s\"\n") + fault("kind = \"start\"\ntarget = \"a\"\nat = \"8s\"\n")));
    const History& history = run->history();
    const Event* disbelieved = find(history, EventKind::kDisbelieved, "a");
    const Event* released = find(history, EventKind::kReleased, "a");
    QVERIFY(disbelieved != nullptr && released != nullptr);
    QVERIFY(disbelieved->at() < released->at());  // the work is stopped first
    QCOMPARE(history.summary.acquisitions, 2u);
    QCOMPARE(find(history, EventKind::kGranted, "a", static_cast<std::size_t>(released - history.events.data()))->token,
             2u);
  }
  void aPausedOwnerIsStoppedOnlyAfterItsPause() {
    const auto run = finished(
        alone(fault("kind = \"pause\"\nat = \"6s\"\nduration = \"3s\"\n") + fault("kind = \"stop\"\nat = \"7s\"\n")));
    const Event* released = find(run->history(), EventKind::kReleased, "a");
    QVERIFY(released != nullptr);
    QCOMPARE(released->at(), TrueTime{} + 9s + 2ms + 1ms);  // its last write there and back, the release there
  }
  // It was lost without a word.
  void aStepThatIsRefusedIsAnEventAndHasNotFired() {
    const auto run = finished(alone(fault("kind = \"start\"\ntarget = \"a\"\nat = \"2s\"\n")));
    const Event* refused = find(run->history(), EventKind::kRefused, "a");
    QVERIFY(refused != nullptr);
    QCOMPARE(refused->at(), TrueTime{} + 2s);
    QCOMPARE(detail_text(*refused), std::string_view("cannot start"));
    const auto unfired = [](const Scenario& of) {
      World world(of, make_facts(of));
      while (world.step(TrueTime{} + of.length())) {
      }
      return world.unfired();
    };
    const std::vector<std::string> said = unfired(alone(fault("kind = \"start\"\ntarget = \"a\"\nat = \"2s\"\n")));
    QCOMPARE(said.size(), std::size_t{1});  // and the run is told not to be as expected
    QVERIFY2(said.front().find("was refused") != std::string::npos, said.front().c_str());
    QVERIFY(unfired(alone("")).empty());
  }
  void aSteppedWallClockMovesNeitherRenewalNorWatchdog() {
    const auto plain = finished(alone(""));
    const auto stepped = finished(alone(fault("kind = \"clock_step\"\nby = \"-3s\"\nat = \"2s\"\n")));
    QCOMPARE(stepped->history().summary.renewals, plain->history().summary.renewals);
    QCOMPARE(stepped->history().summary.acquisitions, 1u);
  }
  void aSlowSteadyClockRenewsLate() {
    const auto run = finished(alone("", "{ steady_ppm = -100000 }"));
    const Event* renewed = find(run->history(), EventKind::kRenewed, "a");
    QVERIFY(renewed != nullptr);
    QVERIFY(renewed->at() - (TrueTime{} + 2ms + 1ms) >= 5555555555ns);  // 5 s on a clock 10 % too slow
    QVERIFY(renewed->at() - (TrueTime{} + 2ms + 1ms) <= 5555555557ns);
  }
  void lostMessagesEndInTimeOutsAndTheLeaseIsKept() {
    const auto run = finished(written(R"(schema = 1
title = "t"
duration = "600s"
[mutex]
name = "m"
ttl = "2s"
transition = "8s"
[store]
loss = 0.2
[[contender]]
count = 3
)"));
    const Summary& summary = run->history().summary;
    QVERIFY(count(run->history(), EventKind::kAttempt) > 300);
    QVERIFY(summary.renewals > 150);
    QCOMPARE(summary.double_grants, 0u);
    QCOMPARE(summary.belief_overlap.count(), 0);
  }
  void aStopWaitsForARunningCallbackAndKeepsTheLeaseMeanwhile() {
    Scenario of = alone(fault("kind = \"stop\"\nat = \"1s\"\n"));
    of.contenders.front().callback = 12s;
    const auto run = finished(of);
    const Event* released = find(run->history(), EventKind::kReleased, "a");
    QVERIFY(released != nullptr);
    QVERIFY(released->at() >= TrueTime{} + 12s);
    QVERIFY(run->history().summary.renewals >= 2);
  }
  void everyEventNamesACauseThatCameBefore() {
    const auto run = finished(scenario("gc-pause"));
    Sequence sequence = 0;
    std::size_t caused = 0;
    for (const Event& event : run->history().events) {
      ++sequence;
      QVERIFY(event.cause < sequence);
      caused += event.cause != 0;
    }
    QVERIFY(caused > run->history().events.size() / 2);
  }
  void contendersAreDealtToTheMutexesInTurn() {
    const auto run = finished(written(R"(schema = 1
title = "t"
duration = "20s"
[mutex]
name = "m"
count = 2
ttl = "5s"
transition = "2s"
[[contender]]
count = 4
)"));
    QCOMPARE(run->history().summary.acquisitions, 2u);
    QCOMPARE(run->history().summary.double_grants, 0u);
    std::vector<std::string> granted;
    for (const Event& event : run->history().events)
      if (event.kind == EventKind::kGranted) granted.emplace_back(run->history().names.text(event.mutex));
    std::sort(granted.begin(), granted.end());
    QCOMPARE(granted, (std::vector<std::string>{"m-1", "m-2"}));
  }
};

LEASESCOPE_SUITE(WorldTest)
#include "world_test.moc"
