// Whoever watches only reads: rights to read suffice, and nothing else arrives at the server.
#include <QRegularExpression>
#include <set>

#include "core/store/postgres/asker.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kRelease = RequestKind::kRelease;

redis::RespValue told(redis::Asker& server, const redis::Asker::Words& words) {
  const auto answer = server.ask(words);
  if (!answer) qFatal("%s: %s", words.front().c_str(), answer.error().c_str());
  if (answer->kind == redis::RespValue::Kind::kError) qFatal("%s: %s", words.front().c_str(), answer->text.c_str());
  return *answer;
}

// The commands that the server has carried out since its counts were set back.
std::set<std::string> received(redis::Asker& server) {
  std::set<std::string> out;
  const QString text = QString::fromStdString(told(server, {"INFO", "commandstats"}).text);
  static const QRegularExpression line(QStringLiteral("cmdstat_([^:]+):"));
  for (auto match = line.globalMatch(text); match.hasNext();) out.insert(match.next().captured(1).toStdString());
  return out;
}

}  // namespace

class ObserverRightsTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

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
    const std::set<std::string> reads{"auth", "ping", "scan", "pttl", "mget", "pubsub|numsub", "zrange", "psubscribe"};
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
    a.ask(kRelease, "orders");
    QVERIFY(watch.sees("orders", "-", kPoll + milliseconds(200)));
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
    QVERIFY2(watch.watch.stores()[0]->why.find("permission denied") != std::string::npos,
             watch.watch.stores()[0]->why.c_str());
    QVERIFY(admin.ask("grant select on simba_mutex to watcher").has_value());
    QVERIFY(watch.sees("orders", "a"));
  }
};

LEASESCOPE_SUITE(ObserverRightsTest)
#include "observer_rights_test.moc"
