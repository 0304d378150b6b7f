// A private Redis with a replica, as faults have it: what gets through to the replica and when, and who leads.
#include <fmt/format.h>

#include "core/loop/qt/qt_loop.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/time/duration_text.h"
#include "simulator/live/private_server.h"
#include "simulator/live/replication.h"
#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

namespace {

constexpr milliseconds kLag{200};

// The server changes its leader twice, and who contends is led along.
constexpr const char* kTwice = R"(
schema = 1
title = "A replica takes over, and what led before takes over from it"
duration = "12s"
[mutex]
name = "orders"
ttl = "1s"
transition = "500ms"
[store]
model = "redis"
[store.redis]
replica = true
[[contender]]
count = 2
[[fault]]
at = "3s"
kind = "store_failover"
target = "store"
duration = "100ms"
[[fault]]
at = "7s"
kind = "store_failover"
target = "store"
duration = "100ms"
)";

std::string told(const StoreUrl& server, const redis::Asker::Words& words) {
  redis::Asker asker(seconds(5));
  auto ready = asker.connect(server);
  if (ready) ready = asker.greet(server);
  const auto answer = ready ? asker.ask(words) : tl::unexpected(ready.error());
  if (!answer) throw std::runtime_error(answer.error());
  return answer->text;
}

// A server with a replica that has all by now, and lags from now on.
class Pair {
 public:
  explicit Pair(const std::string& password = "") : server(redis::store_type(), options(password)) {
    check(server.start());
    way = std::make_unique<Replication>(loop_, server.url().endpoint, kLag);
    check(way->open());
    check(server.follow(way->endpoint()));
    wait_for_replica();
    way->begin();
  }

  void wait_for_replica() {
    if (!wait_until([&] { return server.follows().value_or(false); }, seconds(20)))
      throw std::runtime_error("the replica does not come to what its leader holds");
  }
  void set(const std::string& key) const { told(server.url(), {"SET", key, "1"}); }
  bool replica_has(const std::string& key) const { return told(server.replica(), {"GET", key}) == "1"; }
  bool leader_has(const std::string& key) const { return told(server.url(), {"GET", key}) == "1"; }
  void fail_over() {
    way->cut();
    server.kill();
    way->lose();
    check(server.promote());
    way->heal();
    way->lead_from(server.url().endpoint);
    check(server.follow(way->endpoint()));
  }

 private:
  static PrivateServerOptions options(const std::string& password) {
    PrivateServerOptions out;
    out.password = password;
    out.replica = true;
    return out;
  }
  static void check(const tl::expected<void, std::string>& done) {
    if (!done) throw std::runtime_error(done.error());
  }

  QtLoop loop_;

 public:
  std::unique_ptr<Replication> way;
  PrivateServer server;
};

// What the store held, in the words of a test that fails.
std::string told_of(const LiveRun& run) {
  std::string out;
  for (const Event& event : run.history().events)
    if (event.kind == EventKind::kGranted || event.kind == EventKind::kExpired || event.kind == EventKind::kReleased)
      out += fmt::format("{} {} token {} from {} to {} s; ", static_cast<int>(event.kind),
                         run.history().names.text(event.node), event.token, format_seconds(event.lo - TrueTime{}),
                         format_seconds(event.hi - TrueTime{}));
  return out;
}

}  // namespace

