// What the scenarios of the fenced lock rest on: otherwise set, they come out otherwise.
#include <fmt/format.h>

#include "core/check/check.h"
#include "core/check/run_calls.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

Summary summary_of(const std::string& name, const std::vector<std::string>& sets) {
  return finished(scenario(name, sets))->history().summary;
}

}  // namespace

class FencedScenariosTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutALockDelayTheLateWriteIsStale() {
    QCOMPARE(summary_of("lock-delay", {}).stale_writes_rejected, 0u);
    QCOMPARE(summary_of("lock-delay", {"store.cp.lock_delay=0s"}).stale_writes_rejected, 1u);
    QCOMPARE(summary_of("lock-delay", {"store.cp.lock_delay=0s", "resource.fencing=false"}).stale_writes_accepted, 1u);
  }
  void askedAgainUnderItsUidALockIsEnteredOnceAndFreed() {
    QCOMPARE(summary_of("retry-double-acquire", {}).handoffs, 0u);
    QVERIFY(summary_of("retry-double-acquire", {"fenced.indeterminate=retry"}).handoffs >= 2);
    QCOMPARE(summary_of("retry-double-acquire", {"fenced.indeterminate=retry", "fenced.memo=false"}).handoffs, 0u);
  }
  void aShorterRetryHearsSoonerWhatItsLostAnswerSaid() {
    const auto believes = [](const char* retry) {
      const Scenario of = written(fmt::format(R"(schema = 1
title = "t"
duration = "20s"
[mutex]
name = "orders"
system = "fenced"
ttl = "5s"
[fenced]
retry = "{}"
[store]
model = "cp"
latency = "1ms"
timeout = "200ms"
[[contender]]
name = "a"
start = "1s"
[[fault]]
at = "1s"
kind = "partition"
target = "a"
direction = "from_store"
duration = "100ms"
)",
                                              retry));
      return first(finished(of)->history(), EventKind::kBelieved, "a");
    };
    QVERIFY(believes("1ms") > at(1200ms) && believes("1ms") < at(1210ms));
    QCOMPARE(believes("500ms") - believes("1ms"), Duration(499ms));
  }
  void whoIsToldByAHeartbeatBelievesForLessLong() {
    const Duration by_call = summary_of("fenced-gc-pause", {"contender.0.asks=3s"}).belief_overlap;
    const Duration by_heartbeat =
        summary_of("fenced-gc-pause", {"contender.0.asks=3s", "fenced.told=heartbeat"}).belief_overlap;
    QVERIFY(by_heartbeat < by_call);
  }
  void aHeartbeatThatComesFirstSavesItsSessionFromAClockThatJumped() {
    QVERIFY(summary_of("leader-clock-jump", {}).handoffs >= 1);
    QCOMPARE(summary_of("leader-clock-jump", {"store.cp.check=1s"}).handoffs, 0u);
  }
  void whoAsksForItsOwnFenceIsToldThatItsLockIsLost() {
    const auto shared = [](const Summary& of) {
      return of.incidents[static_cast<std::size_t>(IncidentKind::kSharedToken)];
    };
    QVERIFY(shared(summary_of("borrowed-token", {})) >= 1);
    QCOMPARE(shared(summary_of("borrowed-token", {"fenced.fence=own"})), std::size_t{0});
  }
  // The published ones, with sessions that end while their holders live: without a fence a lock is only held by whom it
  // was granted to, with one in order.
  void theFourPublishedModelsHoldThoughSessionsExpire() {
    using check::ModelKind;
    for (const int times : {1, 2}) {
      const auto entries = static_cast<std::uint32_t>(times);
      std::vector<check::Model> models{{ModelKind::kReentrant, entries}, {ModelKind::kReentrantFenced, entries}};
      if (times == 1) models.insert(models.end(), {{ModelKind::kOwnerAware}, {ModelKind::kFenced}});
      for (const char* name : {"fenced-gc-pause", "leader-clock-jump", "lock-delay"}) {
        std::size_t expired = 0;
        Scenario of = scenario(name, {"contender.*.times=" + std::to_string(times)});
        for (of.seed = 1; of.seed <= 100; ++of.seed) {
          const auto run = finished(of);
          expired += count(run->history(), EventKind::kExpired);
          check::RunCalls calls(false);
          for (Sequence number = 1; number <= run->history().events.size(); ++number) calls.add(run->history(), number);
          for (const check::Model& model : models)
            for (const check::LockVerdict& lock : check::judge(model, calls.calls(), [] { return false; }).locks)
              QVERIFY2(lock.verdict == check::Verdict::kOk,
                       qPrintable(QString("%1, seed %2: %3")
                                      .arg(name)
                                      .arg(of.seed)
                                      .arg(QString::fromStdString(std::string(check::text(model.kind))))));
        }
        QVERIFY(expired >= 100);
      }
    }
  }
  void aSessionThatIsClosedByForceFreesWhatNobodyWouldEverUnlock() {
    Scenario of = scenario("immortal-watchdog");
    QCOMPARE(finished(of)->history().summary.handoffs, 0u);
    FaultTable close;
    close.kind = "session_close";
    close.target = "owner";
    close.at = *parse_time_expression("20s");
    of.faults.push_back(close);
    const auto run = finished(of);
    QVERIFY(run->history().summary.handoffs > 2);
    const auto& events = run->history().events;
    const auto taken_over = std::find_if(events.begin(), events.end(), [](const Event& event) {
      return event.kind == EventKind::kGranted && event.at() >= at(20s);
    });
    QVERIFY(taken_over != events.end() && taken_over->at() < at(20100ms));
  }
  // Each heartbeat is another request: however many go unanswered, that of whoever waits is not forgotten for them.
  void aWaiterThatIsCutOffForLessThanItsSessionIsToldOfItsLock() {
    const Scenario of = written(R"(schema = 1
title = "t"
duration = "60s"
[mutex]
name = "orders"
system = "fenced"
ttl = "1s"
[store]
model = "cp"
[[contender]]
name = "a"
hold = "6s"
rest = "1s"
[[contender]]
name = "b"
start = "500ms"
hold = "2s"
rest = "1s"
[[fault]]
at = "2s"
kind = "partition"
target = "b"
direction = "both"
duration = "500ms"
)");
    const auto run = finished(of);
    const History& history = run->history();
    QVERIFY(first(history, EventKind::kGranted, "b") > at(5s));
    QVERIFY(first(history, EventKind::kBelieved, "b") < first(history, EventKind::kGranted, "b") + 1s);
    QCOMPARE(history.summary.incidents[static_cast<std::size_t>(IncidentKind::kUnknownOwner)], 0u);
  }
  // Who waits is served in the order in which its request was committed, whatever the network does.
  void theQueueIsServedInItsOrder() {
    const auto run = finished(scenario("fenced-healthy", {"contender.0.count=12", "store.loss=0.05"}));
    const History& history = run->history();
    std::vector<Name> queue;
    std::size_t served = 0;
    for (const Event& event : history.events) {
      if (event.kind == EventKind::kQueued) queue.push_back(event.node);
      if (event.kind != EventKind::kGranted || queue.empty()) continue;
      QCOMPARE(event.node, queue.front());
      queue.erase(queue.begin());
      ++served;
    }
    QVERIFY(served > 20);
  }
};

LEASESCOPE_SUITE(FencedScenariosTest)
#include "fenced_scenarios_test.moc"
