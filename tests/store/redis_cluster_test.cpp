// A mutex lives in one slot of a cluster: its calls follow that slot, whichever node the URL names and wherever it
// goes.
#include "tests/store/redis_cluster.h"
#include "core/store/redis/redirect.h"
#include "core/store/types/types.h"
#include "tests/live/runs.h"
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

}  // namespace

class RedisClusterTest : public QObject, RedisCluster {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

 private slots:
  void init() { set_up(); }
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
    const std::size_t replica = add_replica(2);
    Client a(loop_, names_, url({2, 0}), "0:1@a"), b(loop_, names_, url({1}), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QCOMPARE(b.ask(RequestKind::kSubscribe, mutex).error, std::string());
    QVERIFY(a.ask(kAcquire, mutex, milliseconds(60'000)).reply.done);
    QVERIFY(wait_until([&] { return is_replicated(2); }, milliseconds(5000)));
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
