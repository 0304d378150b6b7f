#include "core/store/types/types.h"
#include "tests/live/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Leases by compare-and-set on every live store that keeps registers: the same contenders, the same faults, the same
// expectations as in virtual time.
class LiveCasTest : public QObject {
  Q_OBJECT

  Runs runs_;

  static void stores() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types())
      if (type->carries(Family::kRegister)) QTest::newRow(type->name().data()) << true;
  }
  const LiveRun& run(const std::string& name) const { return runs_.at(name + QTest::currentDataTag()); }

 private slots:
  void initTestCase() {
    for (const StoreType* type : store_types()) {
      if (!type->carries(Family::kRegister)) continue;
      const std::string store(type->name());
      const auto add = [&](const std::string& key, const std::string& name, Settings settings) {
        settings.emplace_back("mutex.ttl=1s");
        return runs_.add(key + store, scenario(name, settings), store) != nullptr;
      };
      QVERIFY2(add("healthy", "cas-healthy", {"duration=12s"}), runs_.error.c_str());
      QVERIFY2(add("pause", "cas-gc-pause", {"duration=10s"}), runs_.error.c_str());
      QVERIFY2(add("unfenced", "cas-gc-pause", {"duration=10s", "resource.fencing=false"}), runs_.error.c_str());
      QVERIFY2(add("generals", "generals", {"duration=9s"}), runs_.error.c_str());
      QVERIFY2(add("foreign", "foreign-release", {"duration=10s"}), runs_.error.c_str());
      QVERIFY2(add("storm", "clock-ahead-storm", {"duration=5s"}), runs_.error.c_str());
      QVERIFY2(add("semaphore", "semaphore-healthy", {"duration=12s"}), runs_.error.c_str());
      QVERIFY2(add("read-write", "read-write-healthy", {"duration=12s"}), runs_.error.c_str());
    }
    QVERIFY(runs_.play(seconds(40)));
  }

  void eachHasTheOutcomeOfVirtualTime_data() {
    QTest::addColumn<QString>("key");
    for (const StoreType* type : store_types())
      if (type->carries(Family::kRegister))
        for (const char* key :
             {"healthy", "pause", "unfenced", "generals", "foreign", "storm", "semaphore", "read-write"})
          QTest::newRow((std::string(key) + " on " + std::string(type->name())).c_str())
              << QString::fromStdString(key + std::string(type->name()));
  }
  void eachHasTheOutcomeOfVirtualTime() {
    QFETCH(QString, key);
    check_reasons(runs_.at(key.toStdString()));
  }

  void grantsFollowEachOtherAndTokensRise_data() { stores(); }
  void grantsFollowEachOtherAndTokensRise() {
    for (const char* name : {"healthy", "pause"}) {
      Token last = kNoToken;
      for (const Event& grant : of_kind(run(name).history(), EventKind::kGranted)) {
        QVERIFY(grant.lo <= grant.hi);
        QVERIFY(grant.token > last);
        last = grant.token;
      }
      QVERIFY(last > kNoToken);
    }
  }
  void whoGivesBackIsSeenToReleaseAndReadersShare_data() { stores(); }
  void whoGivesBackIsSeenToReleaseAndReadersShare() {
    QVERIFY(!of_kind(run("healthy").history(), EventKind::kReleased).empty());
    QVERIFY(of_kind(run("healthy").history(), EventKind::kExpired).empty());
    const auto grants = of_kind(run("read-write").history(), EventKind::kGranted);
    QVERIFY(std::any_of(grants.begin(), grants.end(), [](const Event& grant) {
      return grant.detail == static_cast<std::uint8_t>(GrantKind::kShared);
    }));
  }

  void whatNoStoreCanDoIsRefusedSayingWhereItCan() {
    Runs runs;
    QVERIFY(runs.add("bank", scenario("bank-transfer-naive", {}), "redis") == nullptr);
    QVERIFY2(runs.error.find("the bank bank is modelled in virtual time alone") != std::string::npos,
             runs.error.c_str());
    QVERIFY(runs.add("healthy", scenario("cas-healthy", {}), "mysql") == nullptr);
    QVERIFY2(runs.error.find("the system cas is not kept on") != std::string::npos, runs.error.c_str());
    QVERIFY2(runs.error.find("virtual, live:redis, live:postgres;") != std::string::npos, runs.error.c_str());
  }
};

LEASESCOPE_SUITE(LiveCasTest)
#include "live_cas_test.moc"
