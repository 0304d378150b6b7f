#include "simulator/live/live_refusal.h"
#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// The first dies, then the second, of whose grant the third hears only when it holds itself. Both of them have long
// been listening by then: who begins at the same moment as the first may come too late for its message.
constexpr const char* kStale = R"(
schema = 1
title = "A stale message"
duration = "8s"
[mutex]
name = "orders"
ttl = "1s"
transition = "500ms"
jitter = ["0ms", "100ms"]
[[contender]]
name = "first"
behaviour = "4.x"
[[contender]]
name = "next"
behaviour = "4.x"
start = "300ms"
count = 2
[[fault]]
at = "1200ms"
kind = "crash"
target = "owner"
[[fault]]
at = "2s"
kind = "late_notification"
target = "all"
by = "3s"
duration = "1500ms"
[[fault]]
at = "3200ms"
kind = "crash"
target = "owner"
)";

// Who waits in a ZooKeeper's line hears 700 ms late that the node before it is gone; what it asks is answered at once.
constexpr const char* kLateWatch = R"(
schema = 1
title = "A watch that fires late"
duration = "6s"
[mutex]
system = "latch"
name = "scheduler"
ttl = "5s"
[[contender]]
name = "first"
[[contender]]
name = "second"
start = "500ms"
[[fault]]
at = "1s"
kind = "late_notification"
target = "second"
by = "700ms"
duration = "4s"
[[fault]]
at = "2s"
kind = "stop"
target = "first"
[expect]
handoffs = 1
double_grants = 0
)";

int stepped_down(const History& history) {
  return static_cast<int>(
      std::count_if(history.incidents.begin(), history.incidents.end(),
                    [](const Incident& incident) { return incident.kind == IncidentKind::kSteppedDown; }));
}

}  // namespace

// Messages come late, and answers do not: on the messages' line of a store of leases, among the answers of a ZooKeeper.
class LateNotificationTest : public QObject {
  Q_OBJECT

  Runs runs_;

 private slots:
  void initTestCase() {
    for (const StoreType* type : lease_stores()) {
      if (!type->tells) continue;
      const std::string store(type->name());
      const auto stale = read_scenario(kStale, "stale"),
                 ours = read_scenario(kStale, "stale", {"contender.*.behaviour=leasescope"});
      QVERIFY2(stale.has_value() && ours.has_value(), stale ? "" : stale.error().text().c_str());
      QVERIFY2(runs_.add(store, *stale, store), runs_.error.c_str());
      QVERIFY2(runs_.add("ours " + store, *ours, store), runs_.error.c_str());
    }
    const auto late_watch = read_scenario(kLateWatch, "late watch");
    QVERIFY2(late_watch.has_value(), late_watch ? "" : late_watch.error().text().c_str());
    QVERIFY2(runs_.add("watch", *late_watch, "zookeeper"), runs_.error.c_str());
    QVERIFY(runs_.play(seconds(40)));
  }

  void aStaleMessageDeposesTheTrueOwner_data() { each_lease_store_that_tells(); }
  void aStaleMessageDeposesTheTrueOwner() {
    const History& history = runs_.at(QTest::currentDataTag()).history();
    QCOMPARE(stepped_down(history), 1);
    QCOMPARE(history.summary.handoffs, std::uint64_t{2});
    QCOMPARE(history.summary.double_grants, std::uint64_t{0});
    QCOMPARE(history.summary.belief_overlap.count(), Duration::rep{0});
  }

  // The default asks the store instead.
  void whoAsksTheStoreIsNotDeposed_data() { each_lease_store_that_tells(); }
  void whoAsksTheStoreIsNotDeposed() {
    const LiveRun& run = runs_.at(std::string("ours ") + QTest::currentDataTag());
    QCOMPARE(run.history().summary.handoffs, std::uint64_t{2});
    QCOMPARE(stepped_down(run.history()), 0);
  }

  void theFaultIsInTheHistoryFromItsBeginningToItsEnd_data() { each_lease_store_that_tells(); }
  void theFaultIsInTheHistoryFromItsBeginningToItsEnd() {
    const History& history = runs_.at(QTest::currentDataTag()).history();
    const auto late = static_cast<std::uint8_t>(index_of(*find_fault_kind("late_notification")));
    const auto of_late = [&](EventKind kind) {
      const auto all = of_kind(history, kind);
      return std::count_if(all.begin(), all.end(), [&](const Event& event) { return event.detail == late; });
    };
    QVERIFY(of_late(EventKind::kFaultBegan) >= 2);  // of those who live
    QCOMPARE(of_late(EventKind::kFaultEnded), of_late(EventKind::kFaultBegan));
  }

  void aWatchOfZookeeperFiresLateWhileItsSessionLivesOn() {
    const LiveRun& run = runs_.at("watch");
    check_reasons(run);
    TrueTime given_back{}, granted{};
    for (const Event& event : run.history().events) {
      if (event.kind == EventKind::kReleased) given_back = event.hi;
      if (event.kind == EventKind::kGranted) granted = event.hi;
      QVERIFY(event.kind != EventKind::kSessionEnded ||
              event.detail != static_cast<std::uint8_t>(SessionEnd::kExpired));
    }
    QVERIFY2(granted - given_back >= milliseconds(650), std::to_string((granted - given_back).count()).c_str());
    QVERIFY(granted - given_back < milliseconds(1700));
  }

  // To lose them is done there by itself.
  void aStoreThatTellsNobodyAnythingRefusesIt() {
    const auto mysql = parse_store_url("mysql");
    const auto refusal = live_refusal(scenario("stale-acquired-event", {}), *mysql);
    QVERIFY(refusal.has_value());
    QVERIFY2(refusal->find("the fault late_notification cannot be produced") != std::string::npos, refusal->c_str());
    QVERIFY2(refusal->find("virtual, live:redis, live:postgres;") != std::string::npos, refusal->c_str());
    QVERIFY(!live_refusal(scenario("lost-notification", {}), *mysql).has_value());
  }
};

LEASESCOPE_SUITE(LateNotificationTest)
#include "late_notification_test.moc"
