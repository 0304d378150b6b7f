// How far a server's clock is ahead of ours, as the answers to whoever watches tell: servers of this machine have its.
#include <chrono>

#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/mysql_kinds.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class ObserverClockTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

  static std::optional<ClockOffset::Estimate> clock_of(const Watching& watch) {
    return watch.watch.stores()[0]->observer->figures().clock;
  }
  // What our wall clock showed when the loop's was zero.
  Duration wall_at_zero() const {
    return Duration(std::chrono::system_clock::now().time_since_epoch()) - loop_.now().time_since_epoch();
  }
  void agrees(const StoreType& type) {
    PrivateServer server(type);
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QVERIFY(probe(server.url()).has_value());
    Client a(loop_, names_, server.url(), "a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(RequestKind::kAcquire, "orders", milliseconds(20'000)).error.empty());
    const Watching watch(loop_, server.url());
    QVERIFY(!clock_of(watch));
    QVERIFY(watch.sees("orders", "a"));
    QVERIFY(wait_until([&] { return clock_of(watch).has_value(); }, milliseconds(3000)));
    const ClockOffset::Estimate told = *clock_of(watch);
    QVERIFY(told.bound > Duration::zero() && told.bound < milliseconds(500));
    const Duration off = told.at_zero - wall_at_zero();
    QVERIFY2((off < Duration::zero() ? -off : off) <= told.bound + milliseconds(1),
             fmt::format("{} ns off, {} ns at most", off.count(), told.bound.count()).c_str());
  }

 private slots:
  void onRedis() { agrees(redis::store_type()); }
  void onPostgres() { agrees(postgres::store_type()); }
  void onMysql() { agrees(mysql_with_schema()); }

  // Its answers tell no time.
  void ofAZookeeperNothingIsKnown() {
    PrivateServer server(zookeeper::store_type());
    QVERIFY(server.start().has_value());
    const Watching watch(loop_, server.url());
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(5000)));
    QVERIFY(!clock_of(watch));
  }
  // Who may not ask for the time is refused once, and sees everything else.
  void whoMayNotAskARedisForTheTimeSeesTheRest() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    redis::Asker admin(milliseconds(60'000));
    QVERIFY(admin.connect(server.url()).has_value());
    told(admin, {"ACL", "SETUSER", "watcher", "reset", "on", ">look", "~simba:*", "&simba:*", "+@read", "+ping",
                 "+psubscribe", "+pubsub|numsub"});
    Client a(loop_, names_, server.url(), "a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(RequestKind::kAcquire, "orders", milliseconds(20'000)).error.empty());
    StoreUrl url = server.url();
    url.user = "watcher";
    url.password = "look";
    WatchTerms terms;
    terms.look.sweep = milliseconds(100);
    const Watching watch(loop_, url, terms);
    QVERIFY(watch.sees("orders", "a"));
    wait_until([] { return false; }, milliseconds(500));
    QVERIFY(!clock_of(watch) && watch.watch.stores()[0]->remarks.empty());
    const std::string stats = told(admin, {"INFO", "commandstats"}).text;
    const std::size_t line = stats.find("cmdstat_time:");
    QVERIFY2(line != std::string::npos &&
                 stats.substr(line, stats.find('\n', line) - line).find("rejected_calls=1,") != std::string::npos,
             stats.c_str());
  }
};

LEASESCOPE_SUITE(ObserverClockTest)
#include "observer_clock_test.moc"
