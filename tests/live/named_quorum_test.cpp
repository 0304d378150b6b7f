// A quorum lock on servers of Redis that a user names: each has one vote, whatever faults there are none is done to a
// server, and nothing but the fences is left on them.
#include <fmt/format.h>

#include <QTimer>

#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/store/redis_fleet.h"
#include "tests/support/impostor.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::seconds;

namespace {

constexpr std::size_t kServers = 3;

std::string url_of(const std::vector<std::string>& hosts) { return fmt::format("redis://{}", fmt::join(hosts, ",")); }

Scenario turns(const char* fault) {
  const std::string text = fmt::format(
      "schema = 1\ntitle = \"turns\"\nduration = \"6s\"\n[mutex]\nname = \"turns\"\nsystem = \"quorum\"\nttl = \"1s\"\n"
      "[quorum]\nservers = 3\nextend = \"held\"\n"
      "[[contender]]\nname = \"c\"\ncount = 2\nhold = \"200ms\"\nrest = \"100ms\"\n"
      "[[resource]]\nname = \"ledger\"\nwrite_every = \"50ms\"\n{}",
      fault);
  const auto read = read_scenario(text, "turns");
  if (!read) throw std::runtime_error(read.error().text());
  return *read;
}

Settings on_three(const Settings& more = {}) {
  Settings out{"mutex.ttl=1s", "quorum.servers=3"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

// As a server keeps it that is for somebody else, for a long time.
constexpr const char* kStranger =
    R"([{"owner":"stranger","attempt":"5","from":"0","victim":"","priority":0,"token":"1","ends":"9000000000000000"}])";

}  // namespace

class NamedQuorumTest : public QObject {
  Q_OBJECT

  RedisFleet fleet_, mortal_;
  Runs runs_;

  static std::string host(const RedisFleet& fleet, std::size_t member) {
    return fmt::format("127.0.0.1:{}", fleet.port(member));
  }
  static std::string url(const RedisFleet& fleet) { return url_of({host(fleet, 0), host(fleet, 1), host(fleet, 2)}); }
  // What is wrong with it; empty: it could be prepared.
  static std::string refusal(const std::string& store, const Scenario& what) {
    LiveRun run(what, store);
    const auto ready = prepared(run);
    return ready ? "" : ready.error();
  }
  static std::string refusal_of(const std::vector<std::string>& hosts) {
    return refusal(url_of(hosts), scenario("quorum-healthy", on_three()));
  }
  static void check_says(const std::string& said, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) QVERIFY2(said.find(part) != std::string::npos, said.c_str());
  }
  static std::size_t grants(const History& history, milliseconds from, milliseconds to) {
    std::size_t out = 0;
    for (const Event& grant : of_kind(history, EventKind::kGranted))
      out += grant.at() >= TrueTime(from) && grant.at() < TrueTime(to) ? 1 : 0;
    return out;
  }

 private slots:
  void initTestCase() {
    for (RedisFleet* const fleet : {&fleet_, &mortal_})
      for (std::size_t i = 0; i < kServers; ++i) fleet->add({});
    QVERIFY2(fleet_.started() && mortal_.started(), "three servers of Redis do not start");
    const auto add = [&](const char* key, const RedisFleet& on, const Scenario& what) {
      return runs_.add(key, what, url(on)) != nullptr;
    };
    const Settings named = on_three({"mutex.name=orders", "duration=6s"});
    QVERIFY2(add("healthy", fleet_, scenario("quorum-healthy", named)), runs_.error.c_str());
    QVERIFY2(add("paused", fleet_, scenario("quorum-gc-pause", on_three())), runs_.error.c_str());
    QVERIFY2(add("cut off", fleet_,
                 turns("[[fault]]\nkind = \"partition\"\ntarget = \"owner\"\nat = \"2s\"\nduration = \"2s\"\n")),
             runs_.error.c_str());
    QVERIFY2(add("one dies", mortal_, turns("")), runs_.error.c_str());
    QTimer::singleShot(2000, this, [this] { mortal_.kill(1); });
    QTimer::singleShot(4000, this, [this] { mortal_.start(1); });
    QVERIFY(runs_.play(seconds(60)));
  }

  void nobodyHoldsBesideAnother_data() {
    QTest::addColumn<bool>("paused");
    for (const char* key : {"healthy", "paused", "cut off", "one dies"})
      QTest::newRow(key) << (std::string(key) == "paused");
  }
  void nobodyHoldsBesideAnother() {
    QFETCH(bool, paused);
    const LiveRun& run = runs_.at(QTest::currentDataTag());
    const Summary& summary = run.history().summary;
    QCOMPARE(summary.double_grants, std::uint64_t{0});
    QCOMPARE(summary.stale_writes_accepted, std::uint64_t{0});
    QCOMPARE(summary.fence_regressions, std::uint64_t{0});
    QCOMPARE(run.outcome().summary.illegal_mutexes, std::uint64_t{0});
    QCOMPARE(summary.belief_overlap > Duration::zero(), paused);
    QCOMPARE(summary.stale_writes_rejected > 0, paused);
    QVERIFY(summary.acquisitions >= (paused ? 2U : 6U));
  }
  void eachServerIsToldOfByItsOwnUrl() {
    const LiveRun& run = runs_.at("healthy");
    QCOMPARE(run.outcome().store, url(fleet_));
    std::set<std::string> servers;
    for (const Event& vote : of_kind(run.history(), EventKind::kVoteGranted))
      servers.emplace(run.history().names.text(Name{static_cast<std::uint32_t>(vote.b)}));
    std::set<std::string> expected;
    for (std::size_t i = 0; i < kServers; ++i) expected.insert("redis://" + host(fleet_, i));
    QCOMPARE(servers, expected);
  }
  void aServerThatDiesInTheMidstIsNotWaitedFor() {
    const History& history = runs_.at("one dies").history();
    QVERIFY(grants(history, milliseconds(2200), milliseconds(4000)) >= 3);
    QVERIFY(grants(history, milliseconds(4500), milliseconds(6000)) >= 2);
  }
  // Those that were cut off give nothing back: what they held runs out.
  void nothingButTheFencesIsLeft() {
    for (std::size_t i = 0; i < kServers; ++i) {
      std::set<std::string> left;
      QVERIFY(wait_until(
          [&] {
            left.clear();
            for (const QString& key : QString::fromStdString(fleet_.ask(i, {"KEYS", "*"})).split(' '))
              left.insert(key.toStdString());
            return std::all_of(left.begin(), left.end(), [](const std::string& key) {
              return key.size() > 6 && key.substr(key.size() - 6) == ":fence";
            });
          },
          milliseconds(3000)));
      QCOMPARE(left,
               (std::set<std::string>{"simba:{leasescope:quorum-gc-pause:orders}:quorum:fence",
                                      "simba:{leasescope:turns:turns}:quorum:fence", "simba:{orders}:quorum:fence"}));
    }
  }

  void oneThatCannotBeReachedIsNamed() {
    const std::string nobody = fmt::format("127.0.0.1:{}", free_port());
    const std::string said = refusal_of({host(fleet_, 0), nobody, host(fleet_, 2)});
    check_says(said, {"cannot use redis://" + nobody + ": ", "refused", "is it running"});
    QVERIFY2(said.find(host(fleet_, 0)) == std::string::npos, said.c_str());
  }
  void oneThatIsNoRedisIsNamed() {
    const Impostor http([](Peer& peer, int) {
      peer.say("HTTP/1.1 400 Bad Request\r\n\r\n");
      peer.be_silent();
    });
    const std::string other = fmt::format("127.0.0.1:{}", http.port());
    check_says(refusal_of({host(fleet_, 0), host(fleet_, 1), other}), {"cannot use redis://" + other + ": ", "Redis"});
  }
  void oneWithAnotherPasswordIsNamedAndNoPasswordIs() {
    RedisFleet locked;
    for (const char* password : {"hush-hush", "another", "hush-hush"}) {
      const std::size_t member = locked.add({});
      QCOMPARE(locked.ask(member, {"CONFIG", "SET", "requirepass", password}), std::string("OK"));
    }
    const std::string three = url(locked).substr(std::string("redis://").size());
    const std::string wrong = refusal("redis://:hush-hush@" + three, scenario("quorum-healthy", on_three()));
    check_says(wrong, {"cannot use redis://" + host(locked, 1) + ": ", "the user or the password is wrong"});
    QVERIFY2(wrong.find("hush") == std::string::npos, wrong.c_str());
    const std::string without = refusal("redis://" + three, scenario("quorum-healthy", on_three()));
    check_says(without, {"cannot use redis://" + host(locked, 0) + ": ", "it wants a password"});
  }
  void aServerThatIsNamedTwiceIsOneVote() {
    const std::string by_name = fmt::format("localhost:{}", fleet_.port(0));
    for (const std::string& again : {host(fleet_, 0), by_name})
      check_says(refusal_of({host(fleet_, 0), host(fleet_, 1), again}),
                 {"redis://" + host(fleet_, 0) + " and redis://" + again + " are one server",
                  "two votes of one are no majority", "each once"});
  }
  void aServerThatFollowsAnotherHasNoVoteOfItsOwn() {
    RedisFleet more;
    const std::size_t replica =
        more.add({}, {fmt::format("replicaof 127.0.0.1 {}", fleet_.port(0)), "replica-read-only no"});
    const std::size_t node = more.add({}, {"cluster-enabled yes", fmt::format("cluster-port {}", free_port())});
    QVERIFY(more.started());
    check_says(refusal_of({host(fleet_, 0), host(fleet_, 1), host(more, replica)}),
               {"cannot use redis://" + host(more, replica), "is a replica of another server", "know nothing of each"});
    check_says(refusal_of({host(fleet_, 0), host(fleet_, 1), host(more, node)}),
               {"cannot use redis://" + host(more, node), "is a node of a cluster", "know nothing of each"});
  }
  void aUserMayDoThereWhatTheRunDoes() {
    RedisFleet guarded;
    for (std::size_t i = 0; i < kServers; ++i) guarded.add({});
    QVERIFY(guarded.started());
    const std::string where = "redis://app:hush-hush@" + url(guarded).substr(std::string("redis://").size());
    const Scenario what = scenario("quorum-healthy", on_three({"mutex.name=orders", "duration=1s"}));
    RedisFleet::Words rule{"ACL", "SETUSER", "app", "on", ">hush-hush", "~simba:{orders}*", "&simba:{orders}*"};
    for (std::size_t i = 0; i < kServers; ++i) QCOMPARE(guarded.ask(i, rule), std::string("OK"));
    const std::string said = refusal(where, what);
    const std::size_t rights = said.find(" +ping");
    check_says(said, {"ACL SETUSER app +ping +info"});
    for (const QString& right : QString::fromStdString(said.substr(rights)).split(' ', Qt::SkipEmptyParts))
      if (right.startsWith('+')) rule.push_back(right.toStdString());
    for (std::size_t i = 0; i < kServers; ++i) QCOMPARE(guarded.ask(i, rule), std::string("OK"));
    Runs runs;
    QVERIFY2(runs.add("guarded", what, where) != nullptr, runs.error.c_str());
    QVERIFY(runs.play(seconds(20)));
    QVERIFY(runs.at("guarded").history().summary.acquisitions >= 1);
  }

  void theNumberOfServersIsThatOfTheScenario() {
    const std::string two = url_of({host(fleet_, 0), host(fleet_, 1)});
    check_says(refusal(url(fleet_), scenario("quorum-healthy", {})),
               {url(fleet_) + " names 3 servers, and quorum.servers is 5: name 5, or say --set quorum.servers=3"});
    const std::string said = refusal(two, scenario("quorum-healthy", on_three()));
    check_says(said, {two + " names 2 servers, and quorum.servers is 3: name 3"});
    QVERIFY2(said.find("--set") == std::string::npos, said.c_str());
    for (const std::string& one : {"redis://" + host(fleet_, 0), std::string("redis+sentinel://a,b,c/orders")})
      check_says(refusal(one, scenario("quorum-healthy", on_three())),
                 {"the system quorum needs 3 servers that know nothing of each other, and " + one.substr(0, 12),
                  "expected --store redis"});
  }
  void whatNeedsOneStoreIsNotRunOnSeveral() {
    for (const char* name : {"healthy", "cas-healthy"})
      check_says(refusal(url(fleet_), scenario(name, {})),
                 {"cannot use " + url(fleet_), "of a cluster", "mutex.system = \"quorum\"", "redis+sentinel://"});
  }
  void noServerThatIsGivenIsKilledOrStopped() {
    for (const char* kind : {"store_crash", "store_freeze"})
      check_says(refusal(url(fleet_), turns(fmt::format("[[fault]]\nkind = \"{}\"\ntarget = \"store 2\"\nat = \"1s\"\n"
                                                        "duration = \"1s\"\n",
                                                        kind)
                                                .c_str())),
                 {std::string("the fault ") + kind, "may have other users", "expected --store redis"});
  }
  void aMutexThatAnotherHasByMajorityIsLeftToHim() {
    const std::string key = "simba:{leasescope:quorum-healthy:orders}:quorum";
    for (std::size_t i = 0; i < 2; ++i) QCOMPARE(fleet_.ask(i, {"SET", key, kStranger}), std::string("OK"));
    const std::string held = refusal(url(fleet_), scenario("quorum-healthy", on_three()));
    fleet_.ask(0, {"DEL", key});
    const std::string of_one = refusal(url(fleet_), scenario("quorum-healthy", on_three()));
    fleet_.ask(1, {"DEL", key});
    check_says(held,
               {"leasescope:quorum-healthy:orders on " + url(fleet_) + " is held by stranger", "--set mutex.name"});
    QCOMPARE(of_one, std::string());
  }
};

LEASESCOPE_SUITE(NamedQuorumTest)
#include "named_quorum_test.moc"
