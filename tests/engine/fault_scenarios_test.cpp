// What the scenarios of contenders, clocks and links rest on: without the fault or the setting the outcome is not
// there, and what no field of the summary can say is in the history.
#include <algorithm>
#include <map>
#include <set>

#include "simulator/run/bare_run.h"
#include "tests/engine/runs.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

Summary summary_of(const Scenario& of) { return finished(of)->history().summary; }

Scenario without_faults(const std::string& name, const std::vector<std::string>& sets = {}) {
  Scenario of = scenario(name, sets);
  for (FaultTable& fault : of.faults) fault.enabled = false;
  return of;
}

bool safe(const Summary& summary) {
  return summary.belief_overlap == Duration::zero() && summary.stale_writes_rejected == 0 &&
         summary.stale_writes_accepted == 0 && summary.double_grants == 0;
}

template <class Check>
void for_seeds(Scenario of, std::uint64_t most, Check check) {
  for (of.seed = 1; of.seed <= seeds(most); ++of.seed) check(of);
}

// The most acquire attempts that ended within so short a time, from `since` on.
std::size_t most_at_once(const History& history, TrueTime since, Duration within) {
  std::vector<TrueTime> moments;
  for (const Event& event : history.events)
    if (event.kind == EventKind::kAttempt && event.at() >= since) moments.push_back(event.at());
  std::size_t most = 0, first = 0;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    while (moments[i] - moments[first] > within) ++first;
    most = std::max(most, i - first + 1);
  }
  return most;
}

TrueTime moment(const History& history, EventKind kind, Token token = kNoToken) {
  for (const Event& event : history.events)
    if (event.kind == kind && (token == kNoToken || event.token == token)) return event.at();
  return TrueTime::max();
}

// What became of the writes with this token to this resource after `since`.
std::map<EventKind, int> writes(const History& history, const std::string& resource, Token token, TrueTime since) {
  std::map<EventKind, int> out;
  for (const Event& event : history.events) {
    const bool is_write = event.kind == EventKind::kWriteAccepted || event.kind == EventKind::kWriteRejected ||
                          event.kind == EventKind::kWriteStaleAccepted;
    if (!is_write || event.at() < since || event.token != token) continue;
    if (history.names.text(Name{static_cast<std::uint32_t>(event.a)}) == resource) ++out[event.kind];
  }
  return out;
}

const std::vector<std::string> kTtls{"mutex.ttl=1s", "mutex.ttl=5s", "mutex.ttl=30s"};

}  // namespace

class FaultScenariosTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutTheirFaultsAllOfThemAreSafe() {
    for (const char* name : {"starved-watchdog", "clock-drift", "lost-replies", "late-packet", "two-resources",
                             "thundering-herd", "owner-id-reuse"})
      for (const std::string& ttl : kTtls)
        for_seeds(without_faults(name, {ttl}), 30, [](const Scenario& of) { QVERIFY(safe(summary_of(of))); });
  }

  void theirIncidentsSayWhatLedToThem() {
    const auto says = [](const char* name, const char* words) {
      const auto run = finished(scenario(name));
      const IncidentList& incidents = run->history().incidents;
      return std::any_of(incidents.begin(), incidents.end(),
                         [&](const Incident& one) { return one.cause.find(words) != std::string::npos; });
    };
    QVERIFY(says("starved-watchdog", "'s timers starved while its work went on, past the end of its lease: "));
    QVERIFY(says("clock-drift", "'s clock did not keep time, and it went on believing #1 after its lease: "));
    QVERIFY(says("late-packet", "A write of c3 with #1 came late; ledger had seen #2, and the fence refused it."));
    QVERIFY(says("owner-id-reuse", "first and c1 hold #1 together: to the store their ids are one."));
  }

  // ---- starved-watchdog
  void aStarvationShorterThanTheLeaseIsHarmless() {
    for (const std::string& ttl : kTtls)
      for_seeds(scenario("starved-watchdog", {ttl, "fault.0.duration=0.9 transition"}), 100,
                [](const Scenario& of) { QVERIFY(safe(summary_of(of))); });
  }

  // The belief of the default overlaps as well; its check compares its clock, and nothing stale is written.
  void aStarvedDefaultWritesNothingStale() {
    for (const std::string& ttl : kTtls)
      for_seeds(scenario("starved-watchdog", {ttl, "contender.0.behaviour=leasescope"}), 100, [](const Scenario& of) {
        const Summary summary = summary_of(of);
        QVERIFY(summary.belief_overlap > Duration::zero());
        QCOMPARE(summary.stale_writes_rejected + summary.stale_writes_accepted, 0u);
        QCOMPARE(summary.double_grants, 0u);
      });
  }

  // ---- clock-drift
  void aDriftWithinTheMarginIsHarmless() {
    for (const std::string& ttl : kTtls)
      for (const char* ppm : {"fault.0.ppm=-10000", "fault.0.ppm=10000", "fault.0.ppm=300000"})
        for_seeds(scenario("clock-drift", {ttl, ppm}), 300, [](const Scenario& of) { QVERIFY(safe(summary_of(of))); });
  }
  // The other clock: no deadline of ours is on it.
  void aWallClockThatDriftsIsHarmless() {
    for (const std::string& ttl : kTtls)
      for_seeds(scenario("clock-drift", {ttl, "fault.0.which=wall"}), 300,
                [](const Scenario& of) { QVERIFY(safe(summary_of(of))); });
  }
  void beingCutOffAloneIsHarmless() {
    Scenario of = scenario("clock-drift");
    of.faults.front().enabled = false;
    for_seeds(of, 300, [](const Scenario& one) { QVERIFY(safe(summary_of(one))); });
  }

  // ---- lost-replies
  void nobodyWorksWhileTheLeaseIsHeldByOneWhoDoesNotKnow() {
    for (const std::string& ttl : kTtls) {
      int again = 0;
      for_seeds(scenario("lost-replies", {ttl}), 200, [&](const Scenario& of) {
        const auto run = finished(of);
        const History& history = run->history();
        const Event* granted = find(history, EventKind::kGranted, "deaf");
        QVERIFY(granted != nullptr && granted->at() < TrueTime{} + 600ms);
        QVERIFY(moment(history, EventKind::kChecked) >= granted->at() + Duration(granted->a));
        QVERIFY(moment(history, EventKind::kBelieved) >= granted->at() + Duration(granted->a));
        QVERIFY(count(history, EventKind::kBelieved) > 0);
        const auto place = static_cast<std::size_t>(granted - history.events.data());
        const Event* second = find(history, EventKind::kGranted, "deaf", place + 1);
        again += second != nullptr && second->token == 2;
      });
      qInfo("%s: granted to the deaf one again in %d of %d seeds", ttl.c_str(), again, static_cast<int>(seeds(200)));
    }
  }
  void whoHearsItsReplyWorksAtOnce() {
    const auto run = finished(without_faults("lost-replies"));
    QVERIFY(moment(run->history(), EventKind::kChecked) < TrueTime{} + 600ms);
  }

  // ---- late-packet
  void aWriteThatIsNotLateArrivesBeforeItsSuccessors() {
    for (const std::string& ttl : kTtls) {
      Scenario of = scenario("late-packet", {ttl});
      of.faults.front().enabled = false;
      for_seeds(of, 100, [](const Scenario& one) {
        const Summary summary = summary_of(one);
        QVERIFY(safe(summary));
        QVERIFY(summary.handoffs >= 1);
      });
    }
  }
  void whatIsWrittenLateUnfencedOverwritesTheSuccessors() {
    const auto run = finished(scenario("late-packet", {"resource.fencing=false"}));
    const TrueTime second = moment(run->history(), EventKind::kGranted, 2);
    QVERIFY(writes(run->history(), "ledger", 1, second)[EventKind::kWriteStaleAccepted] >= 1);
  }

  // ---- two-resources
  void theOneResourceRefusesAndTheOtherAccepts() {
    for (const std::string& ttl : kTtls) {
      int mixed = 0;
      for_seeds(scenario("two-resources", {ttl}), 200, [&](const Scenario& of) {
        const auto run = finished(of);
        const TrueTime second = moment(run->history(), EventKind::kGranted, 2);
        const int refused = writes(run->history(), "ledger", 1, second)[EventKind::kWriteRejected];
        auto archive = writes(run->history(), "archive", 1, second);
        mixed += refused == 1 && archive[EventKind::kWriteAccepted] == 1 && archive[EventKind::kWriteRejected] == 0;
      });
      QVERIFY(mixed >= static_cast<int>(seeds(190)));
    }
  }
  void aTokenThatIsShownToBothBeforeProtectsBoth() {
    for (const std::string& ttl : kTtls)
      for_seeds(scenario("two-resources", {ttl, "resource.1.compute=20ms"}), 200, [&](const Scenario& of) {
        const auto run = finished(of);
        const TrueTime second = moment(run->history(), EventKind::kGranted, 2);
        QCOMPARE(writes(run->history(), "ledger", 1, second)[EventKind::kWriteAccepted], 0);
        QCOMPARE(writes(run->history(), "archive", 1, second)[EventKind::kWriteAccepted], 0);
      });
  }

  // ---- thundering-herd
  void withoutJitterAllComeWithinMilliseconds() {
    for (const std::string& ttl : kTtls)
      for_seeds(scenario("thundering-herd", {ttl}), 50, [](const Scenario& of) {
        const auto run = finished(of);
        const TrueTime crashed = moment(run->history(), EventKind::kCrashed);
        QCOMPARE(most_at_once(run->history(), crashed, 30ms) >= 39, true);
      });
  }
  void jitterSpreadsThem() {
    for (const std::string& ttl : kTtls)
      for_seeds(scenario("thundering-herd", {ttl, "mutex.jitter=[\"-200ms\", \"1s\"]"}), 50, [](const Scenario& of) {
        const auto run = finished(of);
        const TrueTime crashed = moment(run->history(), EventKind::kCrashed);
        QVERIFY(most_at_once(run->history(), crashed, 30ms) < 12);
      });
  }
  // Jitter is for those who wake by the clock. A message wakes them all, and at once.
  void jitterDoesNotSpreadThoseWhoHearOfARelease() {
    Scenario of = scenario("thundering-herd", {"mutex.jitter=[\"-200ms\", \"1s\"]", "fault.0.kind=stop"});
    for_seeds(of, 50, [](const Scenario& one) {
      const auto run = finished(one);
      const TrueTime released = moment(run->history(), EventKind::kReleased);
      QVERIFY(most_at_once(run->history(), released, 30ms) >= 39);
    });
  }

  // ---- late-release
  void aReleaseThatNamesItsTermFreesNoLaterOne() {
    for (const std::string& ttl : kTtls)
      for_seeds(scenario("late-release", {ttl, "contender.*.behaviour=leasescope"}), 100, [](const Scenario& of) {
        const Summary summary = summary_of(of);
        QVERIFY(safe(summary));
        QCOMPARE(summary.handoffs, 0u);
        QCOMPARE(summary.late_releases_refused, 1u);
      });
  }

  // ---- slow-answers
  void aRenewalFromTheSendingIsInTimeOnSlowAnswers() {
    const auto believed = [](const char* behaviour) {
      const auto run = finished(scenario("slow-answers", {std::string("contender.0.behaviour=") + behaviour}));
      int times = 0;
      for (const Event& event : run->history().events) times += event.kind == EventKind::kBelieved;
      return times;
    };
    QCOMPARE(believed("leasescope"), 1);
    QVERIFY(believed("4.x") >= 5);  // at every renewal
  }

  // What it expects is what slow answers do, in a world that does not make them slow as well.
  void whereAnswersAreQuickItIsNotAsExpected() {
    QCOMPARE(finished(scenario("slow-answers"))->outcome().as_expected, std::optional<bool>(true));
    Scenario of = scenario("slow-answers");
    of.faults.clear();
    of.store.latency = scenario("healthy").store.latency;
    QCOMPARE(finished(of)->outcome().as_expected, std::optional<bool>(false));
  }

  // ---- owner-id-reuse
  void bothWriteWithTheSameTokenAndEveryWriteIsAccepted() {
    for (const char* fencing : {"resource.fencing=true", "resource.fencing=false"}) {
      const auto run = finished(scenario("owner-id-reuse", {fencing}));
      const History& history = run->history();
      int changes = 0, accepted = 0;
      Name last;
      for (const Event& event : history.events) {
        QVERIFY(event.kind != EventKind::kWriteRejected && event.kind != EventKind::kWriteStaleAccepted);
        if (event.kind != EventKind::kWriteAccepted) continue;
        QCOMPARE(event.token, 1u);
        changes += !(event.node == last);
        last = event.node;
        ++accepted;
      }
      QVERIFY(changes > 100 && accepted > 200);  // now the one, now the other
    }
  }
  // Each acquire begins a new term, and the other's next guard is refused.
  void twoDefaultsWithOneIdDeposeEachOther() {
    const auto run =
        finished(scenario("owner-id-reuse", {"contender.0.behaviour=leasescope", "contender.1.behaviour=leasescope"}));
    const Summary& summary = run->history().summary;
    QVERIFY(summary.acquisitions >= 4);
    QCOMPARE(summary.fence_regressions, 0u);
    std::set<Token> tokens;
    for (const Event& event : run->history().events)
      if (event.kind == EventKind::kBelieved) QVERIFY2(tokens.insert(event.token).second, "no token is anybody else's");
    QVERIFY(summary.stale_writes_rejected >= 1);
    for (const Incident& incident : run->history().incidents)
      if (incident.kind == IncidentKind::kBeliefOverlap || incident.kind == IncidentKind::kLateRenewal)
        QVERIFY2(incident.cause.find("one id") != std::string::npos, incident.cause.c_str());
  }
  void whoComesBackUnderItsOwnIdWaits() {
    Scenario of = scenario("owner-id-reuse");
    of.faults.front().kind = "crash";
    FaultTable back = of.faults.front();
    back.kind = "restart";
    back.at = *parse_time_expression("1.2 lease + 100ms");
    of.faults.push_back(back);
    for_seeds(of, 100, [](const Scenario& one) { QVERIFY(safe(summary_of(one))); });
  }
};

LEASESCOPE_SUITE(FaultScenariosTest)
#include "fault_scenarios_test.moc"
