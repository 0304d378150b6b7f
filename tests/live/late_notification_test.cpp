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

const Settings kShort{"mutex.ttl=1s", "mutex.transition=500ms", "duration=14s"};

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
      QVERIFY2(runs_.add(store, scenario("stale-acquired-event", kShort), store), runs_.error.c_str());
      Settings ours = kShort;
      ours.push_back("contender.*.behaviour=leasescope");
      QVERIFY2(runs_.add("ours " + store, scenario("stale-acquired-event", ours), store), runs_.error.c_str());
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
    QCOMPARE(history.summary.handoffs, std::uint64_t{1});
    QCOMPARE(history.summary.double_grants, std::uint64_t{0});
    QCOMPARE(history.summary.belief_overlap.count(), Duration::rep{0});
  }

  // The default asks the store instead.
  void whoAsksTheStoreIsNotDeposed_data() { each_lease_store_that_tells(); }
  void whoAsksTheStoreIsNotDeposed() {
    const LiveRun& run = runs_.at(std::string("ours ") + QTest::currentDataTag());
    QCOMPARE(run.history().summary.handoffs, std::uint64_t{1});
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
    QCOMPARE(of_late(EventKind::kFaultBegan), 2);
    QCOMPARE(of_late(EventKind::kFaultEnded), 2);
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

  void aStoreThatTellsNobodyAnythingRefusesIt() {
    const auto mysql = parse_store_url("mysql");
    for (const char* name : {"stale-acquired-event", "lost-notification"}) {
      const auto refusal = live_refusal(scenario(name, {}), *mysql);
      QVERIFY(refusal.has_value());
      QVERIFY2(refusal->find("notification cannot be produced") != std::string::npos, refusal->c_str());
      QVERIFY2(refusal->find("virtual, live:redis, live:postgres;") != std::string::npos, refusal->c_str());
    }
  }
};

LEASESCOPE_SUITE(LateNotificationTest)
#include "late_notification_test.moc"
