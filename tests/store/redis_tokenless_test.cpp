// Calls as contenders up to 3.1 make them, on a real server: a text for an answer, no token, and a queue of which a
// release wakes the first; beside contenders of later generations, which never own at the same time.
#include "core/store/types/types.h"
#include "tests/store/redis_fleet.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr RequestKind kSubscribe = RequestKind::kSubscribe;
constexpr RequestKind kUnsubscribe = RequestKind::kUnsubscribe;

const std::string kA = "0:1@a", kB = "0:2@b", kC = "0:3@c";

}  // namespace

class RedisTokenlessTest : public QObject {
  Q_OBJECT

  using Words = RedisFleet::Words;

  QtLoop loop_;
  PlainNames names_;
  std::unique_ptr<RedisFleet> fleet_;

  std::unique_ptr<Client> client(const std::string& id, Wire wire = Wire::kTokenless, bool legacy = false) {
    StoreUrl url = fleet_->url(0);
    if (legacy) url.options["legacy"] = "on";
    auto out = std::make_unique<Client>(loop_, names_, url, id);
    out->wire = wire;
    return out->connects() ? std::move(out) : nullptr;
  }
  // It hears what it is told, too.
  std::unique_ptr<Client> listener(const std::string& id, Wire wire = Wire::kTokenless, bool legacy = false) {
    auto out = client(id, wire, legacy);
    return out && out->ask(kSubscribe, "orders").error.empty() ? std::move(out) : nullptr;
  }
  std::string ask(const Words& words) const { return fleet_->ask(0, words); }
  std::string queue() const { return ask({"ZRANGE", "simba:{orders}:contender", "0", "-1"}); }
  std::string keys() const {
    std::vector<std::string> all;
    for (const QString& key : QString::fromStdString(ask({"KEYS", "*"})).split(' ', Qt::SkipEmptyParts))
      all.push_back(key.toStdString());
    std::sort(all.begin(), all.end());
    std::string out;
    for (const std::string& key : all) out += (out.empty() ? "" : " ") + key;
    return out;
  }

 private slots:
  void init() {
    fleet_ = std::make_unique<RedisFleet>();
    fleet_->add({});
    QVERIFY(fleet_->started());
  }
  void cleanup() { fleet_.reset(); }

  // ---- one contender

