// A watch of a cluster: whichever node is named, all its masters are looked at, as one store; a master that does not
// answer is a part of it that is not observed.
#include <atomic>
#include <thread>

#include "core/store/redis/cluster_map.h"
#include "core/store/types/types.h"
#include "tests/store/redis_cluster.h"
#include "tests/store/watching.h"
#include "tests/support/impostor.h"
#include "tests/support/impostor_words.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr milliseconds kLong{60'000};  // a lease that does not end meanwhile

WatchTerms often() {
  WatchTerms out;
  out.look.sweep = milliseconds(300);
  return out;
}

const WatchedStore& store_of(const Watching& watch) { return *watch.watch.stores()[0]; }

const Endpoint kAsked{"db", 7000, {}};

std::optional<redis::ClusterMap> read(const std::string& lines) { return redis::read_cluster(lines, kAsked, false); }

// Of a node of two masters without a key, itself the first or the second of them or none, as of that epoch.
std::string answer_of_node(const Words& words, int own, int epoch, int first, int second) {
  if (words[0] == "HELLO") return "*4\r\n" + bulk("mode") + bulk("cluster") + bulk("role") + bulk("master");
  if (words[0] == "SCAN") return "*2\r\n" + bulk("0") + "*0\r\n";
  if (words[0] == "PSUBSCRIBE") return "*3\r\n" + bulk("psubscribe") + bulk(words[1]) + ":1\r\n";
  if (words[0] != "CLUSTER") return redis_answer(words);
  const auto line = [&](const std::string& id, int port, bool is_own, const std::string& kept) {
    return id + " 127.0.0.1:" + std::to_string(port) + "@1 " + (is_own ? "myself," : "") + "master - 0 0 " +
           std::to_string(epoch) + " connected " + kept + "\n";
  };
  return bulk(line("a", first, own == 0, "0-99") + line(std::to_string(second), second, own == 1, "100-16383"));
}

}  // namespace

class RedisClusterWatchTest : public QObject, RedisCluster {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

  std::string name(std::size_t node) const { return "127.0.0.1:" + std::to_string(fleet_->port(node)); }
  // Since it was met, which is one.
  static std::size_t gaps(Watching& watch, const std::string& mutex) { return watch.gaps(mutex) - 1; }
  static QStringList told_of_parts(Watching& watch) {
    QStringList out;
    const History& history = watch.watch.history();
    for (const Event& event : history.events)
      if (history.names.text(event.node) == name_of_part(store_of(watch)))
        out << QString::fromUtf8(text(event.kind).data());
    return out;
  }
  bool completes(const Watching& watch) const {
    return wait_until([&] { return watch.watch.complete(); }, milliseconds(5000));
  }
  // A watcher with the rights that the README gives him, who may not ask for the nodes.
  StoreUrl as_watcher(std::size_t node, const std::string& more = {}) const {
    for (std::size_t i = 0; i < 3; ++i)
      [&] {
        QCOMPARE(ask(i,
                     "ACL SETUSER watcher reset on >look ~simba:* &simba:* +@read +ping +subscribe +psubscribe "
                     "+pubsub|numsub" +
                         more),
                 std::string("OK"));
      }();
    StoreUrl out = url({node});
    out.user = "watcher";
    out.password = "look";
    return out;
  }

 private slots:
  void init() { set_up(); }
  void cleanupTestCase() { fleet_.reset(); }

