// What processes believe, by the messages of their store: told, heard, and refused.
#include "core/observe/belief_outlet.h"
#include "core/observe/watched_row.h"
#include "core/store/belief_ways.h"
#include "core/store/mysql/store_type.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

WatchTerms with_beliefs() {
  WatchTerms out;
  out.look.beliefs = true;
  return out;
}

// So many say of it that they own.
bool believe(const Watching& watch, const std::string& mutex, std::size_t owners) {
  return wait_until(
      [&] {
        const WatchedMutex* const of = watch.find(mutex);
        return of != nullptr && of->beliefs != nullptr && of->beliefs->owners() == owners;
      },
      milliseconds(4000));
}

bool is_told(const Watching& watch, const std::string& remark) {
  const std::vector<std::string>& all = watch.watch.stores()[0]->remarks;
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& each) { return each.find(remark) != std::string::npos; });
}

}  // namespace

class BeliefsTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

  // By that store's channel: told again and again until it is heard, as renewals are.
  void areHeard(const StoreType& type) {
    PrivateServer server(type);
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QVERIFY(probe(server.url()).has_value());
    Client a(loop_, names_, server.url(), "a");
    QVERIFY(a.connects());
    const auto held = a.ask(RequestKind::kAcquire, "orders", milliseconds(20'000));
    QVERIFY2(held.error.empty(), held.error.c_str());
    Watching watch(loop_, server.url(), with_beliefs());
    QVERIFY(watch.sees("orders", "a"));
    std::string refused;
    const auto outlet = open_belief_outlet(loop_, {}, server.url(), [&](const std::string& why) { refused = why; });
    const auto says = [&](const char* who, std::size_t owners) {
      for (int i = 0; i < 20; ++i) {
        outlet->owns("orders", who, held.reply.token, loop_.now() + milliseconds(15'000));
        if (wait_until(
                [&] { return watch.find("orders")->beliefs && watch.find("orders")->beliefs->owners() >= owners; },
                milliseconds(200)))
          return true;
      }
      return false;
    };
    QVERIFY2(says("a", 1), refused.c_str());
    const ToldBelief& told = watch.find("orders")->beliefs->all()[0];
    QCOMPARE(told.said.fence, held.reply.token);
    QVERIFY(told.hi <= told.heard && told.until_hi > loop_.now() + milliseconds(10'000));
    // Ours and its are one clock here.
    const std::int64_t epoch =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count() -
        loop_.now().time_since_epoch().count();
    QVERIFY(told.offset && told.offset->most + epoch > -2'000'000 && told.offset->most + epoch < 500'000'000);
    QVERIFY2(says("b", 2), refused.c_str());
    QVERIFY(row_of(*watch.find("orders"), loop_.now()).at_odds);
    outlet->stopped("orders", "b");
    QVERIFY(believe(watch, "orders", 1));
    outlet->not_owner("orders", "a");
    QVERIFY(believe(watch, "orders", 0));
    const QStringList events = watch.told("orders");
    QVERIFY2(events.count("disbelieved") == 2 && events.contains("believed"), qPrintable(events.join(' ')));
    QCOMPARE(refused, std::string());
  }

 private slots:
  void onRedisTheyAreHeard() { areHeard(redis::store_type()); }
  void onPostgresTheyAreHeard() { areHeard(postgres::store_type()); }

  // Where the messages of the mutexes are allowed and those are not, all else is seen as before.
  void whereRightsRefuseThemTheRestIsSeen() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    redis::Asker admin(milliseconds(60'000));
    QVERIFY(admin.connect(server.url()).has_value());
    told(admin, {"ACL", "SETUSER", "watcher", "reset", "on", ">look", "~simba:*", "&simba:*", "+@read", "+ping",
                 "+subscribe", "+psubscribe", "+pubsub|numsub"});
    StoreUrl url = server.url();
    url.user = "watcher";
    url.password = "look";
    Client a(loop_, names_, server.url(), "a"), b(loop_, names_, server.url(), "b");
    QVERIFY(a.connects() && b.connects());
    QVERIFY(a.ask(RequestKind::kAcquire, "orders", milliseconds(20'000)).error.empty());
    Watching watch(loop_, url, with_beliefs());
    QVERIFY(watch.sees("orders", "a"));
    QVERIFY(wait_until([&] { return is_told(watch, "beliefs are not observed: "); }, milliseconds(3000)));
    QVERIFY(!is_told(watch, "nobody tells of them"));
    // A change is told by a message: no look is due before the sweep.
    QVERIFY(a.ask(RequestKind::kRelease, "orders").error.empty());
    QVERIFY(watch.sees("orders", "-"));
  }
  void whoMayNotPublishHearsWhyOnce() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    redis::Asker admin(milliseconds(60'000));
    QVERIFY(admin.connect(server.url()).has_value());
    told(admin, {"ACL", "SETUSER", "quiet", "reset", "on", ">look", "+ping"});
    StoreUrl url = server.url();
    url.user = "quiet";
    url.password = "look";
    std::vector<std::string> refused;
    const auto outlet = open_belief_outlet(loop_, {}, url, [&](const std::string& why) { refused.push_back(why); });
    outlet->waits("orders", "a");
    QVERIFY(wait_until([&] { return !refused.empty(); }, milliseconds(3000)));
    outlet->waits("orders", "a");
    wait_until([] { return false; }, milliseconds(200));
    QCOMPARE(refused.size(), std::size_t{1});
    QVERIFY2(refused[0].find("NOPERM") == 0, refused[0].c_str());
  }
  void aStoreWithoutMessagesHasNoChannel() {
    for (const StoreType* type : {&mysql::store_type(), &zookeeper::store_type()}) {
      StoreUrl url;
      url.type = type;
      const auto has = check_belief_way({}, url);
      QVERIFY(!has && has.error().find("expected unix:PATH") != std::string::npos);
      QVERIFY(check_belief_way({"/run/b.sock"}, url).has_value());
    }
  }
};

LEASESCOPE_SUITE(BeliefsTest)
#include "beliefs_test.moc"
