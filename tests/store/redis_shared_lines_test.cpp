// Many contenders of one loop on two lines to a Redis: whom an answer and a message belong to, and what one of them
// does to the others. That they contend like others is said by the suite of all lease stores, of which they are a row.
#include "core/store/redis/followers.h"
#include "tests/store/redis_fleet.h"
#include "tests/store/redis_over_tls.h"
#include "tests/support/impostor.h"
#include "tests/support/impostor_words.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr RequestKind kSubscribe = RequestKind::kSubscribe;
constexpr RequestKind kUnsubscribe = RequestKind::kUnsubscribe;

constexpr milliseconds kLease{5000};

StoreUrl shared(StoreUrl url) {
  url.options["lines"] = "shared";
  return url;
}

StoreUrl url_of(const Impostor& impostor) {
  StoreUrl url;
  url.type = &redis::store_type();
  url.given = true;
  url.endpoint.port = impostor.port();
  return shared(url);
}

// Of all channels named.
std::string channels_answer(const Words& words, int left) {
  std::string out;
  for (std::size_t i = 1; i < words.size(); ++i)
    out += "*3\r\n" + bulk(words.front() == "SUBSCRIBE" ? "subscribe" : "unsubscribe") + bulk(words[i]) + ":" +
           std::to_string(left) + "\r\n";
  return out;
}

bool is_by(const Words& words, const std::string& id) {
  return std::find(words.begin(), words.end(), id) != words.end();
}

// A grant of that term to whoever asks.
std::string granted(const Words& words, int term) {
  const auto id =
      std::find_if(words.begin(), words.end(), [](const std::string& each) { return each.rfind("0:", 0) == 0; });
  return "*4\r\n" + bulk(id == words.end() ? "" : *id) + ":4000\r\n:" + std::to_string(term) + "\r\n:1\r\n";
}

}  // namespace

class RedisSharedLinesTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  std::unique_ptr<RedisFleet> fleet_;

  StoreUrl url() const { return shared(fleet_->url(0)); }
  std::unique_ptr<Client> client(const StoreUrl& at, int number) {
    return std::make_unique<Client>(loop_, names_, at, "0:" + std::to_string(number) + "@host");
  }
  std::vector<std::unique_ptr<Client>> clients(const StoreUrl& at, int count) {
    std::vector<std::unique_ptr<Client>> out;
    for (int i = 0; i < count; ++i) out.push_back(client(at, i));
    return out;
  }
  static bool all_connected(const std::vector<std::unique_ptr<Client>>& all, milliseconds within = milliseconds(5000)) {
    return wait_until(
        [&] { return std::all_of(all.begin(), all.end(), [](const auto& each) { return each->connected(); }); },
        within);
  }
  // Beside the one that asks.
  int connections() const {
    const std::string said = fleet_->ask(0, {"INFO", "clients"});
    const std::string word = "connected_clients:";
    const std::size_t at = said.find(word);
    return at == std::string::npos ? -1 : std::stoi(said.substr(at + word.size())) - 1;
  }
  std::string subscribers(const std::string& mutex) const {
    return fleet_->ask(0, {"PUBSUB", "NUMSUB", "simba:{" + mutex + "}"});
  }

 private slots:
  void init() {
    fleet_ = std::make_unique<RedisFleet>();
    fleet_->add({});
    QVERIFY2(fleet_->started(), fleet_->said(0).c_str());
  }
  void cleanup() { fleet_.reset(); }

  void aHundredContendersHaveTwoConnectionsAndEachItsOwnReplies() {
    const auto all = clients(url(), 100);
    QVERIFY(all_connected(all));
    QCOMPARE(connections(), 2);
    std::vector<std::uint64_t> calls;
    for (std::size_t i = 0; i < all.size(); ++i) calls.push_back(all[i]->send(kAcquire, "m" + std::to_string(i % 50)));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Told got = all[i]->ending_of(calls[i]);
      QVERIFY2(got.reply.ending == Ending::kOk, got.error.c_str());
      QCOMPARE(all[i]->owner_in(got), "0:" + std::to_string(i % 50) + "@host");
      QCOMPARE(got.reply.done, i < 50);
      QCOMPARE(all[i]->told.size(), std::size_t{1});
    }
  }

  void whoSaysSomethingElseInItsUrlSharesWithOthers() {
    fleet_->ask(0, {"ACL", "SETUSER", "me", "on", ">pw", "~*", "&*", "+@all"});
    StoreUrl other = url(), user = url();
    other.database = "2";
    user.user = "me";
    user.password = "pw";
    std::vector<std::unique_ptr<Client>> all;
    for (const StoreUrl& each : {url(), other, user, fleet_->url(0)})
      for (int i = 0; i < 2; ++i) all.push_back(client(each, i));
    QVERIFY(all_connected(all));
    QCOMPARE(connections(), 2 + 2 + 2 + 4);
    QVERIFY(all[0]->ask(kAcquire, "orders").reply.done);
    QVERIFY(all[2]->ask(kAcquire, "orders").reply.done);  // in another database
    QCOMPARE(all[5]->owner_in(all[5]->ask(kAcquire, "orders")), std::string("0:0@host"));
    all.clear();
    QVERIFY(wait_until([&] { return connections() == 0; }, milliseconds(2000)));
  }

  void whoLeavesAChannelLeavesItToTheOthers() {
    const auto all = clients(url(), 3);
    QVERIFY(all_connected(all));
    for (const std::size_t i : {0, 1}) QCOMPARE(all[i]->ask(kSubscribe, "orders").reply.ending, Ending::kOk);
    QCOMPARE(all[0]->ask(kUnsubscribe, "orders").reply.ending, Ending::kOk);
    QCOMPARE(subscribers("orders"), std::string("simba:{orders} 1"));
    QVERIFY(all[2]->ask(kAcquire, "orders").reply.done);
    QVERIFY(all[1]->hears(StoreEventKind::kAcquired, "0:2@host"));
    QVERIFY(all[0]->events.empty());
    QCOMPARE(all[1]->ask(kUnsubscribe, "orders").reply.ending, Ending::kOk);
    QCOMPARE(subscribers("orders"), std::string("simba:{orders} 0"));
    QVERIFY(all[2]->ask(kRelease, "orders").reply.done);
    QCOMPARE(all[0]->ask(kSubscribe, "orders").reply.ending, Ending::kOk);
    QVERIFY(all[2]->ask(kAcquire, "orders").reply.done);
    QVERIFY(all[0]->hears(StoreEventKind::kAcquired, "0:2@host"));
    QCOMPARE(all[1]->events.size(), std::size_t{1});
    for (const auto& each : all) QVERIFY(each->reasons.empty());
  }

  // Destroyed while it is subscribed: as if it had left.
  void whoGoesIsNoSubscriberAnyMore() {
    auto all = clients(url(), 2);
    QVERIFY(all_connected(all));
    QCOMPARE(all[1]->ask(kSubscribe, "orders").reply.ending, Ending::kOk);
    QCOMPARE(all[0]->ask(kSubscribe, "others").reply.ending, Ending::kOk);
    all.pop_back();
    QVERIFY(fleet_->comes_to_say(0, {"PUBSUB", "NUMSUB", "simba:{orders}"}, "simba:{orders} 0", milliseconds(2000)));
    QCOMPARE(subscribers("others"), std::string("simba:{others} 1"));
  }

  // Nobody is subscribed on another's word, and what came before is not its own.
  void aSecondSubscriberIsConfirmedByTheServer() {
    std::atomic<int> subscribed{0};
    const Impostor impostor([&subscribed](Peer& peer, int) {
      for (Words words = peer.hear_command(); !words.empty(); words = peer.hear_command()) {
        if (words.front() == "SUBSCRIBE" && subscribed++ == 1) {
          peer.say("*3\r\n" + bulk("message") + bulk(words[1]) + bulk("acquired@@0:9@early"));
          peer.rest(300);
          peer.say(channels_answer(words, 1));
          peer.say("*3\r\n" + bulk("message") + bulk(words[1]) + bulk("released@@0:9@late"));
          continue;
        }
        peer.say(redis_answer(words));
      }
    });
    const auto all = clients(url_of(impostor), 2);
    QVERIFY(all_connected(all));
    QCOMPARE(all[0]->ask(kSubscribe, "m").reply.ending, Ending::kOk);
    const Told second = all[1]->ask(kSubscribe, "m");
    QCOMPARE(second.reply.ending, Ending::kOk);
    QVERIFY(second.received - second.sent >= milliseconds(290));
    QVERIFY(all[0]->hears(StoreEventKind::kReleased, "0:9@late"));
    QVERIFY(all[1]->hears(StoreEventKind::kReleased, "0:9@late"));
    QCOMPARE(all[0]->events.size(), std::size_t{2});
    QCOMPARE(all[1]->events.size(), std::size_t{1});
  }

  // It had been sent before the server heard of the end.
  void aMessageOnTheWayWhenTheLastOneLeavesIsNobodys() {
    const Impostor impostor([](Peer& peer, int) {
      for (Words words = peer.hear_command(); !words.empty(); words = peer.hear_command()) {
        if (words.front() == "UNSUBSCRIBE")
          peer.say("*3\r\n" + bulk("message") + bulk("simba:{m}") + bulk("released@@0:9@x"));
        peer.say(redis_answer(words));
      }
    });
    const auto all = clients(url_of(impostor), 2);
    QVERIFY(all_connected(all));
    QCOMPARE(all[0]->ask(kSubscribe, "m").reply.ending, Ending::kOk);
    QCOMPARE(all[0]->ask(kUnsubscribe, "m").reply.ending, Ending::kOk);
    QTest::qWait(50);
    for (const auto& each : all) QVERIFY(each->events.empty() && each->reasons.empty());
  }

  // Its place is kept, so that the late answer is nobody's, and not taken for the next one.
  void oneContendersTimeOutLeavesTheOthersAlone() {
    std::atomic<int> calls{0};
    const Impostor impostor([&calls](Peer& peer, int) {
      for (Words words = peer.hear_command(); !words.empty(); words = peer.hear_command()) {
        if (words.front() != "EVALSHA") {
          peer.say(redis_answer(words));
          continue;
        }
        if (++calls == 1) peer.rest(500);
        peer.say(granted(words, calls));
      }
    });
    const auto all = clients(url_of(impostor), 2);
    QVERIFY(all_connected(all));
    const std::uint64_t late = all[0]->send(kAcquire, "m", kLease, milliseconds(200));
    const std::uint64_t renewal = all[1]->send(kGuard, "other", kLease, milliseconds(2000));
    const Told given_up = all[0]->ending_of(late);
    QCOMPARE(given_up.reply.ending, Ending::kUnknown);
    QVERIFY(given_up.received - given_up.sent < milliseconds(450));
    QVERIFY(wait_until([&] { return !all[0]->connected(); }, milliseconds(100)));  // as on a line of its own
    QVERIFY(all[0]->connects(milliseconds(250)));
    const Told again = all[0]->ask(kAcquire, "m");  // behind the late answer
    QCOMPARE(again.reply.ending, Ending::kOk);
    QCOMPARE(again.reply.token, Token{3});
    const Told renewed = all[1]->ending_of(renewal);
    QVERIFY2(renewed.reply.ending == Ending::kOk, renewed.error.c_str());
    QCOMPARE(renewed.reply.token, Token{2});
    QCOMPARE(all[1]->owner_in(renewed), std::string("0:1@host"));
    QVERIFY(all[1]->reasons.empty());
    QCOMPARE(all[0]->told.size(), std::size_t{2});
    QCOMPARE(impostor.met(), 2);
  }

  // A peer that has vanished is noticed by all, on both lines.
  void aServerThatIsSilentToAllIsLeftByAll() {
    const Impostor impostor([](Peer& peer, int) {
      for (Words words = peer.hear_command(); !words.empty(); words = peer.hear_command())
        if (words.front() != "EVALSHA") peer.say(redis_answer(words));
    });
    const auto all = clients(url_of(impostor), 3);
    QVERIFY(all_connected(all));
    QCOMPARE(all[2]->ask(kSubscribe, "m").reply.ending, Ending::kOk);
    const std::uint64_t first = all[0]->send(kAcquire, "m", kLease, milliseconds(1000));
    QTest::qWait(200);
    const std::uint64_t second = all[1]->send(kAcquire, "n", kLease, milliseconds(1000));
    QCOMPARE(all[0]->ending_of(first).reply.ending, Ending::kUnknown);
    const Told broken = all[1]->ending_of(second);
    QCOMPARE(broken.reply.ending, Ending::kUnknown);
    QVERIFY2(broken.error.find("silent to all") != std::string::npos, broken.error.c_str());
    QVERIFY(wait_until([&] { return impostor.met() == 4; }, milliseconds(2000)));
    QVERIFY(all_connected(all, milliseconds(2000)));
    for (const auto& each : all) QVERIFY(!each->reasons.empty());
  }

  void whoGoesInTheMidstOfACallLeavesNothingBehind() {
    std::atomic<int> calls{0};
    const Impostor impostor([&calls](Peer& peer, int) {
      for (Words words = peer.hear_command(); !words.empty(); words = peer.hear_command()) {
        if (is_by(words, "0:0@host") || words.front() == "SUBSCRIBE") peer.rest(200);
        peer.say(words.front() == "EVALSHA" ? granted(words, ++calls) : redis_answer(words));
      }
    });
    auto all = clients(url_of(impostor), 2);
    QVERIFY(all_connected(all));
    all[0]->send(kAcquire, "m");
    all[0]->send(kSubscribe, "m");
    const std::uint64_t other = all[1]->send(kAcquire, "m");
    all[0].reset();
    const Told got = all[1]->ending_of(other);
    QVERIFY2(got.reply.ending == Ending::kOk, got.error.c_str());
    QCOMPARE(got.reply.token, Token{2});
    QCOMPARE(all[1]->ask(kSubscribe, "m").reply.ending, Ending::kOk);
    QVERIFY(all[1]->reasons.empty());
    all[1]->send(kAcquire, "m");
    all.clear();  // the last ones take the lines with them
    QTest::qWait(50);
    QCOMPARE(impostor.met(), 2);
  }

  void aKilledServerIsMissedByAllAndAllComeBack() {
    const auto all = clients(url(), 50);
    QVERIFY(all_connected(all));
    std::vector<std::uint64_t> calls;
    for (const auto& each : all) calls.push_back(each->send(kSubscribe, "orders"));
    for (std::size_t i = 0; i < all.size(); ++i) QCOMPARE(all[i]->ending_of(calls[i]).reply.ending, Ending::kOk);
    for (int round = 0; round < 3; ++round) {
      fleet_->kill(0);
      QVERIFY(wait_until(
          [&] { return std::none_of(all.begin(), all.end(), [](const auto& each) { return each->connected(); }); },
          milliseconds(2000)));
      const Told nowhere = all[7]->ask(kAcquire, "orders");
      QCOMPARE(nowhere.reply.ending, Ending::kFailed);
      QVERIFY(fleet_->start(0));
      QVERIFY(all_connected(all));
      QCOMPARE(connections(), 2);
      for (const auto& each : all) each->events.clear();
      QVERIFY(fleet_->comes_to_say(0, {"PUBSUB", "NUMSUB", "simba:{orders}"}, " 1", milliseconds(2000)));
      QVERIFY(all[0]->ask(kAcquire, "orders").reply.done);
      for (const auto& each : all) QVERIFY(each->hears(StoreEventKind::kAcquired, "0:0@host"));
    }
  }

  // Where one of them may not listen the others may.
  void aRefusedSubscriptionIsItsOwnAlone() {
    fleet_->ask(0, {"ACL", "SETUSER", "me", "on", ">pw", "~*", "&simba:{orders}*", "+@all"});
    StoreUrl at = url();
    at.user = "me";
    at.password = "pw";
    const auto all = clients(at, 2);
    QVERIFY(all_connected(all));
    QCOMPARE(all[0]->ask(kSubscribe, "orders").reply.ending, Ending::kOk);
    const Told refused = all[1]->ask(kSubscribe, "secret");
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY2(refused.error.find("NOPERM") != std::string::npos, refused.error.c_str());
    QTest::qWait(1500);
    QVERIFY(all[1]->reasons.size() >= 2);  // it is tried again, ever more rarely
    QVERIFY2(all[1]->reasons.size() <= 6, std::to_string(all[1]->reasons.size()).c_str());
    QVERIFY(all[0]->reasons.empty());
    QCOMPARE(connections(), 2);
    QVERIFY(all[0]->ask(kAcquire, "orders").reply.done);
    QVERIFY(all[0]->hears(StoreEventKind::kAcquired, "0:0@host"));
  }

  // By hand-over each has a channel of its own beside the mutex's.
  void aGrantReachesTheOneItIsFor() {
    const auto all = clients(url(), 3);
    QVERIFY(all_connected(all));
    for (const auto& each : all) {
      each->wake_up = WakeUp::kHandOver;
      QCOMPARE(each->ask(kSubscribe, "orders").reply.ending, Ending::kOk);
    }
    QVERIFY(all[0]->ask(kAcquire, "orders").reply.done);
    QVERIFY(!all[1]->ask(kAcquire, "orders").reply.done);
    QVERIFY(!all[2]->ask(kAcquire, "orders").reply.done);
    QVERIFY(all[0]->ask(kRelease, "orders").reply.done);
    QVERIFY(all[1]->hears(StoreEventKind::kHandedOver, "0:1@host"));
    for (const std::size_t i : {0, 2})
      for (const StoreEvent& event : all[i]->events) QVERIFY(event.kind != StoreEventKind::kHandedOver);
    QCOMPARE(all[1]->ask(kUnsubscribe, "orders").reply.ending, Ending::kOk);
    QCOMPARE(subscribers("orders"), std::string("simba:{orders} 1"));
    QCOMPARE(fleet_->ask(0, {"PUBSUB", "NUMSUB", "simba:{orders}:0:1@host"}), std::string("simba:{orders}:0:1@host 0"));
  }

  void linesOverTlsAreSharedToo() {
    PrivateServer server(redis_over_tls());
    QVERIFY(server.start().has_value());
    const auto all = clients(shared(server.url()), 20);
    QVERIFY(all_connected(all));
    std::vector<std::uint64_t> calls;
    for (const auto& each : all) calls.push_back(each->send(kAcquire, "orders"));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Told got = all[i]->ending_of(calls[i]);
      QVERIFY2(got.reply.ending == Ending::kOk, got.error.c_str());
      QCOMPARE(all[i]->owner_in(got), std::string("0:0@host"));
    }
  }

  // What came in between two subscriptions of one seat belongs to neither.
  void aConfirmationCountsForTheSubscriptionItAnswers() {
    redis::Followers followers;
    followers.ask("m", 1, 10);
    QCOMPARE(followers.leave(1).front().last, true);
    followers.ask("m", 1, 12);
    followers.confirm("m", 1, 10);
    QVERIFY(followers.of("m").empty());
    followers.confirm("m", 1, 12);
    QCOMPARE(followers.of("m"), std::vector<redis::Followers::Seat>{1});
    followers.ask("m", 2, 13);
    const auto left = followers.leave(1);
    QCOMPARE(left.size(), std::size_t{1});
    QCOMPARE(left.front().last, false);  // who has asked needs it, confirmed or not
    QVERIFY(followers.of("m").empty());
    QVERIFY(followers.leave(1).empty());
    QVERIFY(followers.leave(2).front().last);
    QVERIFY(followers.of("m").empty());
  }
};

LEASESCOPE_SUITE(RedisSharedLinesTest)
#include "redis_shared_lines_test.moc"