  void whatANodeTellsOfItsClusterIsRead() {
    const auto map = read(
        "07c37 127.0.0.1:30004@31004,hostname4 slave e7d1e 0 1426238317239 4 connected\n"
        "67ed2 127.0.0.1:30002@31002 master - 0 1426238316232 2 connected 5461-10921 10923 [93->-07c37]\n"
        "292f8 10.0.0.3:30003@31003,,shard-id=a master,fail - 1 1426238318243 3 disconnected 10922\n"
        "6ec23 10.0.0.5:30005@31005 master - 0 1426238316232 5 connected\n"
        "a1b2c :0@0 master,noaddr - 1 1 6 disconnected 12\n"
        "e7d1e :30001@31001 myself,master - 0 0 1 connected 0-5460\r\n");
    QVERIFY(map.has_value());
    QCOMPARE(map->epoch, std::uint64_t{5});
    const auto& masters = map->masters;
    QCOMPARE(masters.size(), std::size_t{3});  // one that keeps nothing is no matter, nor one that is nowhere
    QCOMPARE(masters[0].id, std::string("292f8"));
    QCOMPARE(masters[0].server.host, std::string("10.0.0.3"));
    QCOMPARE(masters[0].kept.count(), std::size_t{1});
    QCOMPARE(masters[1].kept.count(), std::size_t{10921 - 5461 + 2});
    QVERIFY(!masters[1].kept.test(93));
    QVERIFY(masters[2].server == kAsked);
    QCOMPARE(masters[2].kept.count(), std::size_t{5461});
    // Its certificate may bear its name alone.
    const std::string named = "a 10.0.0.1:1@2,redis-1.example master - 0 0 1 connected 0-16383\n";
    QCOMPARE(redis::read_cluster(named, kAsked, true)->masters.front().server.host, std::string("redis-1.example"));
    QCOMPARE(read(named)->masters.front().server.host, std::string("10.0.0.1"));
    QCOMPARE(read("a 2001:db8::1:7@8 master - 0 0 1 connected 1")->masters.front().server.host,
             std::string("2001:db8::1"));
    for (const char* none :
         {"", "\n", "OK", "a b c", "a 10.0.0.1:1@2 master - 0 0 1 connected",
          "a 10.0.0.1:1@2 master - 0 0 1 connected 16384", "a 10.0.0.1:x@2 master - 0 0 1 connected 1",
          "a 10.0.0.1:1@2 master - 0 0 1 connected one"})
      QVERIFY2(!read(none), none);
  }

  void aKeysSlotIsTheOneThatTheServerSays() {
    for (const std::string key :
         {"", "123456789", "simba:{orders}", "simba:{orders}:fence", "{}x", "a{b}c{d}", "a{{b}}", "}{", "\xc3\xa4"}) {
      const auto said = fleet_->ask(0, {"CLUSTER", "KEYSLOT", key});
      QCOMPARE(std::to_string(redis::slot_of(key)), said);
    }
  }

  void theMutexesOfAllMastersAreSeenWhicheverNodeIsNamed() {
    std::vector<std::string> mutexes;
    Client a(loop_, names_, url({0}), "0:1@a");
    QVERIFY(a.connects());
    for (std::size_t node = 0; node < 3; ++node) {
      mutexes.push_back(mutex_of(node));
      QVERIFY(a.ask(kAcquire, mutexes.back(), kLong).reply.done);
    }
    for (std::size_t named = 0; named < 3; ++named) {
      const Watching watch(loop_, url({named}));
      QVERIFY(completes(watch));
      for (const std::string& mutex : mutexes) QVERIFY2(watch.sees(mutex, "0:1@a"), mutex.c_str());
      const QStringList once{"granted"};
      for (const std::string& mutex : mutexes) QCOMPARE(const_cast<Watching&>(watch).told(mutex), once);
      QVERIFY2(store_of(watch).remarks.empty(),
               store_of(watch).remarks.empty() ? "" : store_of(watch).remarks[0].c_str());
      const std::string server = store_of(watch).observer->server();
      QVERIFY2(server.find("redis ") == 0 && server.find(", a cluster of 3 masters") != std::string::npos,
               server.c_str());
      QVERIFY(wait_until([&] { return store_of(watch).observer->figures().clock.has_value(); }, milliseconds(3000)));
    }
    for (const std::string& mutex : mutexes) QVERIFY(a.ask(kRelease, mutex).reply.done);
  }

