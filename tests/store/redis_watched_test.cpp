// What a watch of a Redis says of the server itself: that it is a replica, whose master may know better.
#include "core/observe/watched_row.h"
#include "core/store/redis/server_role.h"
#include "core/store/types/types.h"
#include "tests/store/redis_fleet.h"
#include "tests/store/watching.h"
#include "tests/support/impostor.h"
#include "tests/support/impostor_words.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kRelease = RequestKind::kRelease;

WatchTerms often() {
  WatchTerms out;
  out.look.sweep = milliseconds(300);
  return out;
}

const std::vector<std::string>& remarks(const Watching& watch) { return watch.watch.stores()[0]->remarks; }

bool is_told(const Watching& watch, const std::string& part, milliseconds within = milliseconds(3000)) {
  return wait_until(
      [&] {
        for (const std::string& each : remarks(watch))
          if (each.find(part) != std::string::npos) return true;
        return false;
      },
      within);
}

redis::RespValue read(const std::string& bytes) {
  redis::RespReader reader;
  reader.feed(bytes);
  const auto value = reader.next();
  return value && *value ? **value : redis::RespValue{};
}
redis::RespValue text(const std::string& info) { return read(bulk(info)); }

}  // namespace

class RedisWatchedTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

 private slots:
  void whatAServerSaysOfItselfIsRead() {
    const auto hello = [](const std::string& mode, const std::string& role) {
      return read("*8\r\n" + bulk("id") + ":7\r\n" + bulk("mode") + bulk(mode) + bulk("role") + bulk(role) +
                  bulk("modules") + "*0\r\n");
    };
    const auto master = redis::read_role(hello("standalone", "master"));
    QVERIFY(master && !master->is_replica && !master->is_of_cluster && !master->hears_a_part());
    QVERIFY(redis::read_role(hello("standalone", "replica"))->is_replica);
    QVERIFY(redis::read_role(hello("cluster", "master"))->is_of_cluster);
    // As INFO has it, on servers that know no HELLO.
    const auto old = redis::read_role(text("# Server\r\nredis_mode:cluster\r\n# Replication\r\nrole:slave\r\n"));
    QVERIFY(old && old->is_replica && old->is_of_cluster);
    const auto alone = redis::read_role(text("redis_mode:standalone\r\nrole:master\r\nmaster_role:x"));
    QVERIFY(alone && !alone->hears_a_part());
    QVERIFY(redis::remark_on(*alone, Endpoint{}).empty());
    QVERIFY(redis::remark_on(*old, Endpoint{}).find("is a replica in a cluster, which tells of no key") !=
            std::string::npos);
    for (const char* nothing : {"-NOPERM this user\r\n", "$-1\r\n", "*0\r\n", ":1\r\n", "$2\r\nhi\r\n"})
      QVERIFY2(!redis::read_role(read(nothing)), nothing);
  }

  // To whoever has a watcher's rights alone, too.
  void aReplicaIsSaidToBeOneUntilItIsNone() {
    RedisFleet fleet;
    const std::size_t master = fleet.add({"--repl-diskless-sync-delay", "0"});
    const std::size_t replica = fleet.add({"--replicaof", "127.0.0.1 " + std::to_string(fleet.port(master))});
    QVERIFY(fleet.started());
    QVERIFY(fleet.comes_to_say(replica, {"INFO", "replication"}, "master_link_status:up", milliseconds(10'000)));
    QCOMPARE(fleet.ask(replica, {"ACL", "SETUSER", "watcher", "on", ">look", "~simba:*", "&simba:*", "+@read", "+ping",
                                 "+psubscribe", "+pubsub|numsub"}),
             std::string("OK"));
    Client a(loop_, names_, fleet.url(master), "a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(60'000)).error.empty());
    StoreUrl url = fleet.url(replica);
    url.user = "watcher";
    url.password = "look";
    const Watching of_master(loop_, fleet.url(master), often());
    Watching watch(loop_, url, often());
    QVERIFY(watch.sees("orders", "a") && of_master.sees("orders", "a"));
    const std::string name = "127.0.0.1:" + std::to_string(fleet.port(replica));
    QVERIFY(is_told(watch, name + " is a replica: what is seen there lags behind its master"));
    // Who listens does so at the master.
    QVERIFY(!watch.find("orders")->book.last().waiters && of_master.find("orders")->book.last().waiters);
    wait_until([] { return false; }, milliseconds(1000));  // it is said once, however often it is asked
    QCOMPARE(remarks(watch).size(), std::size_t{1});
    QVERIFY2(remarks(of_master).empty(), remarks(of_master).empty() ? "" : remarks(of_master)[0].c_str());
    a.ask(kRelease, "orders");
    QVERIFY(watch.sees("orders", "-"));
    QCOMPARE(fleet.ask(replica, {"REPLICAOF", "NO", "ONE"}), std::string("OK"));
    QVERIFY(is_told(watch, name + " is a master"));
  }

  // Who may not listen looks at each poll, and counts those who do once a sweep.
  void waitersAreAsOldAsTheirCount() {
    RedisFleet fleet;
    const std::size_t server = fleet.add({});
    QVERIFY(fleet.started());
    QCOMPARE(fleet.ask(server,
                       {"ACL", "SETUSER", "watcher", "on", ">look", "~simba:*", "+@read", "+ping", "+pubsub|numsub"}),
             std::string("OK"));
    Client a(loop_, names_, fleet.url(server), "a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, "orders", milliseconds(60'000)).error.empty());
    StoreUrl url = fleet.url(server);
    url.user = "watcher";
    url.password = "look";
    const Watching watch(loop_, url);
    QVERIFY(watch.sees("orders", "a"));
    WatchedRow row;
    const bool old = wait_until(
        [&] {
          row = row_of(*watch.find("orders"), loop_.now());
          return row.waiters_age > Duration(milliseconds(1000)) && row.age < milliseconds(500);
        },
        milliseconds(6000));
    QVERIFY2(old, row.waiters_age ? std::to_string(row.waiters_age->count()).c_str() : "none is counted");
    QVERIFY2(counted_text(row).find("counted 1.") == 0, counted_text(row).c_str());
  }

  void aServerThatSaysNothingOfItselfIsSaidToDoSo() {
    const Impostor old([](Peer& peer, int) {
      for (auto words = peer.hear_command(); !words.empty(); words = peer.hear_command()) {
        const bool refused = words.front() == "HELLO" || words.front() == "INFO";
        if (!peer.say(refused ? "-ERR unknown command\r\n" : redis_answer(words))) return;
      }
    });
    StoreUrl url;
    url.type = &redis::store_type();
    url.given = true;
    url.endpoint.port = old.port();
    const Watching watch(loop_, url);
    QVERIFY(is_told(watch, "whether it is a replica or a node of a cluster it does not say: ERR unknown command"));
  }
};

LEASESCOPE_SUITE(RedisWatchedTest)
#include "redis_watched_test.moc"
