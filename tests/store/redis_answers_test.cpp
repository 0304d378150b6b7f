// What a real Redis may answer in the midst of a run, and what becomes of the call and of the line.
#include "tests/store/redis_fleet.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr RequestKind kSubscribe = RequestKind::kSubscribe;

const std::vector<std::string> kMutexes{"orders"};

}  // namespace

// The server refused, and said so.
#define QVERIFY_SAID(ended, words)                                             \
  do {                                                                         \
    const Told each = (ended);                                                 \
    QCOMPARE(each.reply.ending, Ending::kFailed);                              \
    QVERIFY(each.reply.refused);                                               \
    QVERIFY2(each.error.find(words) != std::string::npos, each.error.c_str()); \
  } while (false)

class RedisAnswersTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  std::unique_ptr<RedisFleet> fleet_;

  std::string rule(const std::vector<std::string>& words) { return fleet_->ask(0, words); }
  void configure(const std::string& name, const std::string& value) {
    QCOMPARE(rule({"CONFIG", "SET", name, value}), std::string("OK"));
  }
  static std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> out;
    for (const QString& word : QString::fromStdString(line).split(' ', Qt::SkipEmptyParts))
      out.push_back(word.toStdString());
    return out;
  }

 private slots:
  void init() {
    fleet_ = std::make_unique<RedisFleet>();
    fleet_->add({});
    QVERIFY2(fleet_->started(), fleet_->said(0).c_str());
  }
  void cleanup() { fleet_.reset(); }

  void scriptsThatAreForgottenInTheMidstAreSentAgain() {
    Client a(loop_, names_, fleet_->url(0), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.ask(kAcquire, "orders").error, std::string());
    for (const RequestKind kind : {kGuard, kAcquire, kRelease}) {
      QCOMPARE(rule({"SCRIPT", "FLUSH"}), std::string("OK"));
      const Told answered = a.ask(kind, "orders");
      QVERIFY2(answered.reply.ending == Ending::kOk && answered.reply.done, answered.error.c_str());
    }
    QVERIFY(a.reasons.empty());
  }

  void aKilledClientComesBackAndHearsAgain() {
    Client a(loop_, names_, fleet_->url(0), "0:1@a"), b(loop_, names_, fleet_->url(0), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QCOMPARE(b.ask(kSubscribe, "orders").error, std::string());
    for (int i = 0; i < 3; ++i) {
      rule({"CLIENT", "KILL", "TYPE", "normal"});
      rule({"CLIENT", "KILL", "TYPE", "pubsub"});
      QVERIFY(wait_until([&] { return !b.connected(); }, milliseconds(2000)));
      QVERIFY(a.connects() && b.connects());
      QVERIFY(fleet_->comes_to_say(0, {"PUBSUB", "NUMSUB", "simba:{orders}"}, "simba:{orders} 1", milliseconds(2000)));
      b.events.clear();
      QCOMPARE(a.ask(kAcquire, "orders").error, std::string());
      QVERIFY(b.hears(StoreEventKind::kAcquired, "0:1@a"));
      QVERIFY(a.ask(kRelease, "orders").reply.done);
    }
  }

  // What frees memory is served all the same.
  void aServerOutOfMemoryRefusesAndServesAgain() {
    Client a(loop_, names_, fleet_->url(0), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.ask(kAcquire, "orders").error, std::string());
    configure("maxmemory", "1");
    QVERIFY_SAID(a.ask(kGuard, "orders"), "OOM");
    QVERIFY(a.ask(kRelease, "orders").reply.done);
    QVERIFY_SAID(a.ask(kAcquire, "orders"), "OOM");
    configure("maxmemory", "0");
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QVERIFY(a.reasons.empty());
  }

  void aServerThatBecomesAReplicaRefusesUntilItIsNone() {
    Client a(loop_, names_, fleet_->url(0), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(rule({"REPLICAOF", "127.0.0.1", "1"}), std::string("OK"));
    QVERIFY_SAID(a.ask(kAcquire, "orders"), "READONLY");
    QCOMPARE(rule({"REPLICAOF", "NO", "ONE"}), std::string("OK"));
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
  }

  void aReplicaWithoutItsMasterSaysSo() {
    Client a(loop_, names_, fleet_->url(0), "0:1@a");
    QVERIFY(a.connects());
    configure("replica-serve-stale-data", "no");
    QCOMPARE(rule({"REPLICAOF", "127.0.0.1", "1"}), std::string("OK"));
    QVERIFY_SAID(a.ask(kAcquire, "orders"), "MASTERDOWN");
    const auto looked = probe(fleet_->url(0), kMutexes);
    QVERIFY(!looked);
    for (const char* word : {"MASTERDOWN", "wait until it is ready"})
      QVERIFY2(looked.error().find(word) != std::string::npos, looked.error().c_str());
    QCOMPARE(rule({"REPLICAOF", "NO", "ONE"}), std::string("OK"));
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
  }

  // Its data come back after a restart: until then nobody is served, and a line does not stand.
  void aServerThatLoadsItsDataIsWaitedFor() {
    Client a(loop_, names_, fleet_->url(0), "0:1@a");
    QVERIFY(a.connects());
    rule({"DEBUG", "POPULATE", "2000"});
    configure("key-load-delay", "1000");
    configure("loading-process-events-interval-bytes", "1024");
    fleet_->begin_to_ask(0, {"DEBUG", "RELOAD"});
    QVERIFY(fleet_->comes_to_say(0, {"PING"}, "LOADING", milliseconds(3000)));
    QVERIFY_SAID(a.ask(kAcquire, "orders"), "LOADING");
    const auto looked = probe(fleet_->url(0), kMutexes);
    QVERIFY(!looked);
    for (const char* word : {"LOADING", "wait until it is ready"})
      QVERIFY2(looked.error().find(word) != std::string::npos, looked.error().c_str());
    Client b(loop_, names_, fleet_->url(0), "0:2@b");
    QVERIFY(wait_until([&] { return !b.reasons.empty(); }, milliseconds(2000)));
    QVERIFY2(b.reasons.front().find("LOADING") != std::string::npos, b.reasons.front().c_str());
    QVERIFY(b.connects(milliseconds(10'000)));
    QVERIFY(b.ask(kAcquire, "orders").reply.done);
  }

  void aServerBusyWithAScriptIsWaitedFor() {
    Client a(loop_, names_, fleet_->url(0), "0:1@a");
    QVERIFY(a.connects());
    configure("busy-reply-threshold", "50");
    fleet_->begin_to_ask(0, {"EVAL", "while true do end", "0"});
    QVERIFY(fleet_->comes_to_say(0, {"PING"}, "BUSY", milliseconds(3000)));
    QVERIFY_SAID(a.ask(kAcquire, "orders"), "BUSY");
    const auto looked = probe(fleet_->url(0), kMutexes);
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("wait until it is ready") != std::string::npos, looked.error().c_str());
    rule({"SCRIPT", "KILL"});
    QVERIFY(fleet_->comes_to_say(0, {"PING"}, "PONG", milliseconds(3000)));  // it ends a moment after that
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
  }

  void rightsThatAreTakenAwayInTheMidstAreNamed() {
    rule(words_of("ACL SETUSER me on >pw ~* &* +@all"));
    StoreUrl url = fleet_->url(0);
    url.user = "me";
    url.password = "pw";
    Client a(loop_, names_, url, "0:1@a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    rule(words_of("ACL SETUSER me -evalsha"));
    QVERIFY_SAID(a.ask(kGuard, "orders"), "NOPERM");
    rule(words_of("ACL SETUSER me +evalsha resetkeys"));
    QVERIFY_SAID(a.ask(kGuard, "orders"), "NOPERM");
    rule(words_of("ACL SETUSER me ~simba:{orders}*"));
    QVERIFY(a.ask(kGuard, "orders").reply.done);
    QVERIFY(a.reasons.empty());
  }

  // The rule that the look before a run names is enough, and nothing in it is too much.
  void theLeastRightsAreTheOnesThatAreNamed() {
    const std::string none = "ACL SETUSER me reset on >pw";
    rule(words_of(none));
    StoreUrl url = fleet_->url(0);
    url.user = "me";
    url.password = "pw";
    url.database = "2";
    const auto looked = probe(url, kMutexes);
    QVERIFY(!looked);
    const std::size_t at = looked.error().find("ACL SETUSER me ");
    QVERIFY2(at != std::string::npos, looked.error().c_str());
    const std::vector<std::string> least = words_of(looked.error().substr(at));
    rule(least);
    const auto again = probe(url, kMutexes);
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    Client a(loop_, names_, url, "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.ask(kSubscribe, "orders").error, std::string());
    for (const RequestKind kind : {kAcquire, kGuard, kRelease, RequestKind::kUnsubscribe})
      QCOMPARE(a.ask(kind, "orders").error, std::string());
    QCOMPARE(rule({"ACL", "DRYRUN", "me", "GET", "simba:{others}"}).find("has no permissions") != std::string::npos,
             true);
    for (std::size_t i = 3; i < least.size(); ++i) {
      if (least[i] == "+script|load") continue;  // its absence costs a way there and back, no more
      rule(words_of(none));
      std::vector<std::string> less = least;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      rule(less);
      const auto without = probe(url, kMutexes);
      QVERIFY2(!without, least[i].c_str());
      QVERIFY2(without.error().find(least[i]) != std::string::npos, without.error().c_str());
    }
  }

  void aDatabaseNumberIsWhereTheKeysAre() {
    StoreUrl url = fleet_->url(0);
    url.database = "3";
    QVERIFY(probe(url, kMutexes).has_value());
    Client a(loop_, names_, url, "0:1@a"), b(loop_, names_, fleet_->url(0), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QVERIFY(a.ask(kAcquire, "orders").reply.done);
    QVERIFY(b.ask(kAcquire, "orders").reply.done);  // another database is another store
    QCOMPARE(rule({"INFO", "keyspace"}).find("db3:keys=3") != std::string::npos, true);
    url.database = "99";
    const auto looked = probe(url, kMutexes);
    QVERIFY(!looked);
    for (const char* word : {"DB index is out of range", "name a database that it has"})
      QVERIFY2(looked.error().find(word) != std::string::npos, looked.error().c_str());
  }
};

LEASESCOPE_SUITE(RedisAnswersTest)
#include "redis_answers_test.moc"
