// Beside contenders of Simba up to 3.1: they queue up, a release of theirs wakes the first in the queue alone, and
// their calls take no token. They are typed here, as spec and recordings have their calls.
#include "core/store/types/types.h"
#include "tests/live/runs.h"
#include "tests/store/redis_fleet.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr RequestKind kSubscribe = RequestKind::kSubscribe;
constexpr RequestKind kUnsubscribe = RequestKind::kUnsubscribe;

constexpr const char* kOld = "7:31@old";

// KEYS: {mutex}. ARGV: id, lease in ms. Answers "owner@@ms".
constexpr const char* kOldAcquire =
    "local lease = 'simba:' .. KEYS[1] "
    "if redis.call('set', lease, ARGV[1], 'nx', 'px', ARGV[2]) then "
    "  redis.call('publish', lease, 'acquired@@' .. ARGV[1]) return ARGV[1] .. '@@' .. ARGV[2] end "
    "redis.call('zadd', lease .. ':contender', 'nx', redis.call('time')[1], ARGV[1]) "
    "return redis.call('get', lease) .. '@@' .. redis.call('pttl', lease)";
// The first in the queue leaves it and is told, on its own channel.
constexpr const char* kOldRelease =
    "local lease = 'simba:' .. KEYS[1] local queue = lease .. ':contender' "
    "if redis.call('get', lease) ~= ARGV[1] then redis.call('zrem', queue, ARGV[1]) return 0 end "
    "redis.call('del', lease) "
    "local head = redis.call('zrevrange', queue, -1, -1)[1] "
    "if head then redis.call('zrem', queue, head) "
    "  redis.call('publish', lease .. ':' .. head, 'released@@' .. ARGV[1]) end "
    "return 1";

}  // namespace

class RedisLegacyTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  std::unique_ptr<RedisFleet> fleet_;

  StoreUrl url(bool legacy = true) const {
    StoreUrl url = fleet_->url(0);
    if (legacy) url.options["legacy"] = "on";
    return url;
  }
  std::string old_acquires(const std::string& id, milliseconds lease = milliseconds(20'000)) {
    return fleet_->ask(0, {"EVAL", kOldAcquire, "1", "{orders}", id, std::to_string(lease.count())});
  }
  std::string old_releases(const std::string& id) { return fleet_->ask(0, {"EVAL", kOldRelease, "1", "{orders}", id}); }
  std::string queue() { return fleet_->ask(0, {"ZRANGE", "simba:{orders}:contender", "0", "-1"}); }

 private slots:
  void init() {
    fleet_ = std::make_unique<RedisFleet>();
    fleet_->add({});
    QVERIFY(fleet_->started());
  }
  void cleanup() { fleet_.reset(); }

  void whoWaitsIsInTheQueueAndIsWokenByAnOldRelease() {
    Client a(loop_, names_, url(), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.ask(kSubscribe, "orders").error, std::string());
    QCOMPARE(old_acquires(kOld), std::string(kOld) + "@@20000");
    const Told refused = a.ask(kAcquire, "orders");
    QCOMPARE(a.owner_in(refused), std::string(kOld));
    QCOMPARE(refused.reply.token, kNoToken);
    QCOMPARE(queue(), std::string("0:1@a"));
    QCOMPARE(old_releases(kOld), std::string("1"));
    QVERIFY(a.hears(StoreEventKind::kReleased, kOld));
    QCOMPARE(queue(), std::string());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
  }

  // What it costs to go without.
  void withoutTheOptionAnOldReleaseIsNotHeard() {
    Client a(loop_, names_, url(false), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.ask(kSubscribe, "orders").error, std::string());
    old_acquires(kOld);
    a.ask(kAcquire, "orders");
    QCOMPARE(queue(), std::string());
    old_releases(kOld);
    QVERIFY(!a.hears(StoreEventKind::kReleased, kOld, milliseconds(300)));
  }

  void whoWinsLeavesTheQueue() {
    Client a(loop_, names_, url(), "0:1@a");
    QVERIFY(a.connects());
    old_acquires(kOld, milliseconds(300));
    a.ask(kAcquire, "orders");
    QCOMPARE(queue(), std::string("0:1@a"));
    QVERIFY(wait_until([&] { return a.ask(kAcquire, "orders").reply.done; }, milliseconds(3000)));
    QCOMPARE(queue(), std::string());
  }

  void whoStopsLeavesTheQueue() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QCOMPARE(a.ask(kSubscribe, "orders").error, std::string());
    old_acquires(kOld);
    a.ask(kAcquire, "orders");
    b.ask(kAcquire, "orders");
    QCOMPARE(queue(), std::string("0:1@a 0:2@b"));
    QCOMPARE(a.ask(kUnsubscribe, "orders").error, std::string());
    QVERIFY(fleet_->comes_to_say(0, {"ZCARD", "simba:{orders}:contender"}, "1", milliseconds(2000)));
    QCOMPARE(queue(), std::string("0:2@b"));
    QVERIFY(!b.ask(kRelease, "orders").reply.done);  // not its own
    QCOMPARE(queue(), std::string());
    QCOMPARE(a.ask(kSubscribe, "orders").error, std::string());  // and may begin again
  }

  // All who wait hear it on the channel that every generation listens to, and queue up anew where they are refused.
  void aReleaseWakesBothGenerations() {
    Client a(loop_, names_, url(), "0:1@a"), b(loop_, names_, url(), "0:2@b");
    Client old(loop_, names_, url(false), kOld);  // hears what a contender up to 3.1 hears on the mutex's channel
    QVERIFY(a.connects() && b.connects() && old.connects());
    QCOMPARE(b.ask(kSubscribe, "orders").error, std::string());
    QCOMPARE(old.ask(kSubscribe, "orders").error, std::string());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QVERIFY(old_acquires(kOld).find("0:1@a@@") == 0);
    b.ask(kAcquire, "orders");
    QCOMPARE(queue(), std::string("0:2@b ") + kOld);
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    QVERIFY(old.hears(StoreEventKind::kReleased, "0:1@a"));
    QCOMPARE(queue(), std::string());
    QCOMPARE(old_acquires(kOld), std::string(kOld) + "@@20000");
    b.ask(kAcquire, "orders");
    QCOMPARE(queue(), std::string("0:2@b"));
  }

  void aSubscriptionToBothChannelsSurvivesABreak() {
    Client a(loop_, names_, url(), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.ask(kSubscribe, "orders").error, std::string());
    fleet_->ask(0, {"CLIENT", "KILL", "TYPE", "pubsub"});
    QVERIFY(wait_until([&] { return !a.reasons.empty(); }, milliseconds(2000)));
    QVERIFY(fleet_->comes_to_say(0, {"PUBSUB", "NUMSUB", "simba:{orders}:0:1@a"}, "0:1@a 1", milliseconds(3000)));
    fleet_->ask(0, {"PUBLISH", "simba:{orders}:0:1@a", "released@@x"});
    QVERIFY(a.hears(StoreEventKind::kReleased, "x"));
  }

  void theRightsItNeedsAreNamed() {
    fleet_->ask(0, {"ACL", "SETUSER", "me", "reset", "on", ">pw"});
    StoreUrl me = url();
    me.user = "me";
    me.password = "pw";
    const auto looked = probe(me, {"orders"});
    QVERIFY(!looked);
    std::vector<std::string> rule;
    for (const QString& word :
         QString::fromStdString(looked.error().substr(looked.error().find("ACL SETUSER"))).split(' '))
      rule.push_back(word.toStdString());
    QCOMPARE(fleet_->ask(0, rule), std::string("OK"));
    const auto again = probe(me, {"orders"});
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QCOMPARE(fleet_->ask(0, {"KEYS", "*"}), std::string());
    fleet_->ask(0, {"ACL", "SETUSER", "me", "-zadd"});
    QVERIFY(!probe(me, {"orders"}));
  }

  // Whole contenders: an old owner lets go, and a waiter of ours has the lock at once, long before its timer.
  void aRunBesideAnOldOwnerIsWokenByIt() {
    QCOMPARE(old_acquires(kOld), std::string(kOld) + "@@20000");
    LiveRun run(scenario("healthy", {"mutex.ttl=2s", "mutex.transition=1s", "duration=6s", "mutex.name=orders"}),
                "redis://127.0.0.1:" + std::to_string(fleet_->port(0)) + "?legacy=on");
    const auto ready = prepared(run);
    QVERIFY2(ready.has_value(), ready ? "" : ready.error().c_str());
    run.start();
    QVERIFY(fleet_->comes_to_say(0, {"ZCARD", "simba:{orders}:contender"}, "3", milliseconds(3000)));
    QCOMPARE(old_releases(kOld), std::string("1"));
    const auto owned = [&] { return fleet_->ask(0, {"GET", "simba:{orders}"}).find("c") == 0; };
    QVERIFY(wait_until(owned, milliseconds(500)));
    QVERIFY(wait_until([&] { return !run.running(); }, milliseconds(10'000)));
    QCOMPARE(run.history().summary.double_grants, std::uint64_t{0});
    QVERIFY(fleet_->comes_to_say(0, {"EXISTS", "simba:{orders}:contender"}, "0", milliseconds(3000)));
  }
};

LEASESCOPE_SUITE(RedisLegacyTest)
#include "redis_legacy_test.moc"