  // By its own node's messages: the sweep is half a minute away.
  void whatIsDoneOnAnyMasterIsSeenAtOnce() {
    Watching watch(loop_, url({1}));
    QVERIFY(completes(watch));
    Client a(loop_, names_, url({0}), "0:1@a"), b(loop_, names_, url({2}), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    for (std::size_t node = 0; node < 3; ++node) {
      const std::string mutex = mutex_of(node);
      QVERIFY(a.ask(kAcquire, mutex, kLong).reply.done);
      QVERIFY(watch.sees(mutex, "0:1@a", milliseconds(1000)));
      QVERIFY(a.ask(kRelease, mutex).reply.done);
      QVERIFY(b.ask(kAcquire, mutex, kLong).reply.done);
      QVERIFY(watch.sees(mutex, "0:2@b", milliseconds(1000)));
      QVERIFY(b.ask(kRelease, mutex).reply.done);
      QVERIFY(watch.sees(mutex, "-", milliseconds(1000)));
      QCOMPARE(watch.told(mutex), (QStringList{"granted", "released", "granted", "released"}));
      QVERIFY(watch.find(mutex)->book.known() != SeenMutex::Known::kNothing);
    }
  }

  void mutexesThatAreAskedForByNameAreFoundWhereverTheyLie() {
    Client a(loop_, names_, url({0}), "0:1@a");
    QVERIFY(a.connects());
    WatchTerms terms;
    terms.look.mutexes = {mutex_of(1), mutex_of(2), mutex_of(2, 1)};
    QVERIFY(a.ask(kAcquire, mutex_of(1), kLong).reply.done);
    const Watching watch(loop_, url({0}), terms);
    QVERIFY(completes(watch));
    QVERIFY(watch.sees(mutex_of(1), "0:1@a"));
    QCOMPARE(watch.owner(mutex_of(2)), std::string("-"));
    QCOMPARE(watch.watch.mutexes().size(), std::size_t{3});
    QVERIFY(store_of(watch).remarks.empty());
    QVERIFY(a.ask(kRelease, mutex_of(1)).reply.done);
  }

  void locksOfOtherMakersAreSeenOnAllMasters() {
    const Watching watch(loop_, url({0}), often());
    QVERIFY(completes(watch));
    for (std::size_t node = 0; node < 3; ++node) {
      std::string key = mutex_of(node);  // of one slot with ours
      QCOMPARE(fleet_->ask(node, {"HSET", key, "4b6a1c1e-6c1f-4d39-9f0a-1f2e3d4c5b6a:1", "1"}), std::string("1"));
      QCOMPARE(fleet_->ask(node, {"PEXPIRE", key, "30000"}), std::string("1"));
      QVERIFY(wait_until([&] { return watch.owner(key).find("4b6a1c1e") == 0; }, milliseconds(5000)));
      QCOMPARE(watch.find(key)->maker, std::string_view("Redisson"));
      fleet_->ask(node, {"DEL", key});
      QVERIFY(watch.sees(key, "-"));
    }
  }

  // A node may not have heard yet who keeps what from now on: who has says so with a higher epoch.
  void aNodeThatIsBehindIsNotFollowed() {
    std::atomic<int> here{0}, there{0}, moved{0};
    const auto node = [&](int own, bool behind) {
      return [&, own, behind](Peer& peer, int) {
        for (auto words = peer.hear_command(); !words.empty(); words = peer.hear_command())
          if (!peer.say(answer_of_node(words, own, behind ? 1 : 2, here, behind ? there : moved))) return;
      };
    };
    const Impostor a(node(0, true)), b(node(2, false)), c(node(1, false));
    here = a.port();
    there = b.port();
    moved = c.port();
    WatchTerms terms = often();
    terms.look.foreign = Foreign::kNone;
    StoreUrl of = url({0});
    of.endpoint.port = a.port();
    const Watching watch(loop_, of, terms);
    QVERIFY(wait_until([&] { return c.met() == 2; }, milliseconds(5000)));  // a line for questions, one for messages
    const int met_before = b.met();
    wait_until([] { return false; }, milliseconds(1500));  // some rounds more
    QCOMPARE(c.met(), 2);
    QCOMPARE(b.met(), met_before);
    QVERIFY(!store_of(watch).blind && store_of(watch).parts.empty());
  }

  // By INFO, whose answer comes behind that there are no keys: it is not all until the other masters are seen.
  void aServerWithoutHelloIsNotAllThereIs() {
    const std::string mutex = "m";  // the second keeps it
    std::atomic<int> here{0}, there{0};
    const auto node = [&](int own) {
      return [&, own](Peer& peer, int) {
        for (auto words = peer.hear_command(); !words.empty(); words = peer.hear_command()) {
          const bool is_second = own == 1;
          std::string answer = answer_of_node(words, own, 1, here, there);
          if (words[0] == "HELLO") answer = "-ERR unknown command 'HELLO'\r\n";
          if (words[0] == "INFO") std::this_thread::sleep_for(milliseconds(200));  // behind it other answers wait
          if (words[0] == "INFO") answer = bulk("redis_version:5.0.0\r\nredis_mode:cluster\r\nrole:master\r\n");
          if (words[0] == "SCAN" && is_second) answer = "*2\r\n" + bulk("0") + "*1\r\n" + bulk("simba:{m}");
          if (words[0] == "PTTL") answer = ":60000\r\n";
          if (words[0] == "MGET") answer = "*3\r\n" + bulk("a") + "$-1\r\n$-1\r\n";
          if (!peer.say(answer)) return;
        }
      };
    };
    const Impostor a(node(0)), b(node(1));
    here = a.port();
    there = b.port();
    WatchTerms terms;
    terms.look.foreign = Foreign::kNone;
    StoreUrl of = url({0});
    of.endpoint.port = a.port();
    const Watching watch(loop_, of, terms);
    QVERIFY(completes(watch));
    QCOMPARE(watch.owner(mutex), std::string("a"));
  }

  // Of the others he hears, as messages go to all nodes, and knows nothing: neither who holds nor that nobody does.
  void whoMayNotAskForTheNodesSeesTheNamedOneAndIsToldSoOnce() {
    const std::string here = mutex_of(0);
    const std::vector<std::string> others{mutex_of(1), mutex_of(1, 1), mutex_of(2)};
    Client a(loop_, names_, url({0}), "0:1@a"), b(loop_, names_, url({1}), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QVERIFY(a.ask(kAcquire, here, milliseconds(30'000)).reply.done);
    QVERIFY(b.ask(kAcquire, others[0], milliseconds(30'000)).reply.done);
    WatchTerms terms = often();
    terms.look.foreign = Foreign::kNone;
    Watching watch(loop_, as_watcher(0), terms);
    QVERIFY(watch.sees(here, "0:1@a"));
    QVERIFY(completes(watch));
    // Each is granted and released until the watch has heard of it.
    QVERIFY(b.ask(kRelease, others[0]).reply.done);
    const WatchedStore& store = store_of(watch);
    for (const std::string& other : others) {
      const auto is_heard_of = [&] {
        if (store.hidden.count({other, {}}) == 0) {
          b.ask(kAcquire, other);
          b.ask(kRelease, other);
        }
        return store.hidden.count({other, {}}) != 0;
      };
      QVERIFY2(wait_until(is_heard_of, milliseconds(5000)), "its messages do not come");
    }
    wait_until([] { return false; }, milliseconds(700));  // two sweeps more
    for (const std::string& other : others) QVERIFY2(watch.owner(other).empty(), watch.owner(other).c_str());
    QCOMPARE(store.remarks.size(), std::size_t{1});
    const std::string says = name(0) + " is a node of a cluster: only the mutexes whose keys lie on it are seen";
    QVERIFY2(store.remarks[0].find(says) == 0, store.remarks[0].c_str());
    QVERIFY2(store.remarks[0].find("ACL SETUSER watcher +cluster|nodes") != std::string::npos,
             store.remarks[0].c_str());
    QVERIFY(!watch.find(here)->book.last().waiters);  // who listens at another node is not counted
    QVERIFY(!store.blind);
    QVERIFY(a.ask(kRelease, here).reply.done);
    QVERIFY(watch.sees(here, "-", milliseconds(1000)));
  }

  void theRightThatHeIsToldOfSuffices() {
    WatchTerms terms = often();
    terms.look.foreign = Foreign::kNone;
    Client a(loop_, names_, url({0}), "0:1@a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, mutex_of(2), kLong).reply.done);
    const Watching watch(loop_, as_watcher(0, " +cluster|nodes"), terms);
    QVERIFY(watch.sees(mutex_of(2), "0:1@a"));
    QVERIFY(store_of(watch).remarks.empty());
    QVERIFY(a.ask(kRelease, mutex_of(2)).reply.done);
  }

  // Whoever asks for it by its name is told where it is.
  void aMutexOfAnotherNodeThatMayNotBeAskedForIsNotSaidToBeFree() {
    WatchTerms terms;
    terms.look.mutexes = {mutex_of(1)};
    terms.look.foreign = Foreign::kNone;
    const Watching watch(loop_, as_watcher(0), terms);
    const std::vector<std::string>& remarks = store_of(watch).remarks;
    QVERIFY(wait_until([&] { return remarks.size() == 2; }, milliseconds(3000)));
    QVERIFY2(remarks[0].find("is a node of a cluster") != std::string::npos, remarks[0].c_str());
    QVERIFY2(remarks[1].find("MOVED " + slot(mutex_of(1)) + " " + name(1)) == 0, remarks[1].c_str());
    QCOMPARE(watch.owner(mutex_of(1)), std::string());
    QVERIFY(!watch.watch.complete());
  }

  // Its new keeper is asked at once, as it was known before.
  void aSlotThatMovesIsFollowed() {
    const std::string mutex = mutex_of(0), stays = mutex_of(0, 1), lease = "simba:{" + mutex + "}";
    Client a(loop_, names_, url({0}), "0:1@a");
    QVERIFY(a.connects());
    for (const std::string& each : {mutex, stays}) QVERIFY(a.ask(kAcquire, each, kLong).reply.done);
    Watching watch(loop_, url({2}), often());
    QVERIFY(watch.sees(mutex, "0:1@a") && watch.sees(stays, "0:1@a"));
    begin_move(mutex, 0, 1);
    for (const char* key : {"", ":fence", ":token"}) move_key(lease + key, 0, 1);
    wait_until([] { return false; },
               milliseconds(700));  // its new keeper's keys are gone through before it serves them
    end_move(mutex, 1);
    QVERIFY(wait_until([&] { return gaps(watch, mutex) == 1 && watch.owner(mutex) == "0:1@a"; }, milliseconds(5000)));
    QVERIFY(a.ask(kRelease, mutex).reply.done);
    QVERIFY(watch.sees(mutex, "-"));
    QCOMPARE(gaps(watch, mutex), std::size_t{1});
    QCOMPARE(watch.told(mutex), (QStringList{"granted", "released"}));  // one term, with a gap in it
    QCOMPARE(gaps(watch, stays), std::size_t{0});
    QVERIFY(a.ask(kRelease, stays).reply.done);
    begin_move(mutex, 1, 0);
    move_key(lease + ":fence", 1, 0);
    end_move(mutex, 0);
  }

  void aMasterThatDoesNotAnswerIsAPartThatIsNotObserved() {
    const std::string kept = mutex_of(1), lost = mutex_of(2);
    for (std::size_t i = 0; i < 2; ++i) ask(i, "CONFIG SET cluster-require-full-coverage no");
    Client a(loop_, names_, url({0, 1}), "0:1@a");
    QVERIFY(a.connects());
    for (const std::string& each : {kept, lost}) QVERIFY(a.ask(kAcquire, each, kLong).reply.done);
    Watching watch(loop_, url({2}), often());
    QVERIFY(watch.sees(kept, "0:1@a") && watch.sees(lost, "0:1@a"));
    QVERIFY(completes(watch));
    fleet_->kill(2);
    const WatchedStore& store = store_of(watch);
    QVERIFY(wait_until([&] { return store.parts.size() == 1; }, milliseconds(5000)));
    QCOMPARE(store.parts[0].server, name(2));
    QVERIFY2(unobserved_text(store).find(name(2) + ": ") == 0, unobserved_text(store).c_str());
    QCOMPARE(watch.owner(lost), std::string());
    QVERIFY(!store.blind);
    QVERIFY(a.connects());  // it was last led to the one that is gone
    QVERIFY(a.ask(kRelease, kept).reply.done);
    QVERIFY(watch.sees(kept, "-"));
    QCOMPARE(gaps(watch, kept), std::size_t{0});
    // It comes back, and what it had is gone: then nobody holds it.
    QVERIFY(fleet_->start(2));
    QVERIFY(wait_until([&] { return store.parts.empty(); }, milliseconds(10'000)));
    QVERIFY(watch.sees(lost, "-", milliseconds(10'000)));
    QCOMPARE(gaps(watch, lost), std::size_t{1});
    QCOMPARE(told_of_parts(watch), (QStringList{"disconnected", "connected"}));
    fleet_.reset();
  }

  // And what it has not is free; the others had nothing to do with it.
  void aReplicaThatTakesOverIsWatchedInItsMastersPlace() {
    const std::string mutex = mutex_of(2), other = mutex_of(0);
    const std::size_t replica = add_replica(2);
    Client a(loop_, names_, url({2, 0}), "0:1@a");
    QVERIFY(a.connects());
    for (const std::string& each : {mutex, other}) QVERIFY(a.ask(kAcquire, each, kLong).reply.done);
    QVERIFY(wait_until([&] { return is_replicated(2); }, milliseconds(5000)));
    Watching watch(loop_, fleet_->url(replica), often());  // which leads to the masters
    QVERIFY(completes(watch));
    QVERIFY(watch.sees(mutex, "0:1@a") && watch.sees(other, "0:1@a"));
    fleet_->kill(2);
    QVERIFY(wait_until([&] { return gaps(watch, mutex) == 1; }, milliseconds(5000)));
    QVERIFY(watch.sees(mutex, "0:1@a", milliseconds(20'000)));
    QVERIFY(wait_until([&] { return store_of(watch).parts.empty(); }, milliseconds(5000)));
    const auto renewed = [&] { return a.connected() && a.ask(kGuard, mutex, kLong).reply.done; };
    QVERIFY(wait_until(renewed, milliseconds(10'000)));
    QVERIFY(a.ask(kRelease, mutex).reply.done);
    QVERIFY(watch.sees(mutex, "-"));
    QCOMPARE(gaps(watch, mutex), std::size_t{1});
    QVERIFY(!watch.told(mutex).contains("expired"));
    QCOMPARE(told_of_parts(watch), (QStringList{"disconnected", "connected"}));
    fleet_.reset();
  }

  // Of a key it says nothing but where its master is.
  void aReplicaSaysWhoseItIsToWhomItMayNotTellOfTheNodes() {
    const std::string mutex = mutex_of(2);
    const std::size_t replica = add_replica(2);
    Client a(loop_, names_, url({0}), "0:1@a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, mutex, kLong).reply.done);
    QVERIFY(wait_until([&] { return is_replicated(2); }, milliseconds(5000)));
    QCOMPARE(ask(replica, "ACL SETUSER watcher on >look ~simba:* &simba:* +@read +ping +psubscribe"),
             std::string("OK"));
    StoreUrl of = fleet_->url(replica);
    of.user = "watcher";
    of.password = "look";
    const Watching watch(loop_, of);
    const WatchedStore& store = store_of(watch);
    QVERIFY(wait_until([&] { return store.hidden.count({mutex, {}}) != 0; }, milliseconds(3000)));
    QVERIFY2(store.refused.find("is a replica in a cluster, which tells of no key") != std::string::npos,
             store.refused.c_str());
    QVERIFY(watch.watch.mutexes().empty() && !watch.watch.complete());
    fleet_.reset();
  }

  // All of them are away, and have lost what they had: what was held is free when they are back.
  void aClusterThatWasAwayAltogetherIsWatchedAsBefore() {
    const std::string mutex = mutex_of(1);
    Client a(loop_, names_, url({0}), "0:1@a");
    QVERIFY(a.connects());
    QVERIFY(a.ask(kAcquire, mutex, kLong).reply.done);
    Watching watch(loop_, url({0}), often());
    QVERIFY(watch.sees(mutex, "0:1@a"));
    QVERIFY(completes(watch));
    for (std::size_t node = 0; node < 3; ++node) fleet_->kill(node);
    QVERIFY(wait_until([&] { return store_of(watch).blind; }, milliseconds(10'000)));
    QCOMPARE(watch.owner(mutex), std::string());
    wait_until([] { return false; }, milliseconds(6000));  // until the hosts of the URL are asked again
    for (std::size_t node = 0; node < 3; ++node) QVERIFY(fleet_->start(node));
    QVERIFY(watch.sees(mutex, "-", milliseconds(20'000)));
    QVERIFY(!store_of(watch).blind);
    QVERIFY(wait_until([&] { return store_of(watch).parts.empty(); }, milliseconds(10'000)));
    QCOMPARE(told_of_parts(watch).size() % 2, 0);
    QCOMPARE(gaps(watch, mutex), std::size_t{1});
    fleet_.reset();
  }
};

LEASESCOPE_SUITE(RedisClusterWatchTest)
#include "redis_cluster_watch_test.moc"