  void aLeaseIsTakenRenewedAndGivenBackWithoutAToken() {
    const auto a = client(kA);
    QVERIFY(a);
    const Told taken = a->ask(kAcquire, "orders", milliseconds(20'000));
    QCOMPARE(a->owner_in(taken), kA);
    QCOMPARE(taken.reply.remaining, Duration(milliseconds(20'000)));
    QCOMPARE(taken.reply.token, kNoToken);
    QCOMPARE(keys(), std::string("simba:{orders}"));
    ask({"PEXPIRE", "simba:{orders}", "1000"});
    const Told renewed = a->ask(kGuard, "orders", milliseconds(20'000));
    QCOMPARE(a->owner_in(renewed), kA);
    QCOMPARE(renewed.reply.remaining, Duration(milliseconds(20'000)));
    QVERIFY(std::stoll(ask({"PTTL", "simba:{orders}"})) > 19'000);
    QVERIFY(a->ask(kRelease, "orders").reply.done);
    QCOMPARE(keys(), std::string());
  }

  void whereNobodyHoldsAGuardIsToldSo() {
    const auto a = client(kA);
    QVERIFY(a);
    const Told told = a->ask(kGuard, "orders");
    QCOMPARE(told.error, std::string());
    QVERIFY(told.reply.owner.empty());
    QCOMPARE(told.reply.remaining, Duration::zero());
    QCOMPARE(keys(), std::string());
  }

  // With its weakness: it stands in the queue from then on, and its own release will wake itself.
  void whoAsksForWhatItHoldsQueuesUpAndKeepsTheRest() {
    const auto a = listener(kA), b = listener(kB);
    QVERIFY(a && b);
    a->ask(kAcquire, "orders", milliseconds(20'000));
    ask({"PEXPIRE", "simba:{orders}", "5000"});
    const Told again = a->ask(kAcquire, "orders", milliseconds(20'000));
    QCOMPARE(a->owner_in(again), kA);
    QVERIFY(again.reply.remaining <= milliseconds(5000) && again.reply.remaining > milliseconds(3000));
    QCOMPARE(queue(), kA);
    ask({"ZADD", "simba:{orders}:contender", "9999999999", kB});  // behind it
    QVERIFY(a->ask(kRelease, "orders").reply.done);
    QVERIFY(a->hears(StoreEventKind::kReleased, kA));
    QVERIFY(!b->hears(StoreEventKind::kReleased, kA, milliseconds(300)));
    QCOMPARE(queue(), kB);
  }

  void aScriptTheServerHasForgottenIsSentAgain() {
    const auto a = client(kA);
    QVERIFY(a);
    for (const RequestKind kind : {kAcquire, kGuard, kRelease}) {
      ask({"SCRIPT", "FLUSH"});
      const Told told = a->ask(kind, "orders");
      QVERIFY2(told.reply.ending == Ending::kOk, told.error.c_str());
    }
  }

  void aKeyWithoutExpiryIsReportedAsEndless() {
    const auto a = client(kA);
    QVERIFY(a);
    ask({"SET", "simba:{orders}", "other"});
    const Told refused = a->ask(kAcquire, "orders");
    QCOMPARE(a->owner_in(refused), std::string("other"));
    QVERIFY(refused.reply.remaining < Duration::zero());
  }

  // "a@@b@@-1" has three fields.
  void anOwnerWhoseNameHidesTheEndOfTheLeaseFailsTheCallInWords() {
    const auto a = client(kA);
    QVERIFY(a);
    ask({"SET", "simba:{orders}", "a@@b"});
    for (const RequestKind kind : {kAcquire, kGuard}) {
      const Told told = a->ask(kind, "orders");
      QCOMPARE(told.reply.ending, Ending::kFailed);
      QVERIFY2(told.error.find("a@@b@@-1") != std::string::npos, told.error.c_str());
    }
    QVERIFY(a->connected());
  }

  // ---- the queue

  void aReleaseWakesWhoHasWaitedLongestAndNobodyElse() {
    const auto a = listener(kA), b = listener(kB), c = listener(kC);
    QVERIFY(a && b && c);
    a->ask(kAcquire, "orders");
    QCOMPARE(b->owner_in(b->ask(kAcquire, "orders")), kA);
    QCOMPARE(c->owner_in(c->ask(kAcquire, "orders")), kA);
    QCOMPARE(queue(), kB + " " + kC);  // of one second: in the order of their ids
    const std::string since = ask({"ZSCORE", "simba:{orders}:contender", kB});
    ask({"ZADD", "simba:{orders}:contender", "1", kC});  // who came first keeps its place
    c->ask(kAcquire, "orders");
    QCOMPARE(queue(), kC + " " + kB);
    QCOMPARE(ask({"ZSCORE", "simba:{orders}:contender", kB}), since);
    QVERIFY(a->ask(kRelease, "orders").reply.done);
    QVERIFY(c->hears(StoreEventKind::kReleased, kA));
    QVERIFY(!b->hears(StoreEventKind::kReleased, kA, milliseconds(300)));
    QCOMPARE(queue(), kB);
    QCOMPARE(c->owner_in(c->ask(kAcquire, "orders")), kC);
  }

  // Who won by its timer was not taken out: that is how up to 3.1 has it.
  void whoWinsByItsTimerStaysInTheQueue() {
    const auto a = client(kA), b = client(kB);
    QVERIFY(a && b);
    a->ask(kAcquire, "orders", milliseconds(200));
    b->ask(kAcquire, "orders");
    QVERIFY(wait_until([&] { return b->owner_in(b->ask(kAcquire, "orders")) == kB; }, milliseconds(3000)));
    QCOMPARE(queue(), kB);
  }

  void whoStopsWaitingLeavesTheQueueByItsRelease() {
    const auto a = listener(kA), b = listener(kB);
    QVERIFY(a && b);
    a->ask(kAcquire, "orders");
    b->ask(kAcquire, "orders");
    QCOMPARE(queue(), kB);
    QCOMPARE(b->ask(kUnsubscribe, "orders").error, std::string());
    QCOMPARE(queue(), kB);
    QVERIFY(!b->ask(kRelease, "orders").reply.done);
    QCOMPARE(queue(), std::string());
    QCOMPARE(ask({"GET", "simba:{orders}"}), kA);
  }

  // ---- beside later generations

  void neverTwoOwnersWhicheverOwns_data() {
    QTest::addColumn<int>("wire");
    QTest::addColumn<bool>("legacy");
    QTest::newRow("ours") << static_cast<int>(Wire::kTerm) << false;
    QTest::newRow("ours in the queue") << static_cast<int>(Wire::kTerm) << true;
    QTest::newRow("4.x") << static_cast<int>(Wire::kFenced) << false;
  }
  void neverTwoOwnersWhicheverOwns() {
    QFETCH(int, wire);
    QFETCH(bool, legacy);
    const auto old = client(kA), later = client(kB, static_cast<Wire>(wire), legacy);
    QVERIFY(old && later);
    QCOMPARE(later->owner_in(later->ask(kAcquire, "orders")), kB);
    QCOMPARE(old->owner_in(old->ask(kAcquire, "orders")), kB);
    QCOMPARE(old->owner_in(old->ask(kGuard, "orders")), kB);
    QVERIFY(!old->ask(kRelease, "orders").reply.done);
    QCOMPARE(ask({"GET", "simba:{orders}"}), kB);
    QVERIFY(later->ask(kRelease, "orders").reply.done);
    QCOMPARE(old->owner_in(old->ask(kAcquire, "orders")), kA);
    const Told refused = later->ask(kAcquire, "orders");
    QCOMPARE(later->owner_in(refused), kA);
    QCOMPARE(refused.reply.token, kNoToken);
    QVERIFY(!later->ask(kRelease, "orders").reply.done);
    QCOMPARE(ask({"GET", "simba:{orders}"}), kA);
    QVERIFY(old->ask(kRelease, "orders").reply.done);
    const Told taken = later->ask(kAcquire, "orders");
    QCOMPARE(later->owner_in(taken), kB);
    QCOMPARE(taken.reply.token, Token{2});  // the term in between took none
  }

  // Ours waits in the same queue, and its release tells all who listen.
  void eachWakesTheOtherWhereOursTakesPartInTheQueue() {
    const auto old = listener(kA), ours = listener(kB, Wire::kTerm, true);
    QVERIFY(old && ours);
    old->ask(kAcquire, "orders");
    ours->ask(kAcquire, "orders");
    QCOMPARE(queue(), kB);
    QVERIFY(old->ask(kRelease, "orders").reply.done);
    QVERIFY(ours->hears(StoreEventKind::kReleased, kA));
    QVERIFY(ours->ask(kAcquire, "orders").reply.done);
    QCOMPARE(old->owner_in(old->ask(kAcquire, "orders")), kB);
    QCOMPARE(queue(), kA);
    QVERIFY(ours->ask(kRelease, "orders").reply.done);
    QVERIFY(old->hears(StoreEventKind::kReleased, kB));
    QCOMPARE(old->owner_in(old->ask(kAcquire, "orders")), kA);
  }

  // What the recordings of a mixed fleet show: 4.x is in no queue, and comes by its timer.
  void aReleaseUpTo31IsNotHeardBy4xAndThatOf4xIsHeardByAll() {
    const auto old = listener(kA), later = listener(kB, Wire::kFenced);
    QVERIFY(old && later);
    old->ask(kAcquire, "orders");
    later->ask(kAcquire, "orders");
    old->ask(kRelease, "orders");
    QVERIFY(!later->hears(StoreEventKind::kReleased, kA, milliseconds(300)));
    later->ask(kAcquire, "orders");
    old->ask(kAcquire, "orders");
    later->ask(kRelease, "orders");
    QVERIFY(old->hears(StoreEventKind::kReleased, kB));
  }

  // ---- rights, and where it is not spoken

  void theRightsThatTheLookNamesAreEnoughForEachCall() {
    ask({"ACL", "SETUSER", "me", "reset", "on", ">pw"});
    StoreUrl me = fleet_->url(0);
    me.user = "me";
    me.password = "pw";
    me.wake_up = WakeUp::kQueue;  // as a run with such a contender has it
    const auto looked = probe(me, {"orders"});
    QVERIFY(!looked);
    Words rule;
    for (const QString& word :
         QString::fromStdString(looked.error().substr(looked.error().find("ACL SETUSER"))).split(' '))
      rule.push_back(word.toStdString());
    QCOMPARE(ask(rule), std::string("OK"));
    QVERIFY(probe(me, {"orders"}).has_value());
    Client a(loop_, names_, me, kA), b(loop_, names_, me, kB);
    a.wire = b.wire = Wire::kTokenless;
    QVERIFY(a.connects() && b.connects());
    for (const RequestKind kind : {kSubscribe, kAcquire, kGuard}) QCOMPARE(a.ask(kind, "orders").error, std::string());
    for (const RequestKind kind : {kSubscribe, kAcquire}) QCOMPARE(b.ask(kind, "orders").error, std::string());
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, kA));
    QCOMPARE(b.ask(kUnsubscribe, "orders").error, std::string());
    QCOMPARE(b.ask(kRelease, "orders").error, std::string());
  }

  void otherStoresSayThatTheyDoNotSpeakIt_data() { each_lease_store(); }
  void otherStoresSayThatTheyDoNotSpeakIt() {
    const StoreType& type = this_store();
    PrivateServer server(type);
    QVERIFY(server.start().has_value());
    QVERIFY(probe(server.url()).has_value());
    Client a(loop_, names_, server.url(), kA);
    a.wire = Wire::kTokenless;
    QVERIFY(a.connects());
    const Told told = a.ask(kAcquire, "orders");
    QCOMPARE(told.error, std::string(type.wakes(WakeUp::kQueue)
                                         ? ""
                                         : "the calls of contenders up to 3.1 are not spoken to this store"));
  }
};

LEASESCOPE_SUITE(RedisTokenlessTest)
#include "redis_tokenless_test.moc"
