#include <QTimer>
#include <set>

#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/live/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

// The latch on a real ZooKeeper: the same contenders, the same faults, the same expectations as in virtual time.
class LiveLatchTest : public QObject {
  Q_OBJECT

  Runs runs_;

 private slots:
  void initTestCase() {
    const std::string ttl = "mutex.ttl=2s";
    QVERIFY2(runs_.add("healthy", scenario("latch-healthy", {ttl, "duration=26s"}), "zookeeper"), runs_.error.c_str());
    QVERIFY2(runs_.add("pause", scenario("latch-gc-pause", {ttl, "duration=18s"}), "zookeeper"), runs_.error.c_str());
    QVERIFY2(
        runs_.add("unfenced", scenario("latch-gc-pause", {ttl, "duration=18s", "resource.fencing=false"}), "zookeeper"),
        runs_.error.c_str());
    QVERIFY2(runs_.add("ignores", scenario("zk-disconnected", {ttl, "duration=20s"}), "zookeeper"),
             runs_.error.c_str());
    QVERIFY2(runs_.add("ends", scenario("latch-stop-and-take-over", {ttl, "duration=12s"}), "zookeeper"),
             runs_.error.c_str());
    QVERIFY2(runs_.add("cut off", scenario("latch-owner-partition", {ttl, "duration=12s"}), "zookeeper"),
             runs_.error.c_str());
    QVERIFY(runs_.play(seconds(45)));
  }

  void theLeadGoesFromOneToTheNext() {
    const LiveRun& run = runs_.at("healthy");
    check_reasons(run);
    QVERIFY(run.outcome().summary.handoffs >= 5);
    QVERIFY(run.history().incidents.empty());
  }

  void aPauseThatOutlivesTheSessionIsFencedOff() {
    const LiveRun& run = runs_.at("pause");
    check_reasons(run);
    QVERIFY(!of_kind(run.history(), EventKind::kExpired).empty());
    const auto ended = of_kind(run.history(), EventKind::kSessionEnded);
    QVERIFY(!ended.empty());
    QCOMPARE(ended.front().detail, static_cast<std::uint8_t>(SessionEnd::kExpired));
  }

  void withoutFencingTheStaleWriteIsAccepted() {
    check_reasons(runs_.at("unfenced"));
    QVERIFY(runs_.at("unfenced").history().summary.stale_writes_accepted >= 1);
  }

  void whoIgnoresDisconnectedLeadsOnBesideTheNext() {
    const LiveRun& run = runs_.at("ignores");
    check_reasons(run);
    QVERIFY(run.history().summary.belief_overlap > milliseconds(300));
  }

  // By its GUID a contender finds its node again when it has not heard that it was made.
  void twoRunsByOneSeedHaveOtherNodesAtAServerThatOthersUse() {
    PrivateServer server(zookeeper::store_type());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    Runs runs;
    for (const char* key : {"one", "another"})
      QVERIFY2(runs.add(key, scenario("latch-owner-partition", {"mutex.name=shared", "duration=3s"}),
                        printable(server.url())) != nullptr,
               runs.error.c_str());
    std::set<std::string> guids;
    QTimer::singleShot(1500, this, [&] {
      zookeeper::Asker asker(milliseconds(5000));
      if (!asker.connect(server.url())) return;
      for (const std::string& node : asker.list("/simba/shared").value_or(std::vector<std::string>()))
        guids.insert(node.substr(0, node.find("-latch-")));
    });
    QVERIFY(runs.play(seconds(30)));
    QCOMPARE(guids.size(), std::size_t{6});
  }

  void bothEndsOfALeadAreThoseOfVirtualTime() {
    const LiveRun& run = runs_.at("ends");
    check_reasons(run);
    QCOMPARE(run.history().summary.handoffs, std::uint64_t{2});
    QCOMPARE(of_kind(run.history(), EventKind::kExpired).size(), std::size_t{1});
  }

  void whoIsCutOffStepsDownBeforeTheNextLeads() {
    const LiveRun& run = runs_.at("cut off");
    check_reasons(run);
    QCOMPARE(run.history().summary.belief_overlap, Duration::zero());
    QVERIFY(run.history().summary.handoffs >= 1);
  }

  void grantsFollowEachOtherAndTokensRise() {
    for (const char* name : {"healthy", "pause", "ignores", "ends", "cut off"}) {
      Token last = kNoToken;
      for (const Event& grant : of_kind(runs_.at(name).history(), EventKind::kGranted)) {
        QVERIFY(grant.lo <= grant.hi);
        QVERIFY(grant.token > last);
        last = grant.token;
      }
      QCOMPARE(runs_.at(name).history().summary.double_grants, std::uint64_t{0});
      QCOMPARE(runs_.at(name).history().summary.fence_regressions, std::uint64_t{0});
    }
  }

  void aSystemThatAStoreDoesNotKeepIsRefused() {
    Runs runs;
    QVERIFY(runs.add("healthy", scenario("healthy", {}), "zookeeper") == nullptr);
    QVERIFY2(runs.error.find("live:redis") != std::string::npos, runs.error.c_str());
    QVERIFY2(runs.error.find("live:zookeeper") == std::string::npos, runs.error.c_str());
    QVERIFY(runs.add("latch", scenario("latch-healthy", {}), "redis") == nullptr);
    QVERIFY2(runs.error.find("virtual, live:zookeeper;") != std::string::npos, runs.error.c_str());
  }
};

LEASESCOPE_SUITE(LiveLatchTest)
#include "live_latch_test.moc"
