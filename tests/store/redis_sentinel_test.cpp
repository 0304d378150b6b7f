// Sentinels say who is the master, and a new one is found when they have made it.
#include "core/store/types/types.h"
#include "simulator/live/live_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/live/runs.h"
#include "tests/store/redis_fleet.h"
#include "tests/store/watching.h"
#include "tests/support/impostor.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;

const std::vector<std::string> kMutexes{"orders"};

// How long sentinels take in all, with their rounds of talk; they notice a dead master after half a second.
constexpr milliseconds kFailover{20'000};

}  // namespace

class RedisSentinelTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  std::unique_ptr<RedisFleet> fleet_;
  std::vector<std::size_t> sentinels_;

  enum : std::size_t { kPrimary, kReplica };

  // What a test has spoilt is made anew for the next one.
  struct Spoilt {
    std::unique_ptr<RedisFleet>* fleet;
    ~Spoilt() { fleet->reset(); }
  };

  std::size_t add_sentinel(std::vector<std::string> lines = {}) {
    lines.push_back("sentinel monitor mymaster 127.0.0.1 " + std::to_string(fleet_->port(kPrimary)) + " 2");
    lines.emplace_back("sentinel down-after-milliseconds mymaster 500");
    lines.emplace_back("sentinel failover-timeout mymaster 3000");
    return fleet_->add({"--sentinel"}, lines);
  }
  std::string text(const std::vector<int>& ports, const std::string& behind = "/mymaster") const {
    std::string out = "redis+sentinel://";
    for (const int port : ports) out += (out.back() == '/' ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(port);
    return out + behind;
  }
  StoreUrl url(const std::vector<int>& ports, const std::string& behind = "/mymaster") const {
    const auto parsed = parse_store_url(text(ports, behind));
    return parsed ? *parsed : StoreUrl{};
  }
  std::vector<int> ports() const {
    std::vector<int> out;
    for (const std::size_t each : sentinels_) out.push_back(fleet_->port(each));
    return out;
  }
  // As a sentinel that takes it for the master.
  void names_the_replica(Peer& peer) const {
    const std::string port = std::to_string(fleet_->port(kReplica));
    for (auto words = peer.hear_command(); !words.empty(); words = peer.hear_command())
      peer.say(words.front() == "PING"
                   ? "+PONG\r\n"
                   : "*2\r\n$9\r\n127.0.0.1\r\n$" + std::to_string(port.size()) + "\r\n" + port + "\r\n");
  }
  // Behind the grant a gap of that mutex begins, and ends.
  static bool is_marked_between_looks(const History& history) {
    std::vector<EventKind> wanted{EventKind::kGranted, EventKind::kUnobservedBegan, EventKind::kUnobservedEnded};
    auto next = wanted.begin();
    for (const Event& event : history.events)
      if (next != wanted.end() && history.names.text(event.mutex) == "orders" && event.kind == *next) ++next;
    return next == wanted.end();
  }

 private slots:
  void init() {
    if (fleet_ != nullptr) return;
    fleet_ = std::make_unique<RedisFleet>();
    sentinels_.clear();
    fleet_->add({"--repl-diskless-sync-delay", "0"});
    fleet_->add({"--replicaof", "127.0.0.1 " + std::to_string(fleet_->port(kPrimary))});
    for (int i = 0; i < 3; ++i) sentinels_.push_back(add_sentinel());
    QVERIFY(fleet_->started());
    QVERIFY(fleet_->comes_to_say(kReplica, {"INFO", "replication"}, "master_link_status:up", milliseconds(10'000)));
    for (const std::size_t each : sentinels_) {  // they know each other and the replica
      QVERIFY(fleet_->comes_to_say(each, {"INFO", "sentinel"}, "slaves=1,sentinels=3", milliseconds(15'000)));
    }
  }
  void cleanupTestCase() { fleet_.reset(); }

  // Its keys are on the primary; a sentinel that is not there is passed over.
  void theMasterIsTheOneTheSentinelsName() {
    std::vector<int> some = ports();
    some.insert(some.begin(), free_port());
    const StoreUrl where = url(some, "/mymaster/1");
    const auto looked = probe(where, kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    Client a(loop_, names_, where, "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.ask(RequestKind::kSubscribe, "orders").error, std::string());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QVERIFY(fleet_->ask(kPrimary, {"INFO", "keyspace"}).find("db1:keys=3") != std::string::npos);
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(a.hears(StoreEventKind::kReleased, "0:1@a"));
  }

  void aKilledPrimaryIsReplacedAndEverybodyContendsAgain_data() {
    QTest::addColumn<QString>("behind");
    QTest::newRow("own lines") << "/mymaster";
    QTest::newRow("shared lines") << "/mymaster?lines=shared";
  }
  void aKilledPrimaryIsReplacedAndEverybodyContendsAgain() {
    QFETCH(QString, behind);
    const Spoilt spoilt{&fleet_};
    const StoreUrl where = url(ports(), behind.toStdString());
    Client a(loop_, names_, where, "0:1@a"), b(loop_, names_, where, "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QCOMPARE(b.ask(RequestKind::kSubscribe, "orders").error, std::string());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(60'000)).reply.done);
    QVERIFY(fleet_->comes_to_say(kReplica, {"GET", "simba:{orders}"}, "0:1@a", milliseconds(5000)));
    fleet_->kill(kPrimary);
    QVERIFY(wait_until([&] { return !a.connected() && !b.connected(); }, milliseconds(3000)));
    QVERIFY(a.connects(kFailover) && b.connects(kFailover));
    QVERIFY(fleet_->ask(kReplica, {"ROLE"}).find("master") == 0);
    QCOMPARE(b.owner_in(b.ask(kAcquire, "orders")), std::string("0:1@a"));  // which the replica had got
    QVERIFY(a.ask(kGuard, "orders").reply.done);
    QVERIFY(
        fleet_->comes_to_say(kReplica, {"PUBSUB", "NUMSUB", "simba:{orders}"}, "simba:{orders} 1", milliseconds(2000)));
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    const Told next = b.ask(kAcquire, "orders");
    QVERIFY(next.reply.done);
    QCOMPARE(next.reply.token, Token{2});
  }

  // The old one lives on, as a replica.
  void aPrimaryThatIsRelievedOfItsOfficeIsLeft() {
    const Spoilt spoilt{&fleet_};
    Client a(loop_, names_, url(ports()), "0:1@a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QVERIFY(wait_until(
        [&] {
          return fleet_->ask(sentinels_[0], {"SENTINEL", "FAILOVER", "mymaster"}) == "OK";
        },
        milliseconds(10'000)));
    QVERIFY(fleet_->comes_to_say(kPrimary, {"ROLE"}, "slave", kFailover));
    const auto served = [&] { return a.connected() && a.ask(kAcquire, "again").reply.done; };
    QVERIFY(wait_until(served, kFailover));
    QVERIFY(fleet_->ask(kReplica, {"GET", "simba:{again}"}) == "0:1@a");
    QVERIFY(!a.reasons.empty());
  }

  // It goes on with the new one. In between nothing is known, and nobody is said to be gone.
  void aWatchIsLedToTheNewMasterAndMarksTheGap() {
    const Spoilt spoilt{&fleet_};
    Client a(loop_, names_, url(ports()), "0:1@a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(60'000)).reply.done);
    QVERIFY(fleet_->comes_to_say(kReplica, {"GET", "simba:{orders}"}, "0:1@a", milliseconds(5000)));
    Watching watch(loop_, url(ports()));
    QVERIFY(watch.sees("orders", "0:1@a"));
    bool was_free = false;
    watch.watch.on_change([&] { was_free = was_free || watch.owner("orders") == "-"; });
    fleet_->kill(kPrimary);
    QVERIFY(watch.sees("orders", "", milliseconds(5000)));
    const WatchedStore& store = *watch.watch.stores()[0];
    QVERIFY(store.blind && !store.why.empty());
    QVERIFY2(watch.sees("orders", "0:1@a", kFailover), store.why.c_str());
    QVERIFY(fleet_->ask(kReplica, {"ROLE"}).find("master") == 0);
    QVERIFY(!was_free);
    QVERIFY(!store.blind && store.gaps >= 1);
    QVERIFY2(store.remarks.empty(), store.remarks.empty() ? "" : store.remarks[0].c_str());  // it is a master
    QVERIFY(is_marked_between_looks(watch.watch.history()));
    for (const QString& each : watch.told("orders"))
      QVERIFY2(each == QLatin1String("granted") || each == QLatin1String("renewed"), qPrintable(each));
    QCOMPARE(watch.told("orders").count(QStringLiteral("granted")), 1);
    // Both its lines are at the new one.
    QVERIFY(a.connects(kFailover));
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(watch.sees("orders", "-", milliseconds(1000)));
  }

  // A sentinel that was cut off from the others names a server that is no master any more.
  void aReplicaThatASentinelNamesIsSaidToBeOneByAWatch() {
    const Impostor sentinel([this](Peer& peer, int) { names_the_replica(peer); });
    const Watching watch(loop_, url({sentinel.port()}));
    const std::vector<std::string>& remarks = watch.watch.stores()[0]->remarks;
    QVERIFY(wait_until([&] { return !remarks.empty(); }, milliseconds(5000)));
    const std::string says = "127.0.0.1:" + std::to_string(fleet_->port(kReplica)) + " is a replica";
    QVERIFY2(remarks[0].find(says) == 0, remarks[0].c_str());
  }

  void whatSentinelsDoNotKnowIsSaid() {
    const auto unknown = probe(url(ports(), "/other"), kMutexes);
    QVERIFY(!unknown);
    for (const char* word : {"it knows no master \"other\"", "name it as the sentinels do"})
      QVERIFY2(unknown.error().find(word) != std::string::npos, unknown.error().c_str());
    Client lost(loop_, names_, url(ports(), "/other"), "0:1@a");
    QVERIFY(wait_until([&] { return !lost.reasons.empty(); }, milliseconds(3000)));
    QVERIFY2(lost.reasons.front().find("it knows no master \"other\"") != std::string::npos,
             lost.reasons.front().c_str());
    const auto none = probe(url({free_port(), free_port()}), kMutexes);
    QVERIFY(!none);
    for (const char* word : {"sentinel 127.0.0.1:", "Connection refused", "is it running"})
      QVERIFY2(none.error().find(word) != std::string::npos, none.error().c_str());
    const auto no_sentinel = probe(url({fleet_->port(kPrimary)}), kMutexes);
    QVERIFY(!no_sentinel);
    QVERIFY2(no_sentinel.error().find("unknown command") != std::string::npos, no_sentinel.error().c_str());
  }

  // One that was cut off from the others, or asked in the midst of a change, names a server that is none any more.
  void aServerThatIsNoMasterIsNotTakenForOne() {
    const Impostor sentinel([this](Peer& peer, int) { names_the_replica(peer); });
    const auto looked = probe(url({sentinel.port()}), kMutexes);
    QVERIFY(!looked);
    for (const char* word : {"it is no master but a slave", "wait until the sentinels have found another"})
      QVERIFY2(looked.error().find(word) != std::string::npos, looked.error().c_str());
    Client a(loop_, names_, url({sentinel.port(), ports()[0]}), "0:1@a");
    QVERIFY(a.connects());  // the second knows better
    QVERIFY(!a.reasons.empty());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QVERIFY(a.ask(kRelease, "orders").reply.done);
  }

  void aSentinelMayHaveAPasswordOfItsOwn() {
    const std::size_t guarded = add_sentinel({"requirepass hush"});
    const auto without = probe(url({fleet_->port(guarded)}), kMutexes);
    QVERIFY(!without);
    QVERIFY2(without.error().find("?sentinel-password=") != std::string::npos, without.error().c_str());
    const StoreUrl where = url({fleet_->port(guarded)}, "/mymaster?sentinel-password=hush");
    const auto looked = probe(where, kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    Client a(loop_, names_, where, "0:1@a");
    QVERIFY(a.connects());
  }

  // A silent one must not use up the time of all others.
  void aSilentSentinelIsPassedOver() {
    const Impostor silent([](Peer& peer, int) { peer.be_silent(); });
    const StoreUrl where = url({silent.port(), ports()[0]});
    const auto looked = probe(where, kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    Client a(loop_, names_, where, "0:1@a");
    QVERIFY(a.connects(milliseconds(6000)));
  }

  // The whole program: the primary dies under its owner, in the midst of a run whose lines lead through fault proxies.
  void aRunGoesOnWhenItsPrimaryIsKilled() {
    const Spoilt spoilt{&fleet_};
    LiveRun run(scenario("owner-partition", {"mutex.ttl=1s", "mutex.transition=500ms", "duration=20s", "fault.0.at=1s",
                                             "fault.0.duration=300ms", "store.timeout=500ms"}),
                text(ports()));
    const auto ready = prepared(run);
    QVERIFY2(ready.has_value(), ready ? "" : ready.error().c_str());
    run.start();
    QVERIFY(wait_until([&] { return run.now() > TrueTime{} + milliseconds(3000); }, milliseconds(6000)));
    fleet_->kill(kPrimary);
    const TrueTime killed = run.now();
    std::uint64_t before = 0, after = 0;
    const auto goes_on = [&] {
      before = after = 0;
      for (const Event& grant : of_kind(run.history(), EventKind::kGranted)) ++(grant.lo < killed ? before : after);
      return before > 0 && after > 0;
    };
    // No longer than that takes: else the run ends by itself.
    wait_until([&] { return !run.running() || goes_on(); }, milliseconds(30'000));
    if (run.running()) run.stop();
    QVERIFY(wait_until([&] { return !run.running(); }, milliseconds(30'000)));
    QVERIFY(goes_on());
  }
};

LEASESCOPE_SUITE(RedisSentinelTest)
#include "redis_sentinel_test.moc"
