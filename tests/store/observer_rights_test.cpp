// Whoever watches only reads: rights to read suffice, and nothing else arrives at the server.
#include <QRegularExpression>
#include <set>

#include "core/store/mysql/asker.h"
#include "core/store/postgres/asker.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/mysql_kinds.h"
#include "tests/store/node_keeper.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kRelease = RequestKind::kRelease;

// The commands that the server has carried out since its counts were set back.
std::set<std::string> received(redis::Asker& server) {
  std::set<std::string> out;
  const QString text = QString::fromStdString(told(server, {"INFO", "commandstats"}).text);
  static const QRegularExpression line(QStringLiteral("cmdstat_([^:]+):"));
  for (auto match = line.globalMatch(text); match.hasNext();) out.insert(match.next().captured(1).toStdString());
  return out;
}

// The locks of other makers with ours, also those that are likely one.
WatchTerms everything() {
  WatchTerms out;
  out.look.foreign = Foreign::kLikely;
  out.look.sweep = milliseconds(400);
  return out;
}

// A place of its own on a ZooKeeper, with a latch of ours that "a" leads before "b", and a lock of Curator's that is
// held from 10.0.0.1 before 10.0.0.2.
struct Furnished {
  StoreUrl url;
  NodeKeeper keeper;
  std::string place;
  std::string leads, holds;  // the nodes of these

  Furnished(const StoreUrl& server, const std::string& name, Readers readers)
      : url(server), keeper(server), place("/" + name) {
    url.database = name;
    if (readers == Readers::kWatcher) {
      url.user = "watcher";
      url.password = "look";
    }
    for (const char* folder : {"", "/simba", "/simba/orders", "/app", "/app/lock"})
      keeper.folder(place + folder, readers);
    leads = keeper.in_line(place + kLatch, "a", readers);
    keeper.in_line(place + kLatch, "b", readers);
    holds = keeper.in_line(place + kLock, "10.0.0.1", readers);
    keeper.in_line(place + kLock, "10.0.0.2", readers);
  }

  static constexpr const char* kLatch = "/simba/orders/_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-latch-";
  static constexpr const char* kLock = "/app/lock/_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-lock-";
};

bool holds_from(const Watching& watch, const std::string& host, milliseconds within = milliseconds(3000)) {
  return wait_until([&] { return watch.owner("/app/lock").find(host + " (session 0x") == 0; }, within);
}

bool is_told(const Watching& watch, const std::string& remark) {
  const std::vector<std::string>& all = watch.watch.stores()[0]->remarks;
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& each) { return each.find(remark) != std::string::npos; });
}

}  // namespace

class ObserverRightsTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer zookeeper_{zookeeper::store_type()};

  // A Redis with a user of such rights, and its administrator.
  struct Guarded {
    PrivateServer server{redis::store_type()};
    redis::Asker admin{milliseconds(60'000)};
    StoreUrl url;

    explicit Guarded(const redis::Asker::Words& rights) {
      if (!server.start() || !admin.connect(server.url())) qFatal("no private server");
      redis::Asker::Words words{"ACL", "SETUSER", "watcher", "reset", "on", ">look"};
      words.insert(words.end(), rights.begin(), rights.end());
      told(admin, words);
      url = server.url();
      url.user = "watcher";
      url.password = "look";
    }
  };

 private slots:
  void initTestCase() {
    const auto started = zookeeper_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }

  void onRedisRightsToReadAndToListenSuffice() {
    Guarded of({"~simba:*", "&simba:*", "+@read", "+ping", "+subscribe", "+psubscribe", "+pubsub|numsub"});
    Client a(loop_, names_, of.server.url(), "a"), b(loop_, names_, of.server.url(), "b");
    QVERIFY(a.connects() && b.connects());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(20'000)).error.empty());
    told(of.admin, {"CONFIG", "RESETSTAT"});
    Watching watch(loop_, of.url);
    QVERIFY(watch.sees("orders", "a"));
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(3000)));
    wait_until([] { return false; }, milliseconds(600));
    std::set<std::string> commands = received(of.admin);
    for (const char* ours : {"info", "config|resetstat"}) commands.erase(ours);
    const std::set<std::string> reads{"auth",          "ping",   "hello",      "scan", "pttl", "mget",
                                      "pubsub|numsub", "zrange", "psubscribe", "time"};  // refused: nothing rests on it
    for (const std::string& each : commands) QVERIFY2(reads.count(each) != 0, each.c_str());
    QVERIFY(commands.count("mget") != 0 && commands.count("psubscribe") != 0);
    a.ask(kRelease, "orders");
    QVERIFY(watch.sees("orders", "-", milliseconds(100)));
    QVERIFY(b.ask(kAcquire, "orders", milliseconds(20'000)).error.empty());
    QVERIFY(watch.sees("orders", "b", milliseconds(100)));
    QVERIFY(watch.watch.stores()[0]->remarks.empty());
  }
  void onRedisWhoMayNotListenPollsAndSaysSo() {
    Guarded of({"~simba:*", "+@read", "+ping"});
    Client a(loop_, names_, of.server.url(), "a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(20'000)).error.empty());
    Watching watch(loop_, of.url);
    QVERIFY(watch.sees("orders", "a"));
    QVERIFY(wait_until([&] { return !watch.watch.stores()[0]->remarks.empty(); }, milliseconds(3000)));
    QVERIFY2(watch.watch.stores()[0]->remarks[0].find("nobody tells of them") != std::string::npos,
             watch.watch.stores()[0]->remarks[0].c_str());
    QVERIFY2(is_told(watch, "ACL SETUSER watcher ~simba:* &simba:* +@read +ping +subscribe +psubscribe"),
             watch.watch.stores()[0]->remarks[0].c_str());
    a.ask(kRelease, "orders");
    QVERIFY(watch.sees("orders", "-", kPoll + milliseconds(200)));
  }
  // Where a release of another maker's lock may not be heard that is said, and its next poll sees it.
  void onRedisRedissonsReleasesAreHeardWhereTheirChannelsMayBe_data() {
    QTest::addColumn<bool>("may");
    QTest::newRow("may") << true;
    QTest::newRow("may not") << false;
  }
  void onRedisRedissonsReleasesAreHeardWhereTheirChannelsMayBe() {
    QFETCH(const bool, may);
    redis::Asker::Words rights{"~*", "&simba:*", "+@read", "+ping", "+psubscribe", "+pubsub|numsub"};
    if (may) rights.insert(rights.end(), {"&redisson_lock__channel:*", "&redisson_rwlock:*"});
    Guarded of(rights);
    const std::string owner = "b9a1c2d3-0f1e-4a5b-8c7d-112233445566:1";
    told(of.admin, {"HSET", "cart", owner, "1"});
    told(of.admin, {"PEXPIRE", "cart", "60000"});
    Watching watch(loop_, of.url, everything());
    QVERIFY(watch.sees("cart", owner));
    const bool said =
        wait_until([&] { return is_told(watch, "releases of Redisson's locks are seen by the next poll: NOPERM"); },
                   milliseconds(may ? 700 : 3000));
    QCOMPARE(said, !may);
    QVERIFY(!watch.watch.stores()[0]->blind);
    told(of.admin, {"DEL", "cart"});
    told(of.admin, {"PUBLISH", "redisson_lock__channel:{cart}", "0"});
    QVERIFY(watch.sees("cart", "-", may ? milliseconds(100) : kPoll + milliseconds(200)));
  }
  // Whoever may see nothing must not be told that nobody holds.
  void onRedisWhoMayNotReadIsBlindOrHearsWhy() {
    Guarded of({"~simba:*", "+ping"});
    Client a(loop_, names_, of.server.url(), "a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(20'000)).error.empty());
    WatchTerms terms;
    terms.look.mutexes = {"orders"};
    Watching watch(loop_, of.url, terms);
    QVERIFY(wait_until(
        [&] {
          const WatchedStore& store = *watch.watch.stores()[0];
          return !store.remarks.empty() || !store.why.empty();
        },
        milliseconds(3000)));
    wait_until([] { return false; }, milliseconds(500));
    QVERIFY2(watch.owner("orders").empty(), watch.owner("orders").c_str());
    QVERIFY(is_told(watch, "let it look: ACL SETUSER watcher ~simba:* "));
  }
  void onPostgresARoleThatMaySelectSuffices() {
    PrivateServer server(postgres::store_type());
    QVERIFY(server.start().has_value());
    QVERIFY(probe(server.url()).has_value());
    postgres::Asker admin(milliseconds(60'000));
    QVERIFY(admin.connect(server.url()).has_value());
    QVERIFY(admin.ask("create role watcher login; grant select on simba_mutex to watcher").has_value());
    Client a(loop_, names_, server.url(), "a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(20'000)).error.empty());
    StoreUrl url = server.url();
    url.user = "watcher";
    Watching watch(loop_, url);
    QVERIFY(watch.sees("orders", "a"));
    QVERIFY(watch.watch.stores()[0]->remarks.empty());
    // Without it nothing is known, and that is said.
    QVERIFY(admin.ask("revoke select on simba_mutex from watcher").has_value());
    QVERIFY(watch.sees("orders", ""));
    QCOMPARE(watch.watch.stores()[0]->why,
             std::string("ERROR:  permission denied for table simba_mutex: let it look at the table: grant select on "
                         "simba_mutex to watcher"));
    QVERIFY(admin.ask("grant select on simba_mutex to watcher").has_value());
    QVERIFY(watch.sees("orders", "a"));
  }
  void onMariadbAUserThatMaySelectSufficesAndEachRightHasItsLocks() {
    PrivateServer server(mysql_with_schema());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QVERIFY(probe(server.url()).has_value());
    mysql::Asker admin(milliseconds(60'000));
    QVERIFY(admin.connect(server.url()).has_value());
    carried_out(admin,
                "create table shedlock (name varchar(64) primary key, lock_until timestamp(3) not null, "
                "locked_at timestamp(3) not null, locked_by varchar(255) not null)");
    carried_out(admin,
                "insert into shedlock values ('report', utc_timestamp(3) + interval 60 second, utc_timestamp(3), "
                "'api-2'); select get_lock('night', 0)");
    carried_out(admin, "create user watcher@localhost");
    for (const char* table : {"simba_mutex", "shedlock", "performance_schema.setup_instruments",
                              "performance_schema.metadata_locks", "performance_schema.threads"})
      carried_out(admin, std::string("grant select on ") + table + " to watcher@localhost");
    Client a(loop_, names_, server.url(), "a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(60'000)).error.empty());
    StoreUrl url = server.url();
    url.user = "watcher";
    Watching watch(loop_, url, everything());
    QVERIFY(watch.sees("orders", "a") && watch.sees("report", "api-2"));
    QVERIFY(wait_until([&] { return watch.owner("night").find("connection ") == 0; }, milliseconds(3000)));
    const std::vector<std::string>& remarks = watch.watch.stores()[0]->remarks;
    QVERIFY2(remarks.empty(), remarks.empty() ? "" : remarks[0].c_str());
    // Without one of them what it tells of is not known, which is said, and all else is seen. A table of a database is
    // not even there for whoever has no right on it.
    carried_out(admin, "revoke select on shedlock from watcher@localhost");
    QVERIFY(watch.sees("report", ""));
    QVERIFY(watch.owner("orders") == "a" && watch.owner("night").find("connection ") == 0);
    carried_out(admin, "revoke select on performance_schema.metadata_locks from watcher@localhost");
    QVERIFY(watch.sees("night", ""));
    QVERIFY(is_told(watch, "MySQL GET_LOCK: SELECT command denied"));
    QVERIFY(is_told(watch, "grant select on it to watcher"));
    QCOMPARE(watch.owner("orders"), std::string("a"));
    carried_out(admin, "revoke select on simba_mutex from watcher@localhost");
    QVERIFY(watch.sees("orders", ""));
    const std::string& why = watch.watch.stores()[0]->why;
    QVERIFY2(why.find("SELECT command denied") != std::string::npos, why.c_str());
    QVERIFY2(
        why.find(": let it look at the table: grant select on leasescope.simba_mutex to watcher") != std::string::npos,
        why.c_str());
    carried_out(admin,
                "grant select on simba_mutex to watcher@localhost; grant select on shedlock to watcher@localhost");
    QVERIFY(watch.sees("orders", "a") && watch.sees("report", "api-2"));
  }

  void onZookeeperRightsToReadSuffice_data() {
    QTest::addColumn<int>("readers");
    QTest::newRow("everybody") << static_cast<int>(Readers::kEverybody);
    QTest::newRow("login") << static_cast<int>(Readers::kWatcher);
  }
  void onZookeeperRightsToReadSuffice() {
    QFETCH(const int, readers);
    Furnished of(zookeeper_.url(), QTest::currentDataTag(), static_cast<Readers>(readers));
    Watching watch(loop_, of.url, everything());
    QVERIFY(watch.sees("orders", "a") && holds_from(watch, "10.0.0.1"));
    QCOMPARE(*watch.find("orders")->book.last().waiters, 1U);
    QCOMPARE(*watch.find("/app/lock")->book.last().waiters, 1U);
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(3000)));
    const std::vector<std::string>& remarks = watch.watch.stores()[0]->remarks;
    QVERIFY2(remarks.empty(), remarks.empty() ? "" : remarks[0].c_str());
    of.keeper.remove(of.leads);
    of.keeper.remove(of.holds);
    QVERIFY(watch.sees("orders", "b", milliseconds(200)) && holds_from(watch, "10.0.0.2", milliseconds(200)));
  }
  void onZookeeperAFolderThatMayNotBeReadIsToldOfAndTheRestIsSeen() {
    Furnished of(zookeeper_.url(), "refused", Readers::kWatcher);
    const std::string secret = of.place + "/simba/secret", other = of.place + "/app/secret";
    for (const std::string& folder : {secret, other}) of.keeper.folder(folder, Readers::kNobody);
    of.keeper.in_line(secret + "/latch-", "a", Readers::kNobody);
    of.keeper.in_line(other + "/_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-lock-", "10.0.0.3", Readers::kNobody);
    Watching watch(loop_, of.url, everything());
    QVERIFY(watch.sees("orders", "a") && holds_from(watch, "10.0.0.1"));
    QVERIFY2(wait_until([&] { return watch.watch.complete(); }, milliseconds(3000)), "what is refused is waited for");
    QVERIFY(is_told(watch, "/simba/secret: not authenticated"));
    QVERIFY(is_told(watch, "/app/secret: not authenticated: locks of other makers in it are not watched"));
    const std::string rest = " is wrong, or it may not read there: add digest:watcher:…:r to what getAcl /refused";
    QVERIFY(is_told(watch, "/simba/secret: not authenticated: the password of watcher" + rest + "/simba/secret says"));
    QVERIFY(is_told(watch, "not watched: the password of watcher" + rest + "/app/secret says, by setAcl -R"));
    QVERIFY(watch.find("secret") == nullptr && watch.find("/app/secret") == nullptr);
    QVERIFY(!watch.watch.stores()[0]->blind);
    // Whoever does not log in, too.
    StoreUrl nobody = of.url;
    nobody.user = nobody.password = "";
    const Watching stranger(loop_, nobody, everything());
    QVERIFY(wait_until([&] { return is_told(stranger, "/simba: not authenticated"); }, milliseconds(3000)));
    QVERIFY(is_told(stranger, "log in as one who may read it, zookeeper://user:password@host, or add world:anyone:r"));
    QVERIFY(stranger.watch.mutexes().empty() && !stranger.watch.stores()[0]->blind);
    QVERIFY2(wait_until([&] { return stranger.watch.is_looked_through(); }, milliseconds(3000)),
             "what is refused is waited for");
    QVERIFY(!stranger.watch.complete());
  }
  // Nobody is said to be gone meanwhile, and each change is told at once when it is over.
  void onZookeeperARightThatIsTakenAwayAndGivenBackIsAGap() {
    Furnished of(zookeeper_.url(), "taken", Readers::kWatcher);
    Watching watch(loop_, of.url, everything());
    QVERIFY(watch.sees("orders", "a") && holds_from(watch, "10.0.0.1"));
    of.keeper.let_read(of.place + "/simba/orders", Readers::kNobody);
    QVERIFY(watch.sees("orders", "") && holds_from(watch, "10.0.0.1"));
    of.keeper.let_read(of.place + "/app/lock", Readers::kNobody);
    QVERIFY(watch.sees("/app/lock", ""));
    of.keeper.remove(of.holds);  // of which nobody tells
    of.keeper.let_read(of.place + "/simba/orders", Readers::kWatcher);
    QVERIFY(watch.sees("orders", "a"));
    of.keeper.remove(of.leads);
    QVERIFY(watch.sees("orders", "b", milliseconds(200)));  // before the next sweep
    of.keeper.let_read(of.place + "/app/lock", Readers::kWatcher);
    QVERIFY(holds_from(watch, "10.0.0.2"));
    QCOMPARE(watch.told("orders"), (QStringList{"granted", "released", "granted"}));
    // Of what is there none is lost by which others come to be.
    of.keeper.let_read(of.place + "/simba", Readers::kNobody);
    QVERIFY(wait_until([&] { return is_told(watch, "/simba: not authenticated"); }, milliseconds(2000)));
    QVERIFY(watch.owner("orders") == "b" && holds_from(watch, "10.0.0.2"));
    // Whoever comes now sees what he may, and that it is not all.
    Watching late(loop_, of.url, everything());
    QVERIFY(holds_from(late, "10.0.0.2"));
    QVERIFY(wait_until([&] { return late.watch.is_looked_through(); }, milliseconds(3000)));
    QVERIFY(late.find("orders") == nullptr && !late.watch.complete());
    of.keeper.let_read(of.place + "/simba", Readers::kWatcher);
    QVERIFY(late.sees("orders", "b") && wait_until([&] { return late.watch.complete(); }, milliseconds(3000)));
    QVERIFY(late.watch.stores()[0]->refused.empty());
  }
};

LEASESCOPE_SUITE(ObserverRightsTest)
#include "observer_rights_test.moc"
