// A mutex lives in one slot of a cluster: its calls follow that slot, whichever node the URL names and wherever it
// goes.
#include "core/store/redis/redirect.h"
#include "core/store/types/types.h"
#include "tests/live/runs.h"
#include "tests/store/redis_fleet.h"
#include "tests/store/watching.h"
#include "tests/support/impostor.h"
#include "tests/support/impostor_words.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr int kSlots = 16384;

}  // namespace

class RedisClusterTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  std::unique_ptr<RedisFleet> fleet_;
  std::vector<std::string> buses_;  // the nodes' other ports

  std::string ask(std::size_t node, const std::string& line) const {
    std::vector<std::string> words;
    for (const QString& word : QString::fromStdString(line).split(' ')) words.push_back(word.toStdString());
    return fleet_->ask(node, words);
  }
  std::string id(std::size_t node) const { return ask(node, "CLUSTER MYID"); }
  std::string slot(const std::string& mutex) const { return ask(0, "CLUSTER KEYSLOT simba:{" + mutex + "}"); }
  std::size_t home(const std::string& mutex) const {
    return static_cast<std::size_t>(std::stoi(slot(mutex)) * 3 / kSlots);
  }
  // One that the node keeps; the number makes it another one.
  std::string mutex_of(std::size_t node, int number = 0) const {
    for (int i = 0;; ++i)
      if (const std::string name = QTest::currentTestFunction() + std::to_string(i);
          home(name) == node && number-- == 0)
        return name;
  }
  void begin_move(const std::string& mutex, std::size_t from, std::size_t to) const {
    QCOMPARE(ask(to, "CLUSTER SETSLOT " + slot(mutex) + " IMPORTING " + id(from)), std::string("OK"));
    QCOMPARE(ask(from, "CLUSTER SETSLOT " + slot(mutex) + " MIGRATING " + id(to)), std::string("OK"));
  }
  void move_key(const std::string& key, std::size_t from, std::size_t to) const {
    const std::string port = std::to_string(fleet_->port(to));
    QCOMPARE(fleet_->ask(from, {"MIGRATE", "127.0.0.1", port, "", "0", "5000", "KEYS", key}), std::string("OK"));
  }
  void end_move(const std::string& mutex, std::size_t to) const {
    for (const std::size_t node : {to, std::size_t{0}, std::size_t{1}, std::size_t{2}})
      QCOMPARE(ask(node, "CLUSTER SETSLOT " + slot(mutex) + " NODE " + id(to)), std::string("OK"));
  }
  StoreUrl url(std::initializer_list<std::size_t> nodes) const {
    std::string text = "redis://";
    for (const std::size_t node : nodes)
      text += (text.back() == '/' ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(fleet_->port(node));
    return *parse_store_url(text);
  }

 private slots:
  void init() {
    if (fleet_ != nullptr) return;
    fleet_ = std::make_unique<RedisFleet>();
    buses_.clear();
    for (int i = 0; i < 3; ++i) {
      buses_.push_back(std::to_string(free_port()));
      fleet_->add({}, {"cluster-enabled yes", "cluster-port " + buses_.back(), "cluster-node-timeout 1000"});
    }
    QVERIFY(fleet_->started());
    for (int i = 0; i < 3; ++i) {
      const std::string first = std::to_string((kSlots * i + 2) / 3),
                        last = std::to_string((kSlots * (i + 1) + 2) / 3 - 1);
      QCOMPARE(ask(static_cast<std::size_t>(i), "CLUSTER ADDSLOTSRANGE " + first + " " + last), std::string("OK"));
      if (i > 0)
        ask(0, "CLUSTER MEET 127.0.0.1 " + std::to_string(fleet_->port(static_cast<std::size_t>(i))) + " " +
                   buses_[static_cast<std::size_t>(i)]);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      QVERIFY(fleet_->comes_to_say(i, {"CLUSTER", "INFO"}, "cluster_state:ok", milliseconds(15'000)));
      QVERIFY(fleet_->comes_to_say(i, {"CLUSTER", "INFO"}, "cluster_known_nodes:3", milliseconds(15'000)));
    }
  }
  void cleanupTestCase() { fleet_.reset(); }

  void whatANodeAnswersIsRead() {
    Endpoint from;
    from.host = "db";
    from.port = 7000;
    const auto moved = redis::read_redirect("MOVED 3999 127.0.0.1:6381", from);
    QVERIFY(moved && moved->kind == redis::Redirect::Kind::kMoved);
    QCOMPARE(moved->server.host, std::string("127.0.0.1"));
    QCOMPARE(moved->server.port, 6381);
    QCOMPARE(redis::read_redirect("ASK 1 2001:db8::1:6381", from)->server.host, std::string("2001:db8::1"));
    QCOMPARE(redis::read_redirect("MOVED 3999 :6381", from)->server.host, std::string("db"));
    QVERIFY(redis::read_redirect("TRYAGAIN Multiple keys", from)->kind == redis::Redirect::Kind::kWait);
    for (const char* other : {"", "MOVED", "MOVED 1", "MOVED 1 host", "MOVED 1 host:x", "ERR MOVED 1 h:1", "NOSCRIPT"})
      QVERIFY2(!redis::read_redirect(other, from), other);
  }

  void aMutexIsServedWhicheverNodeIsNamed() {
    for (std::size_t named = 0; named < 3; ++named) {
      const auto looked = probe(url({named}), {mutex_of(0), mutex_of(1), mutex_of(2)});
      QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
      QCOMPARE(looked->holders.size(), std::size_t{3});
      Client a(loop_, names_, url({named}), "0:1@a"), b(loop_, names_, url({(named + 1) % 3}), "0:2@b");
      QVERIFY(a.connects() && b.connects());
      for (std::size_t kept = 0; kept < 3; ++kept) {
        const std::string mutex = mutex_of(kept);
        QCOMPARE(b.ask(RequestKind::kSubscribe, mutex).error, std::string());
        b.events.clear();
        const Told got = a.ask(kAcquire, mutex);
        QVERIFY2(got.reply.done, got.error.c_str());
        QVERIFY(fleet_->ask(kept, {"GET", "simba:{" + mutex + "}"}) == "0:1@a");
        QCOMPARE(b.owner_in(b.ask(kAcquire, mutex)), std::string("0:1@a"));
        QVERIFY(a.ask(kGuard, mutex).reply.done);
        QVERIFY(a.ask(kRelease, mutex).reply.done);
        QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));  // from whichever node
        b.ask(RequestKind::kUnsubscribe, mutex);
      }
      QVERIFY(a.reasons.empty() && b.reasons.empty());  // to be led on is no break
    }
  }

  // Else they might be servers that know nothing of each other. Who may not ask is told what to allow.
  void severalNodesAreSeenToBeOfOneCluster() {
    StoreUrl three = url({0, 1, 2});
    const std::vector<std::string> mutexes{mutex_of(0), mutex_of(2)};
    const auto looked = probe(three, mutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    three.user = "app";
    three.password = "hush";
    const auto allow = [&](const std::string& rights) {
      for (std::size_t node = 0; node < 3; ++node)
        QCOMPARE(ask(node, "ACL SETUSER app on >hush ~* &* " + rights), std::string("OK"));
    };
    allow("+@all -cluster");
    const auto refused = probe(three, mutexes);
    QVERIFY(!refused);
    for (const char* part : {"cluster", "ACL SETUSER app +ping", " +asking +cluster|info "})
      QVERIFY2(refused.error().find(part) != std::string::npos, refused.error().c_str());
    allow("+cluster|info");
    const auto allowed = probe(three, mutexes);
    QVERIFY2(allowed.has_value(), allowed ? "" : allowed.error().c_str());
  }

  // They lead to one server.
  void sharedLinesAreRefused() {
    StoreUrl shared = url({0});
    shared.options["lines"] = "shared";
    for (const std::size_t node : {std::size_t{0}, std::size_t{1}}) {
      const auto looked = probe(shared, {mutex_of(node)});
      QVERIFY(!looked);
      for (const char* part : {"is a node of a cluster", "leave lines=shared out"})
        QVERIFY2(looked.error().find(part) != std::string::npos, looked.error().c_str());
    }
    Client a(loop_, names_, shared, "0:1@a");  // without that look
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, mutex_of(0)).reply.done);
    const Told refused = a.ask(kAcquire, mutex_of(1));
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY2(refused.error.find("is a node of a cluster: MOVED") != std::string::npos, refused.error.c_str());
    QVERIFY(a.ask(kRelease, mutex_of(0)).reply.ending == Ending::kOk);
    QVERIFY(a.reasons.empty());
  }

  void theLookBeforeARunSeesWhoHoldsOnEveryNode() {
    Client a(loop_, names_, url({0}), "0:1@a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, mutex_of(2)).reply.done);
    const auto looked = probe(url({1}), {mutex_of(0), mutex_of(2)});
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    QCOMPARE(looked->holders, (std::vector<std::string>{"", "0:1@a"}));
    StoreUrl numbered = url({1});
    numbered.database = "2";
    const auto refused = probe(numbered, {mutex_of(0)});
    QVERIFY(!refused);
    QVERIFY2(refused.error().find("leave the number out") != std::string::npos, refused.error().c_str());
  }

  // Of the others it hears, as messages go to all nodes, and knows nothing: neither who holds nor that nobody does.
  void aWatchSeesTheMutexesOfTheNamedNodeAndSaysSoOnce() {
    const std::string here = mutex_of(0);
    const std::vector<std::string> others{mutex_of(1), mutex_of(1, 1), mutex_of(2)};
    Client a(loop_, names_, url({0}), "0:1@a"), b(loop_, names_, url({1}), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QVERIFY(a.ask(kAcquire, here, milliseconds(30'000)).reply.done);
    QVERIFY(b.ask(kAcquire, others[0], milliseconds(30'000)).reply.done);
    WatchTerms often;
    often.look.sweep = milliseconds(300);
    Watching watch(loop_, url({0}), often);
    QVERIFY(watch.sees(here, "0:1@a"));
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(3000)));
    // Each is granted and released until the watch has heard of it.
    QVERIFY(b.ask(kRelease, others[0]).reply.done);
    const WatchedStore& store = *watch.watch.stores()[0];
    for (const std::string& other : others) {
      const auto is_heard_of = [&] {
        if (store.hidden.count({other, {}}) == 0) {
          b.ask(kAcquire, other);
          b.ask(kRelease, other);
        }
        return store.hidden.count({other, {}}) != 0;
      };
      QVERIFY2(wait_until(is_heard_of, milliseconds(5000)), "its messages do not come");
    }
    wait_until([] { return false; }, milliseconds(700));  // two sweeps more
    for (const std::string& other : others) QVERIFY2(watch.owner(other).empty(), watch.owner(other).c_str());
    QCOMPARE(store.remarks.size(), std::size_t{1});
    const std::string says = "127.0.0.1:" + std::to_string(fleet_->port(0)) +
                             " is a node of a cluster: only the mutexes whose keys lie on it are seen";
    QVERIFY2(store.remarks[0].find(says) == 0, store.remarks[0].c_str());
    QVERIFY(!watch.find(here)->book.last().waiters);  // who listens at another node is not counted
    QVERIFY(!store.blind);
    QVERIFY(a.ask(kRelease, here).reply.done);
    QVERIFY(watch.sees(here, "-", milliseconds(1000)));
  }

  // Whoever asks for it by its name is told where it is.
  void aMutexOfAnotherNodeThatIsAskedForIsNotSaidToBeFree() {
    WatchTerms terms;
    terms.look.mutexes = {mutex_of(1)};
    terms.look.foreign = Foreign::kNone;  // one of another maker would have its slot elsewhere
    const Watching watch(loop_, url({0}), terms);
    const std::vector<std::string>& remarks = watch.watch.stores()[0]->remarks;
    QVERIFY(wait_until([&] { return remarks.size() == 2; }, milliseconds(3000)));
    QVERIFY2(remarks[0].find("is a node of a cluster") != std::string::npos, remarks[0].c_str());
    QVERIFY2(remarks[1].find("MOVED " + slot(mutex_of(1)) + " 127.0.0.1:" + std::to_string(fleet_->port(1))) == 0,
             remarks[1].c_str());
    QCOMPARE(watch.owner(mutex_of(1)), std::string());
    QVERIFY(!watch.watch.complete());
  }

  // The keys move one by one, under a term that goes on.
  void aSlotThatMovesInTheMidstIsFollowed() {
    const std::string mutex = mutex_of(0);
    const std::string lease = "simba:{" + mutex + "}";
    Client a(loop_, names_, url({0}), "0:1@a"), b(loop_, names_, url({2}), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QVERIFY(a.ask(kAcquire, mutex, milliseconds(30'000)).reply.done);
    begin_move(mutex, 0, 1);
    QVERIFY(a.ask(kGuard, mutex, milliseconds(30'000)).reply.done);  // still all at home
    move_key(lease, 0, 1);
    const std::uint64_t between = a.send(kGuard, mutex, milliseconds(30'000), milliseconds(5000));
    QVERIFY(!wait_until([&] { return !a.told.empty() && a.told.back().reply.request == between; }, milliseconds(200)));
    move_key(lease + ":fence", 0, 1);
    move_key(lease + ":token", 0, 1);
    const Told renewed = a.ending_of(between);
    QVERIFY2(renewed.reply.done, renewed.error.c_str());
    for (int i = 0; i < 3; ++i) {  // all of it is asked for there, though the slot is not moved yet
      QVERIFY(a.ask(kGuard, mutex, milliseconds(30'000)).reply.done);
      QCOMPARE(b.owner_in(b.ask(kAcquire, mutex)), std::string("0:1@a"));
    }
    end_move(mutex, 1);
    QVERIFY(a.ask(kGuard, mutex, milliseconds(30'000)).reply.done);
    QVERIFY(fleet_->ask(1, {"GET", lease}) == "0:1@a");
    QVERIFY(a.ask(kRelease, mutex).reply.done);
    const Told next = b.ask(kAcquire, mutex);
    QVERIFY2(next.reply.done, next.error.c_str());
    QCOMPARE(next.reply.token, Token{2});
    QVERIFY(a.reasons.empty() && b.reasons.empty());
    b.ask(kRelease, mutex);
    begin_move(mutex, 1, 0);
    move_key(lease + ":fence", 1, 0);
    end_move(mutex, 0);
  }

  // It goes out behind a PING, and ASKING is for the next command alone.
  void aReleaseByHandOverWaitsForTheEndOfAMove() {
    const std::string mutex = mutex_of(0);
    const std::string lease = "simba:{" + mutex + "}";
    Client a(loop_, names_, url({0}), "0:1@a");
    a.wake_up = WakeUp::kHandOver;
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, mutex, milliseconds(30'000)).reply.done);
    begin_move(mutex, 0, 1);
    for (const char* key : {"", ":fence", ":token"}) move_key(lease + key, 0, 1);
    const std::uint64_t release = a.send(kRelease, mutex);
    QVERIFY(!wait_until([&] { return a.told.size() > 1; }, milliseconds(300)));
    end_move(mutex, 1);
    const Told released = a.ending_of(release);
    QVERIFY2(released.reply.done, released.error.c_str());
    QVERIFY(fleet_->ask(1, {"EXISTS", lease}) == "0");
    begin_move(mutex, 1, 0);
    move_key(lease + ":fence", 1, 0);
    end_move(mutex, 0);
  }

  // A free mutex has a part of its keys alone: nobody serves it while its slot moves.
  void aCallThatNobodyServesYetWaitsAndIsRefusedInTheEnd() {
    const std::string mutex = mutex_of(0);
    Client a(loop_, names_, url({0}), "0:1@a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, mutex).reply.done);
    QVERIFY(a.ask(kRelease, mutex).reply.done);
    begin_move(mutex, 0, 1);
    const Told refused = a.ending_of(a.send(kAcquire, mutex, milliseconds(5000), milliseconds(2000)));
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY(refused.reply.refused);
    QVERIFY2(refused.error.find("TRYAGAIN") == 0, refused.error.c_str());
    const std::uint64_t waits = a.send(kAcquire, mutex);
    move_key("simba:{" + mutex + "}:fence", 0, 1);
    end_move(mutex, 1);
    const Told got = a.ending_of(waits);
    QVERIFY2(got.reply.done, got.error.c_str());
    QCOMPARE(got.reply.token, Token{2});
    QVERIFY(a.reasons.empty());
    a.ask(kRelease, mutex);
    begin_move(mutex, 1, 0);
    move_key("simba:{" + mutex + "}:fence", 1, 0);
    end_move(mutex, 0);
  }

  // Two nodes that each take the other for the one.
  void nodesThatPointToEachOtherHoldNobodyUp() {
    std::atomic<int> other{0};
    const Impostor node([&other](Peer& peer, int) {
      for (auto words = peer.hear_command(); !words.empty(); words = peer.hear_command())
        if (!peer.say(words.front() == "EVALSHA" || words.front() == "GET"
                          ? "-MOVED 1 127.0.0.1:" + std::to_string(other) + "\r\n"
                          : redis_answer(words)))
          return;
    });
    other = node.port();
    StoreUrl where = url({0});
    where.endpoint.port = node.port();
    Client a(loop_, names_, where, "0:1@a");
    QVERIFY(a.connects());
    const Told refused = a.ask(kAcquire, "m");
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY2(refused.error.find("MOVED") == 0, refused.error.c_str());
    QVERIFY(node.met() < 40);
    const auto looked = probe(where, {"m"});
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("point to each other") != std::string::npos, looked.error().c_str());
  }

  // A run's proxies follow to whichever node it is.
  void aRunsFaultsStandBeforeWhicheverNodeServes() {
    const std::string name = mutex_of(2);
    LiveRun run(
        scenario("owner-partition", {"mutex.ttl=1s", "mutex.transition=500ms", "duration=9s", "mutex.name=" + name}),
        printable(url({0})));
    const auto ready = prepared(run);
    QVERIFY2(ready.has_value(), ready ? "" : ready.error().c_str());
    run.start();
    QVERIFY(wait_until([&] { return !run.running(); }, milliseconds(20'000)));
    check_reasons(run);
  }

  void aMasterThatIsKilledIsReplacedByItsReplica() {
    const std::string mutex = mutex_of(2);
    const std::size_t replica = fleet_->add(
        {}, {"cluster-enabled yes", "cluster-port " + std::to_string(free_port()), "cluster-node-timeout 1000"});
    ask(replica, "CLUSTER MEET 127.0.0.1 " + std::to_string(fleet_->port(0)) + " " + buses_.front());
    QVERIFY(fleet_->comes_to_say(replica, {"CLUSTER", "INFO"}, "cluster_known_nodes:4", milliseconds(15'000)));
    QVERIFY(wait_until([&] { return ask(replica, "CLUSTER REPLICATE " + id(2)) == "OK"; }, milliseconds(5000)));
    QVERIFY(fleet_->comes_to_say(replica, {"INFO", "replication"}, "master_link_status:up", milliseconds(10'000)));
    Client a(loop_, names_, url({2, 0}), "0:1@a"), b(loop_, names_, url({1}), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QCOMPARE(b.ask(RequestKind::kSubscribe, mutex).error, std::string());
    QVERIFY(a.ask(kAcquire, mutex, milliseconds(60'000)).reply.done);
    const auto replicated = [&] {  // "master 183 127.0.0.1 6380 183": its offset, and its replica's
      const QStringList role = QString::fromStdString(ask(2, "ROLE")).split(' ');
      return role.size() == 5 && role[1] == role[4];
    };
    QVERIFY(wait_until(replicated, milliseconds(5000)));
    {  // Of a key it says nothing but where its master is.
      const Watching of_replica(loop_, fleet_->url(replica));
      const WatchedStore& store = *of_replica.watch.stores()[0];
      QVERIFY(wait_until([&] { return store.hidden.count({mutex, {}}) != 0; }, milliseconds(3000)));
      QVERIFY2(store.refused.find("is a replica in a cluster, which tells of no key") != std::string::npos,
               store.refused.c_str());
      QVERIFY(of_replica.watch.mutexes().empty() && !of_replica.watch.complete());
    }
    fleet_->kill(2);
    const auto renewed = [&] { return a.connected() && a.ask(kGuard, mutex, milliseconds(60'000)).reply.done; };
    QVERIFY(wait_until(renewed, milliseconds(20'000)));
    QVERIFY(fleet_->ask(replica, {"ROLE"}).find("master") == 0);
    QVERIFY(wait_until([&] { return b.connected(); }, milliseconds(5000)));
    QVERIFY(a.ask(kRelease, mutex).reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    QVERIFY(wait_until([&] { return b.connected() && b.ask(kAcquire, mutex).reply.done; }, milliseconds(5000)));
    QCOMPARE(b.told.back().reply.token, Token{2});
    fleet_.reset();
  }

  // The node that was named goes; whoever knows another is served, and hears.
  void aNodeThatGoesIsMissedByItsOwnMutexesAlone() {
    const std::string kept = mutex_of(1), lost = mutex_of(2);
    for (std::size_t i = 0; i < 2; ++i) ask(i, "CONFIG SET cluster-require-full-coverage no");
    Client a(loop_, names_, url({2, 0}), "0:1@a"), b(loop_, names_, url({0, 2}), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QVERIFY(a.ask(kAcquire, kept).reply.done);
    QCOMPARE(a.ask(RequestKind::kSubscribe, kept).error, std::string());
    fleet_->kill(2);
    QVERIFY(wait_until([&] { return !a.connected(); }, milliseconds(3000)));
    QVERIFY(a.connects());
    const auto served = [&] { return a.connected() && a.ask(kGuard, kept).reply.done; };
    QVERIFY(wait_until(served, milliseconds(5000)));
    QVERIFY(a.ask(kRelease, kept).reply.done);
    QVERIFY(a.hears(StoreEventKind::kReleased, "0:1@a"));
    QVERIFY(wait_until([&] { return b.connected(); }, milliseconds(5000)));
    const Told nobody = b.ask(kAcquire, lost);  // which the others still say is there
    QCOMPARE(nobody.reply.ending, Ending::kFailed);
    QVERIFY(!nobody.reply.done);
    for (std::size_t i = 0; i < 2; ++i) ask(i, "CONFIG SET cluster-require-full-coverage yes");
    Told refused;
    const auto down = [&] {
      if (a.connected()) refused = a.ask(kAcquire, kept);
      return refused.error.find("CLUSTERDOWN") == 0;
    };
    QVERIFY2(wait_until(down, milliseconds(15'000)), refused.error.c_str());
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY(refused.reply.refused);
    fleet_.reset();
  }
};

LEASESCOPE_SUITE(RedisClusterTest)
#include "redis_cluster_test.moc"