class ReplicaTest : public QObject {
  Q_OBJECT
 private slots:
  void aReplicaHasWhatItsLeaderHadALagAgo() {
    Pair pair;
    const auto before = steady_clock::now();
    pair.set("it");
    QVERIFY(!pair.replica_has("it"));
    QVERIFY(wait_until([&] { return pair.replica_has("it"); }, seconds(5)));
    QVERIFY(steady_clock::now() - before >= kLag);
  }
  void aReplicaThatIsCutOffMissesWhatItsLeaderDoesAndGetsItAllAfterwards() {
    Pair pair;
    pair.set("before");
    QVERIFY(wait_until([&] { return pair.replica_has("before"); }, seconds(5)));
    pair.way->cut();
    pair.way->cut();
    pair.set("one");
    pair.set("other");
    QVERIFY(!wait_until([&] { return pair.replica_has("one"); }, 3 * kLag));
    pair.way->heal();
    QVERIFY(!wait_until([&] { return pair.replica_has("one"); }, kLag));
    pair.way->heal();
    QVERIFY(wait_until([&] { return pair.replica_has("other"); }, kLag));
    QVERIFY(pair.replica_has("one"));
  }
  void aReplicaLeadsWithWhatItHadGot() {
    Pair pair;
    pair.set("got");
    QVERIFY(wait_until([&] { return pair.replica_has("got"); }, seconds(5)));
    pair.set("late");
    const StoreUrl before = pair.server.url();
    pair.fail_over();
    QVERIFY(pair.server.url().endpoint.unix_path != before.endpoint.unix_path);
    QVERIFY(pair.leader_has("got"));
    QVERIFY(!pair.leader_has("late"));
    pair.set("since");  // it takes writes
    QVERIFY(pair.leader_has("since"));
    QVERIFY(!wait_until([&] { return pair.leader_has("late"); }, 2 * kLag));
  }
  void whatLedBeforeFollowsAndLeadsAgain() {
    Pair pair("hush");
    const StoreUrl first = pair.server.url();
    pair.fail_over();
    pair.set("of the second");
    QVERIFY(wait_until([&] { return pair.replica_has("of the second"); }, seconds(20)));
    pair.wait_for_replica();
    pair.fail_over();
    QCOMPARE(pair.server.url().endpoint.unix_path, first.endpoint.unix_path);
    QVERIFY(pair.leader_has("of the second"));
    QVERIFY(wait_until([&] { return pair.replica_has("of the second"); }, seconds(20)));
  }
  void aLeaderThatIsKilledAndComesBackWithoutMemoryHasNothingAndItsReplicaHasNothing() {
    Pair pair;
    pair.set("gone");
    QVERIFY(wait_until([&] { return pair.replica_has("gone"); }, seconds(5)));
    QVERIFY(pair.server.start_again().has_value());
    QVERIFY(!pair.leader_has("gone"));
    QVERIFY(wait_until([&] { return !pair.replica_has("gone"); }, seconds(20)));
  }
  void contendersAreLedToWhoeverLeads() {
    const auto twice = read_scenario(kTwice, "twice");
    QVERIFY2(twice.has_value(), twice ? "" : twice.error().text().c_str());
    Runs runs;
    QVERIFY2(runs.add("twice", *twice, "redis") != nullptr, runs.error.c_str());
    std::string trouble;
    connect(&runs.at("twice"), &LiveRun::troubled, this, [&](const std::string& why) { trouble = why; });
    QVERIFY(runs.play(seconds(30)));
    const LiveRun& run = runs.at("twice");
    QCOMPARE(QString::fromStdString(trouble), QString());
    // With a lag of 1 ms nothing is missed: who owned goes on owning, by renewals at each of the three.
    QCOMPARE(run.history().summary.double_grants, std::uint64_t{0});
    QCOMPARE(run.history().summary.belief_overlap.count(), std::int64_t{0});
    const auto renewed_between = [&](seconds from, seconds to) {
      const auto all = of_kind(run.history(), EventKind::kRenewed);
      return std::any_of(all.begin(), all.end(), [&](const Event& event) {
        return event.lo > TrueTime{} + from && event.hi < TrueTime{} + to;
      });
    };
    QVERIFY2(renewed_between(seconds(0), seconds(3)), told_of(run).c_str());
    QVERIFY2(renewed_between(seconds(4), seconds(7)), told_of(run).c_str());
    QVERIFY2(renewed_between(seconds(8), seconds(12)), told_of(run).c_str());
  }
};

LEASESCOPE_SUITE(ReplicaTest)
#include "replica_test.moc"
