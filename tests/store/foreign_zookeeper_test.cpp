// kazoo's lock by itself, and Curator's as they lie there, on a ZooKeeper in use.
#include <array>

#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/foreigners.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const std::string kNode = "_c_" + kClient + "-";

// Of a path, its last name.
std::string last_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

class ForeignZookeeperTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PrivateServer zookeeper_{zookeeper::store_type()};

 private slots:
  void initTestCase() {
    const auto started = zookeeper_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }

  void kazoosLockIsSeenAndItsReleaseAtOnce() {
    ForeignHolder holder(QStringLiteral("kazoo"), zookeeper_.url(), QStringLiteral("/jobs/nightly"));
    QVERIFY2(holder.said("held"), holder.process.readAllStandardError().constData());
    Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(of.sees_somebody("/jobs/nightly"));
    QCOMPARE(of.system("/jobs/nightly"), std::string("kazoo lock"));
    const Sighting seen = of.lock("/jobs/nightly")->book.last();
    QVERIFY2(seen.owner.find("api-2 (session 0x") == 0, seen.owner.c_str());
    QVERIFY(seen.token != kNoToken);
    QVERIFY(holder.releases());
    QVERIFY(of.sees_lock("/jobs/nightly", "", milliseconds(100)));
  }
  void curatorsMutexItsLatchAndItsReadersAreSeenWithWhoWaits() {
    zookeeper::Asker a(milliseconds(60'000)), b(milliseconds(60'000));
    QVERIFY(a.connect(zookeeper_.url()).has_value() && b.connect(zookeeper_.url()).has_value());
    const auto made = [](zookeeper::Asker& who, const std::string& path, const std::string& data, bool stays) {
      const auto node =
          who.create(path, data, stays ? zookeeper::Session::Kind::kContainer : zookeeper::Session::Kind::kNumbered);
      if (!node) qFatal("%s: %s", path.c_str(), node.error().c_str());
      return *node;
    };
    for (const char* folder : {"/app", "/app/lock", "/app/leader", "/app/docs"}) made(a, folder, "", true);
    const std::string first = made(a, "/app/lock/" + kNode + "lock-", "10.0.0.1", false);
    made(b, "/app/lock/" + kNode + "lock-", "10.0.0.1", false);  // of the same host
    made(a, "/app/leader/" + kNode + "latch-", "api-2", false);
    made(a, "/app/docs/" + kNode + "__READ__", "10.0.0.1", false);
    made(b, "/app/docs/" + kNode + "__READ__", "10.0.0.2", false);
    made(b, "/app/docs/" + kNode + "__WRIT__", "10.0.0.2", false);
    Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(of.sees_lock("/app/leader", "api-2"));
    QVERIFY(of.sees_somebody("/app/lock") && of.sees_somebody("/app/docs"));
    QCOMPARE(of.system("/app/lock"), std::string("Curator mutex"));
    QCOMPARE(of.system("/app/leader"), std::string("Curator leader latch"));
    QCOMPARE(of.system("/app/docs"), std::string("Curator read-write lock"));
    QCOMPARE(*of.lock("/app/lock")->book.last().waiters, 1U);
    QCOMPARE(*of.lock("/app/docs")->book.last().waiters, 1U);
    const std::string readers = of.lock("/app/docs")->book.last().owner;
    QVERIFY2(readers.find("10.0.0.1") != std::string::npos && readers.find("10.0.0.2") != std::string::npos,
             readers.c_str());
    QCOMPARE(of.lock("/app/docs")->book.last().holders.size(), std::size_t{2});
    QVERIFY(!of.lock("/app/lock")->book.last().is_shared());
    // Two clients of one host are told apart by their sessions.
    QVERIFY(a.remove(first).has_value());
    QVERIFY(wait_until([&] { return of.lock("/app/lock")->handoffs.size() == 1; }, milliseconds(100)));
  }
  // As InterProcessSemaphoreV2 lies there: who holds has a node in its folder "leases"; who wants one stands in a
  // mutex, its folder "locks", whose holder makes such a node too and waits there until one of the others goes.
  void curatorsSemaphoreIsOneWithBothItsFolders_data() {
    QTest::addColumn<QString>("asked");
    for (const char* asked : {"", "/pool", "/pool/leases", "/pool/locks"}) QTest::newRow(asked) << asked;
  }
  void curatorsSemaphoreIsOneWithBothItsFolders() {
    QFETCH(const QString, asked);
    using Kind = zookeeper::Session::Kind;
    std::array<zookeeper::Asker, 4> clients{zookeeper::Asker(kLong), zookeeper::Asker(kLong), zookeeper::Asker(kLong),
                                            zookeeper::Asker(kLong)};
    for (zookeeper::Asker& each : clients) QVERIFY(each.connect(zookeeper_.url()).has_value());
    for (const char* folder : {"/pool", "/pool/leases", "/pool/locks"})
      QVERIFY(clients[0].create(folder, "", Kind::kContainer).has_value());
    const auto stands = [&](std::size_t who, const std::string& mark) {
      const std::string line = mark == "lease-" ? "/pool/leases/" : "/pool/locks/";
      const auto node = clients[who].create(line + kNode + mark, fmt::format("10.0.0.{}", who + 1), Kind::kNumbered);
      if (!node) qFatal("%s", node.error().c_str());
      return *node;
    };
    const std::string a = stands(0, "lease-"), b = stands(1, "lease-");
    const std::string third = stands(2, "lock-");
    stands(2, "lease-");
    const std::string fourth = stands(3, "lock-");
    WatchTerms terms = Foreigners::terms(Foreign::kCertain);
    if (!asked.isEmpty()) terms.look.mutexes = {asked.toStdString()};
    const Foreigners of(loop_, zookeeper_.url(), terms);
    QVERIFY(of.is_complete() && of.sees_somebody("/pool"));
    QCOMPARE(of.system("/pool"), std::string("Curator semaphore"));
    QVERIFY2(of.lock("/pool/locks") == nullptr && of.lock("/pool/leases") == nullptr, "its folders are none");
    const auto seen = [&] { return of.lock("/pool")->book.last(); };
    QCOMPARE(seen().held, 2U);
    QCOMPARE(seen().waiters, std::optional<std::uint32_t>(2));
    QCOMPARE(seen().queue, (std::vector<std::string>{last_of(third), last_of(fourth)}));
    QVERIFY2(seen().owner.find("10.0.0.1 (session 0x") == 0 && seen().owner.find("10.0.0.2 (") != std::string::npos,
             seen().owner.c_str());
    QVERIFY2(of.watch.stores()[0]->remarks.empty(), "a path is no latch's name");
    // One goes, so that the third holds and leaves the mutex; the fourth comes first, and makes its node.
    QVERIFY(clients[0].remove(a).has_value() && clients[2].remove(third).has_value());
    const auto has_third = [&] { return seen().held == 2 && seen().owner.find("10.0.0.3 (") != std::string::npos; };
    QVERIFY(wait_until([&] { return has_third() && seen().waiters == 1U; }, milliseconds(200)));
    stands(3, "lease-");
    wait_until([] { return false; }, milliseconds(300));
    QVERIFY(has_third() && seen().waiters == 1U);
    // Whoever gives up leaves both.
    QVERIFY(clients[3].remove(fourth).has_value());
    QVERIFY(wait_until([&] { return seen().waiters == 0U; }, milliseconds(200)));
    QVERIFY(of.lock("/pool/locks") == nullptr);
  }
  // The first who takes one stands in the mutex before there are leases.
  void whatIsMetBeforeItsLeasesIsNoMutexAnyMore() {
    using Kind = zookeeper::Session::Kind;
    zookeeper::Asker a(kLong);
    QVERIFY(a.connect(zookeeper_.url()).has_value());
    for (const char* folder : {"/new", "/new/locks"}) QVERIFY(a.create(folder, "", Kind::kContainer).has_value());
    const auto lock = a.create("/new/locks/" + kNode + "lock-", "10.0.0.1", Kind::kNumbered);
    Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(lock.has_value() && of.sees_somebody("/new/locks"));
    QVERIFY(a.create("/new/leases", "", Kind::kContainer).has_value());
    QVERIFY(a.create("/new/leases/" + kNode + "lease-", "10.0.0.1", Kind::kNumbered).has_value());
    QVERIFY(a.remove(*lock).has_value());
    QVERIFY(of.sees_somebody("/new"));
    QCOMPARE(of.system("/new"), std::string("Curator semaphore"));
    QVERIFY(of.lock("/new/locks")->book.known() == SeenMutex::Known::kNothing);
  }
  // Its node came and went before its folder was listed.
  void thatSomebodyHadItForAMomentIsNotDenied() {
    using Kind = zookeeper::Session::Kind;
    zookeeper::Asker a(kLong);
    QVERIFY(a.connect(zookeeper_.url()).has_value());
    QVERIFY(a.create("/brief", "", Kind::kContainer).has_value());
    const auto hold = [&] { return a.create("/brief/" + kNode + "lock-", "10.0.0.1", Kind::kNumbered); };
    const auto first = hold();
    Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(first.has_value() && of.sees_somebody("/brief"));
    QVERIFY(a.remove(*first).has_value() && of.sees_lock("/brief", ""));
    wait_until([] { return false; }, milliseconds(200));  // its folder is watched by now
    const std::size_t before = of.gaps("/brief (Curator)");
    const auto second = hold();
    QVERIFY(second.has_value() && a.remove(*second).has_value());
    QVERIFY(wait_until([&] { return of.gaps("/brief (Curator)") == before + 1; }, milliseconds(1000)));
    QVERIFY(of.lock("/brief")->book.known() == SeenMutex::Known::kFree);
  }
  // A mutex may have that name, beside something else that is called leases.
  void aMutexThatIsCalledLocksIsOne_data() {
    QTest::addColumn<QString>("beside");
    QTest::newRow("alone") << "";
    QTest::newRow("beside others") << "/rent/leases/contract";
  }
  void aMutexThatIsCalledLocksIsOne() {
    QFETCH(const QString, beside);
    using Kind = zookeeper::Session::Kind;
    zookeeper::Asker a(kLong);
    QVERIFY(a.connect(zookeeper_.url()).has_value());
    for (const char* folder : {"/rent", "/rent/locks"}) QVERIFY(a.create(folder, "", Kind::kContainer).has_value());
    if (!beside.isEmpty())
      for (const std::string& folder : {std::string("/rent/leases"), beside.toStdString()})
        QVERIFY(a.create(folder, "", Kind::kContainer).has_value());
    QVERIFY(a.create("/rent/locks/" + kNode + "lock-", "10.0.0.1", Kind::kNumbered).has_value());
    const Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(of.sees_somebody("/rent/locks"));
    QCOMPARE(of.system("/rent/locks"), std::string("Curator mutex"));
    QVERIFY(of.lock("/rent") == nullptr);
  }
};

LEASESCOPE_SUITE(ForeignZookeeperTest)
#include "foreign_zookeeper_test.moc"
