// What each kind of fault does, as the contender, the store or the resource sees it; pauses and clocks have a room of
// their own (clock_faults_test.cpp).
#include <algorithm>
#include <set>

#include "simulator/engine/world.h"
#include "simulator/fault/plan.h"
#include "simulator/run/bare_run.h"
#include "tests/engine/faulty.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// The first is granted the mutex, the others wait.
Scenario three(const std::string& faults) {
  return written(
      world(contender("a") + contender("b", "start = \"10ms\"") + contender("c", "start = \"10ms\""), faults));
}

// The owner stops and all start again, every second: many messages.
std::string busy() {
  std::string out;
  for (int second = 1; second < 29; ++second)
    out += fault("stop", fmt::format("{}s", second), "") +
           fault("start", fmt::format("{}ms", second * 1000 + 300), "target = \"all\"");
  return out;
}

std::size_t attempts(const History& history, const std::string& node, AttemptResult result) {
  return static_cast<std::size_t>(std::count_if(history.events.begin(), history.events.end(), [&](const Event& event) {
    return event.kind == EventKind::kAttempt && event.detail == static_cast<std::uint8_t>(result) &&
           history.names.text(event.node) == node;
  }));
}

// What the messages that a node received led from, in the order it received them.
std::vector<Sequence> received(const History& history, const std::string& node) {
  std::vector<Sequence> out;
  for (const Event& event : history.events)
    if (event.kind == EventKind::kNotification && history.names.text(event.node) == node &&
        event.detail == static_cast<std::uint8_t>(NotificationStep::kReceived))
      out.push_back(event.cause);
  return out;
}

std::set<std::string> hit(const std::string& contenders, const std::string& faults) {
  const auto run = finished(written(world(contenders, faults)));
  std::set<std::string> out;
  for (const Event& event : run->history().events)
    if (event.kind == EventKind::kFaultBegan) out.emplace(run->history().names.text(event.node));
  return out;
}

// Everybody contends, nobody owns: enough for a plan that names "all".
class Nobodys final : public Roles {
 public:
  NodeIndex owner() const override { return kNobody; }
  bool contends(NodeIndex) const override { return true; }
  bool store_runs() const override { return true; }
};

}  // namespace

class FaultsTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- shapes of a partition
  void aPartitionHasAShape() {
    std::string five;
    for (const char* name : {"a", "b", "c", "d", "e"}) five += contender(name);
    const auto shaped = [&](const char* shape) {
      return hit(five,
                 fault("partition", "2s", fmt::format("target = \"all\"\nduration = \"2s\"\nshape = \"{}\"", shape)));
    };
    using Names = std::set<std::string>;
    QCOMPARE(shaped("isolate"), (Names{"a", "b", "c", "d", "e"}));
    QCOMPARE(shaped("halves"), (Names{"c", "d", "e"}));  // the store, a and b are the other half
    QCOMPARE(shaped("bridge"), (Names{"d", "e"}));       // c hears both halves
    QCOMPARE(shaped("ring"), (Names{"c"}));              // store and c stand opposite each other
  }
  void aShapeThatHitsNobodyHasNotFired() {
    const Scenario of = alone(fault("partition", "2s", "target = \"all\"\nduration = \"2s\"\nshape = \"ring\""));
    BareRun run(of);
    run.advance(at(30s));
    QCOMPARE(run.world().unfired().size(), std::size_t{1});
  }
  void twoPartitionsAreOverWhenBothAre() {
    const auto run = finished(alone(fault("partition", "4s", "duration = \"3s\"") +
                                    fault("partition", "4500ms", "duration = \"1s\"\ndirection = \"to_store\"")));
    QVERIFY(first(run->history(), EventKind::kRenewed) >= at(7s));
  }

  // ---- links
  void aLinkThatLosesEverythingIsACutOne() {
    const auto run = finished(alone(fault("loss", "4s", "ppm = 1000000\nduration = \"20s\"")));
    QCOMPARE(first(run->history(), EventKind::kDisbelieved), at(2ms + 7s - 72ms));
    QVERIFY(attempts(run->history(), "a", AttemptResult::kUnknown) > 3);
  }
  void aLinkLosesItsShare() {
    const auto run = finished(written(
        "schema = 1\ntitle = \"t\"\nduration = \"2000s\"\n[mutex]\nname = \"m\"\nttl = \"1s\"\ntransition = \"60s\"\n"
        "[[contender]]\nname = \"a\"\n" +
        fault("loss", "1ms", "ppm = 250000\ndirection = \"to_store\"\nduration = \"2000s\"")));
    const double lost = static_cast<double>(attempts(run->history(), "a", AttemptResult::kUnknown));
    const double all = lost + static_cast<double>(attempts(run->history(), "a", AttemptResult::kWon));
    QVERIFY(lost / all > 0.2 && lost / all < 0.3);
    QCOMPARE(run->history().summary.belief_overlap.count(), 0);
  }
  void repliesAreLostBehindTheStore() {
    const auto run =
        finished(alone(fault("loss", "4s", "ppm = 1000000\ndirection = \"from_store\"\nduration = \"3s\"")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(5003ms));
    QCOMPARE(attempts(run->history(), "a", AttemptResult::kUnknown) > 0, true);
  }
  void twoLossesActOneAfterTheOther() {
    // Each loses half: together three quarters, not everything.
    const auto run = finished(written(
        "schema = 1\ntitle = \"t\"\nduration = \"2000s\"\n[mutex]\nname = \"m\"\nttl = \"1s\"\ntransition = \"60s\"\n"
        "[[contender]]\nname = \"a\"\n" +
        fault("loss", "1ms", "ppm = 500000\ndirection = \"to_store\"\nduration = \"2000s\"") +
        fault("loss", "2ms", "ppm = 500000\ndirection = \"to_store\"\nduration = \"2000s\"")));
    const double lost = static_cast<double>(attempts(run->history(), "a", AttemptResult::kUnknown));
    const double all = lost + static_cast<double>(attempts(run->history(), "a", AttemptResult::kWon));
    QVERIFY(lost / all > 0.7 && lost / all < 0.8);
  }
  void aDelayIsAddedToTheWay() {
    const auto there =
        finished(alone(fault("delay", "4s", "by = \"50ms\"\ndirection = \"to_store\"\nduration = \"3s\"")));
    QCOMPARE(first(there->history(), EventKind::kRenewed), at(5003ms + 50ms));
    const auto back =
        finished(alone(fault("delay", "4s", "by = \"50ms\"\ndirection = \"from_store\"\nduration = \"3s\"")));
    QCOMPARE(first(back->history(), EventKind::kRenewed), at(5003ms));
    QCOMPARE(first(back->history(), EventKind::kAttempt, "a", 1s), at(5004ms + 50ms));
  }
  void twoDelaysAddUp() {
    const auto run = finished(alone(fault("delay", "4s", "by = \"50ms\"\nduration = \"3s\"") +
                                    fault("delay", "4s", "by = \"7ms\"\nduration = \"500ms\"") +
                                    fault("delay", "4500ms", "by = \"200ms\"\nduration = \"3s\"")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(5003ms + 250ms));
  }
  void jitterStaysBelowItsBoundAndKeepsTheOrder() {
    const auto run =
        finished(three(busy() + fault("jitter", "500ms", "target = \"all\"\nby = \"300ms\"\nduration = \"29s\"")));
    std::size_t messages = 0;
    for (const char* name : {"a", "b", "c"}) {
      const std::vector<Sequence> order = received(run->history(), name);
      messages += order.size();
      QVERIFY(std::is_sorted(order.begin(), order.end()));
    }
    QVERIFY(messages > 60);
    for (const Event& event : run->history().events) {
      if (event.kind != EventKind::kNotification || event.detail != 1 || event.cause == 0) continue;
      const Duration way = event.at() - run->history().events[event.cause - 1].at();
      QVERIFY(way >= 1ms && way < 301ms + 300ms);  // one before it may hold it up
    }
  }
  void whatIsReorderedLetsOthersPass() {
    const auto run = finished(three(
        busy() + fault("reorder", "500ms", "target = \"all\"\nppm = 500000\nby = \"300ms\"\nduration = \"29s\"")));
    bool sorted = true;
    for (const char* name : {"a", "b", "c"}) {
      const std::vector<Sequence> order = received(run->history(), name);
      sorted = sorted && std::is_sorted(order.begin(), order.end());
    }
    QVERIFY(!sorted);
  }
  void aDuplicatedRequestIsServedTwiceAndAnsweredOnce() {
    const auto run =
        finished(alone(fault("duplicate", "4s", "ppm = 1000000\ndirection = \"to_store\"\nduration = \"2s\"")));
    const Summary& summary = run->history().summary;
    QCOMPARE(summary.renewals, 5u + 1u);
    QCOMPARE(attempts(run->history(), "a", AttemptResult::kWon), std::size_t{6});
    QCOMPARE(attempts(run->history(), "a", AttemptResult::kUnknown), std::size_t{0});
  }
  void whatIsCloggedArrivesAtTheEnd() {
    const auto run = finished(alone(fault("clog", "4900ms", "direction = \"to_store\"\nduration = \"300ms\"")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(5200ms));
  }
  void twoClogsAreOverWhenBothAre() {
    const auto run = finished(alone(fault("clog", "4900ms", "duration = \"300ms\"") +
                                    fault("clog", "5s", "direction = \"to_store\"\nduration = \"500ms\"")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(5500ms));
  }
  void aClogKeepsTheOrder() {
    const auto run =
        finished(three(busy() + fault("clog", "1500ms", "target = \"all\"\nduration = \"3s\"") +
                       fault("clog", "8s", "target = \"all\"\ndirection = \"from_store\"\nduration = \"4s\"")));
    for (const char* name : {"a", "b", "c"}) {
      const std::vector<Sequence> order = received(run->history(), name);
      QVERIFY(!order.empty());
      QVERIFY(std::is_sorted(order.begin(), order.end()));
    }
    QCOMPARE(run->history().summary.belief_overlap.count(), 0);
  }
  void aSwizzleClogsHalfOfThemInAnOrderAndFreesThemInAnother() {
    const Scenario of =
        written(world("[[contender]]\ncount = 40\n", fault("swizzle", "2s", "target = \"all\"\nduration = \"10s\"")));
    FaultPlan plan(of);
    const std::vector<Firing> firings = plan.due(at(2s), Nobodys());
    QCOMPARE(firings.size(), std::size_t{20});
    std::vector<std::pair<Duration, Duration>> moments;
    for (const Firing& firing : firings) {
      const Duration clogged = firing.kind->period(firing.call(40, 0));
      const Duration freed = clogged + firing.kind->period(firing.call(40, 1));
      QVERIFY(clogged < 5s && freed >= 5s && freed < 10s);
      moments.emplace_back(clogged, freed);
    }
    std::sort(moments.begin(), moments.end());
    QVERIFY(!std::is_sorted(moments.begin(), moments.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; }));
  }
  void aSwizzledLinkIsCloggedBetweenItsMoments() {
    int waited = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      Scenario of = alone(fault("swizzle", "4s", "target = \"all\"\nduration = \"3s\""));
      of.seed = seed;
      const Firing firing = FaultPlan(of).due(at(4s), Nobodys()).front();
      const TrueTime clogged = at(4s) + firing.kind->period(firing.call(1, 0));
      const TrueTime freed = clogged + firing.kind->period(firing.call(1, 1));
      const bool waits = clogged < at(5002ms) && freed > at(5003ms);
      waited += waits;
      QCOMPARE(first(finished(of)->history(), EventKind::kRenewed), waits ? freed : at(5003ms));
    }
    QVERIFY(waited > 5 && waited < 45);
  }
  void aHalfOpenConnectionEndsAtTheFirstTimeOut() {
    const auto run = finished(alone(fault("half_open", "4900ms", "duration = \"20s\"")));
    QCOMPARE(attempts(run->history(), "a", AttemptResult::kUnknown), std::size_t{1});
    QCOMPARE(first(run->history(), EventKind::kAttempt, "a", 1s), at(6002ms));
    QVERIFY(first(run->history(), EventKind::kRenewed) < at(6500ms));
    QCOMPARE(run->history().summary.acquisitions, 1u);
  }
  void aMessageThatADeafContenderMissesStillTakesTheDrawsOfItsTroubles() {
    // It is paused, so that only what is drawn can differ.
    const std::string paused = fault("pause", "900ms", "target = \"c\"\nduration = \"25s\"") +
                               fault("loss", "1s", "target = \"c\"\nduration = \"25s\"\nppm = 300000");
    const auto drawn = [&](const std::string& more) {
      const Scenario of = three(busy() + paused + more);
      World world(of, make_facts(of));
      while (world.step(at(24s))) {
      }
      std::vector<RandomStream> out;
      world.visit_streams([&](Name whose, std::uint64_t, const RandomStream& stream) {
        if (world.names().text(whose) == "c") out.push_back(stream);
      });
      return out;
    };
    const std::vector<RandomStream> heard = drawn("");
    for (const std::string kind : {"lost_notification", "half_open"}) {
      const std::vector<RandomStream> deaf = drawn(fault(kind, "5500ms", "target = \"c\"\nduration = \"8s\""));
      QCOMPARE(deaf.size(), heard.size());
      for (std::size_t i = 0; i < heard.size(); ++i) QCOMPARE(deaf[i], heard[i]);
    }
  }
  void aHalfOpenConnectionOfMessagesIsDeafUntilItIsClosed() {
    const auto run = finished(three(busy() + fault("half_open", "5500ms", "target = \"c\"\nduration = \"5s\"")));
    const History& history = run->history();
    for (const Event& event : history.events)
      if (event.kind == EventKind::kNotification && event.detail == 1 && history.names.text(event.node) == "c")
        QVERIFY(event.at() <= at(5502ms) || event.at() >= at(10500ms));
    QVERIFY(received(history, "c").size() > 10);
  }
  void aNewProcessHasNewConnections() {
    const auto run = finished(three(fault("half_open", "2s", "target = \"c\"\nduration = \"20s\"") +
                                    fault("crash", "3s", "target = \"c\"") + fault("restart", "4s", "target = \"c\"") +
                                    fault("stop", "6s", "")));
    QVERIFY(received(run->history(), "c").size() > 0);
    QCOMPARE(attempts(run->history(), "c", AttemptResult::kUnknown), std::size_t{0});
  }
  void aLateNotificationIsLateAndItsRepliesAreNot() {
    const auto run =
        finished(three(fault("stop", "6s", "") +
                       fault("late_notification", "5s", "target = \"waiters\"\nby = \"700ms\"\nduration = \"5s\"")));
    const History& history = run->history();
    const TrueTime released = first(history, EventKind::kReleased);
    for (const char* name : {"b", "c"})
      for (const Event& event : history.events)
        if (event.kind == EventKind::kNotification && event.detail == 1 && history.names.text(event.node) == name &&
            event.at() > at(5s))
          QVERIFY(event.at() >= released + 701ms);
    QCOMPARE(attempts(history, "b", AttemptResult::kUnknown), std::size_t{0});
    QCOMPARE(std::min(first(history, EventKind::kBelieved, "b"), first(history, EventKind::kBelieved, "c")),
             released + 701ms + 2ms);
  }
  void aLostMessageIsToldOfInTheHistory() {
    const auto run =
        finished(three(busy() + fault("loss", "500ms", "target = \"c\"\nppm = 1000000\nduration = \"29s\"")));
    std::size_t lost = 0;
    for (const Event& event : run->history().events)
      lost += event.kind == EventKind::kNotification && run->history().names.text(event.node) == "c" &&
              event.detail == static_cast<std::uint8_t>(NotificationStep::kLost);
    QVERIFY(lost > 20);
  }

  // ---- the resource, and whose id it is
  void aLatePacketReachesTheResourceLate() {
    for (const char* target : {"owner", "resource"}) {
      const auto run = finished(alone(
          fault("late_packet", "2s", fmt::format("target = \"{}\"\nby = \"3047ms\"\nduration = \"1s\"", target))));
      std::set<TrueTime> checks;
      std::size_t late = 0, all = 0;
      for (const Event& event : run->history().events) {
        if (event.kind == EventKind::kChecked) checks.insert(event.at());
        if (event.kind != EventKind::kWriteAccepted) continue;
        ++all;
        const bool is_late = checks.count(event.at() - 3068ms) > 0;  // the way and the compute
        late += is_late;
        QVERIFY(is_late || checks.count(event.at() - 21ms) > 0);
      }
      QCOMPARE(late, std::size_t{1});  // it waits for the answer until the resource's time-out
      QVERIFY(all > 200);
    }
  }
  void oneIdInTwoProcessesIsOneContenderToTheStore() {
    Scenario of = three(fault("restart_as", "2s", "target = \"c\"\nas = \"a\""));
    for (ContenderTable& table : of.contenders) table.behaviour = Behaviour::k4x;
    const auto run = finished(of);
    const History& history = run->history();
    QCOMPARE(first(history, EventKind::kCrashed, "c"), at(2s));
    QCOMPARE(first(history, EventKind::kBelieved, "c"), at(2004ms));
    QCOMPARE(find(history, EventKind::kBelieved, "c")->token, 1u);
    QVERIFY(history.summary.belief_overlap > 27s);
    QVERIFY(history.summary.renewals >= 9);  // both renew it
    QCOMPARE(history.summary.double_grants, 0u);
  }
  void whoComesBackUnderItsOwnNameIsItselfAgain() {
    const auto run = finished(three(fault("restart_as", "2s", "target = \"c\"\nas = \"a\"") +
                                    fault("crash", "5s", "target = \"c\"") + fault("restart", "6s", "target = \"c\"")));
    QCOMPARE(first(run->history(), EventKind::kDisbelieved, "c"), at(5s));
    QCOMPARE(first(run->history(), EventKind::kBelieved, "c", 5s), TrueTime::max());
  }

  void aCrashIsNotLostBetweenARestartAndItsStart() {
    const auto hit = [](const char* kind, const char* when) { return fault(kind, when, "target = \"a\""); };
    const auto run = finished(alone(fault("pause", "2s", "target = \"a\"\nduration = \"8s\"") + hit("crash", "3s") +
                                    hit("restart", "4s") + hit("crash", "5s")));
    QCOMPARE(count_of(run->history(), EventKind::kCrashed, "a"), std::size_t{2});
    QCOMPARE(first(run->history(), EventKind::kStarted, "a", 3s), TrueTime::max());
    const auto back = finished(alone(fault("pause", "2s", "target = \"a\"\nduration = \"8s\"") + hit("crash", "3s") +
                                     hit("restart", "4s") + hit("crash", "5s") + hit("restart", "6s")));
    QCOMPARE(first(back->history(), EventKind::kStarted, "a", 3s), at(10s));
    QCOMPARE(count_of(back->history(), EventKind::kStarted, "a"), std::size_t{2});
  }

  // ---- whom a fault hits
  void waitersAreThoseOfTheFirstMutex() {
    const auto run = finished(written(R"(schema = 1
title = "t"
duration = "10s"
[mutex]
name = "m"
count = 2
ttl = "5s"
transition = "2s"
[[contender]]
count = 6
[[fault]]
kind = "pause"
at = "3s"
target = "waiters"
duration = "1s"
)"));
    std::size_t paused = 0;
    for (const Event& event : run->history().events) {
      if (event.kind != EventKind::kFaultBegan) continue;
      ++paused;
      QCOMPARE(std::string(run->history().names.text(event.mutex)), std::string("m-1"));
    }
    QCOMPARE(paused, std::size_t{2});
  }
  void aPauseHappensLiveTooAlsoWithClocksThatStand() {
    const std::string pause = "duration = \"1s\"\n";
    QVERIFY(!alone(fault("pause", "2s", pause)).not_live());
    QVERIFY(!alone(fault("pause", "2s", pause + "clock = \"stands\"")).not_live());
  }
  void timesThatCannotBeNegativeAreRefused() {
    const auto wrong =
        read_scenario(world(contender("a"), fault("delay", "1s", "by = \"-1s\"\nduration = \"1s\"")), "t.toml");
    QVERIFY(!wrong);
    QVERIFY(wrong.error().text().find("expected 0s or more") != std::string::npos);
  }
  void onlyWritesHaveTheResourceAsTheirTarget() {
    const auto wrong = read_scenario(
        world(contender("a"), fault("pause", "1s", "target = \"resource\"\nduration = \"1s\"")), "t.toml");
    QVERIFY(!wrong);
    QVERIFY(wrong.error().text().find("expected owner, next, waiters, all") != std::string::npos);
  }
};

LEASESCOPE_SUITE(FaultsTest)
#include "faults_test.moc"
