// The locks of client v3's package concurrency on an etcd in use: who holds, who waits, for how much longer, and when
// that changes; and what is said where nobody, or somebody else, answers.
#include <QElapsedTimer>
#include <atomic>

#include "core/observe/watched_row.h"
#include "tests/store/watching.h"
#include "tests/support/etcd_server.h"
#include "tests/support/impostor.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

std::string session(std::int64_t lease) { return fmt::format("lease {:x}", lease); }

bool says(const Watching& watch, const char* words, milliseconds within = milliseconds(4000)) {
  return wait_until([&] { return watch.watch.stores()[0]->why.find(words) != std::string::npos; }, within);
}

StoreUrl url_of(int port, const std::string& behind = {}) {
  return *parse_store_url(fmt::format("etcd://127.0.0.1:{}{}", port, behind));
}

// An HTTP answer, however the question was.
Impostor::Manner says_http(const std::string& status, const std::string& body) {
  return [=](Peer& peer, int) {
    peer.hear();
    peer.say(
        fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status, body.size(), body));
  };
}

}  // namespace

class EtcdTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PrivateServer server_{private_etcd(), [] {
                          PrivateServerOptions out;
                          out.remembers = true;
                          return out;
                        }()};
  int locks_ = 0;
  std::string lock_;  // of this test

  EtcdByHand hand() const { return EtcdByHand(server_.url().endpoint.port); }
  const SeenMutex& book(const Watching& watch) const { return watch.find(lock_)->book; }
  QStringList told(Watching& watch) const { return watch.told(lock_ + " (etcd)"); }
  // One that is not etcd, or does not behave as one, is told of in one message within the time to connect.
  void refused(const Impostor& impostor, const char* words) {
    QElapsedTimer timer;
    timer.start();
    const Watching watch(loop_, url_of(impostor.port()));
    QVERIFY2(says(watch, words), watch.watch.stores()[0]->why.c_str());
    QVERIFY2(timer.elapsed() < 3500, std::to_string(timer.elapsed()).c_str());
    QVERIFY(!watch.watch.complete() && watch.watch.stores()[0]->blind);
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }
  void init() { lock_ = fmt::format("orders-{}", ++locks_); }

  void aMutexIsHeldWaitedForAndReleased() {
    const std::int64_t a = hand().grant(60), b = hand().grant(60), c = hand().grant(60);
    QVERIFY(a > 0 && hand().stand_in_line(lock_, a) && hand().stand_in_line(lock_, b));
    Watching watch(loop_, server_.url());
    QVERIFY(watch.sees(lock_, session(a)));
    const Sighting first = book(watch).last();
    QCOMPARE(system_text(first), std::string("etcd mutex"));
    QCOMPARE(first.waiters, std::optional<std::uint32_t>(1));
    QCOMPARE(first.queue, std::vector<std::string>{session(b)});
    QVERIFY(first.token != kNoToken && first.left && *first.left > milliseconds(50'000) &&
            *first.left <= milliseconds(60'000));
    QVERIFY(hand().stand_in_line(lock_, c));
    QVERIFY(wait_until([&] { return book(watch).last().waiters == 2U; }, milliseconds(1000)));
    hand().leave(lock_, a);
    QVERIFY(watch.sees(lock_, session(b), milliseconds(1000)));
    QVERIFY(book(watch).last().token > first.token);
    hand().leave(lock_, c);  // who waited gives up
    hand().leave(lock_, b);
    QVERIFY(watch.sees(lock_, "-", milliseconds(1000)));
    QCOMPARE(told(watch), (QStringList{"granted", "released", "granted", "released"}));
    QCOMPARE(watch.find(lock_)->handoffs.size(), std::size_t{1});
  }
  // Its bounds hold the moment, and lie close.
  void aGrantLiesBetweenTheLastSignOfLifeAndItsMessage() {
    const std::int64_t a = hand().grant(60), b = hand().grant(60);
    hand().stand_in_line(lock_, a);
    Watching watch(loop_, server_.url());
    QVERIFY(watch.sees(lock_, session(a)));
    hand().leave(lock_, a);
    QVERIFY(watch.sees(lock_, "-"));
    wait_until([] { return false; }, milliseconds(1500));
    const TrueTime before = loop_.now();
    hand().stand_in_line(lock_, b);
    const TrueTime after = loop_.now();
    QVERIFY(watch.sees(lock_, session(b)));
    QVERIFY(book(watch).since_lo() <= after && book(watch).since_hi() >= before);
    QVERIFY2(book(watch).since_hi() - book(watch).since_lo() < 3 * kPoll + milliseconds(500), "wide bounds");
  }
  // All keys are known: who is met later stood nowhere before.
  void aLockThatIsNewWasFreeBefore() {
    Watching watch(loop_, server_.url());
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(3000)));
    wait_until([] { return false; }, milliseconds(600));
    const std::int64_t a = hand().grant(60);
    const TrueTime before = loop_.now();
    hand().stand_in_line(lock_, a);
    const TrueTime after = loop_.now();
    QVERIFY(watch.sees(lock_, session(a)));
    QVERIFY(book(watch).since_lo() > before - milliseconds(1500) && book(watch).since_lo() <= after);
    QVERIFY(book(watch).since_hi() >= before);
  }
  // It stands, and its watch does not.
  void aWatchThatNeverBeginsIsSaid() {
    const std::string header = R"("header":{"cluster_id":"1","member_id":"1","revision":"7","raft_term":"1"})";
    refused(Impostor([=](Peer& peer, int) {
              while (!peer.gone()) {
                const std::string request = peer.hear();
                if (request.find("/v3/watch") != std::string::npos) return peer.be_silent();
                peer.say(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{{{}}}", header.size() + 2, header));
              }
            }),
            "no answer within 2s of its watch");
  }
  void whoStandsForElectionIsReadable() {
    const std::int64_t a = hand().grant(60), b = hand().grant(60);
    hand().stand_in_line(lock_, a, "ann");
    hand().stand_in_line(lock_, b, "bob");
    Watching watch(loop_, server_.url());
    QVERIFY(watch.sees(lock_, "ann"));
    QCOMPARE(system_text(book(watch).last()), std::string("etcd election"));
    // It proclaims something else, and leads on.
    hand().put(EtcdByHand::place(lock_, a), "ann, 17 jobs", a);
    QVERIFY(wait_until([&] { return book(watch).last().raw[0].second == "ann, 17 jobs"; }, milliseconds(1000)));
    QCOMPARE(watch.owner(lock_), std::string("ann"));
    hand().leave(lock_, a);
    QVERIFY(watch.sees(lock_, "bob", milliseconds(1000)));
    QCOMPARE(told(watch), (QStringList{"granted", "released", "granted"}));
  }
  void aLeaseThatRunsOutIsTold() {
    const std::int64_t a = hand().grant(2);
    QVERIFY(hand().stand_in_line(lock_, a));
    Watching watch(loop_, server_.url());
    QVERIFY(watch.sees(lock_, session(a)));
    QVERIFY(watch.sees(lock_, "-", milliseconds(8000)));
    QCOMPARE(told(watch), (QStringList{"granted", "expired"}));
  }
  // Seconds that are cut off are no renewals, and a renewal is one.
  void aLeaseThatIsKeptAliveIsSeenToBeRenewed() {
    const std::int64_t a = hand().grant(6);
    QVERIFY(hand().stand_in_line(lock_, a));
    Watching watch(loop_, server_.url());
    QVERIFY(watch.sees(lock_, session(a)));
    wait_until([] { return false; }, milliseconds(3000));
    QCOMPARE(told(watch), QStringList{"granted"});
    hand().keep_alive(a);
    QVERIFY(wait_until([&] { return told(watch).size() > 1; }, milliseconds(2000)));
    QCOMPARE(told(watch), (QStringList{"granted", "renewed"}));
  }
  void whatIsNoLockIsLeftAlone() {
    const std::int64_t lease = hand().grant(60);
    hand().put(lock_ + "/settings", "1");
    hand().put(lock_ + "/2a", "a key that is named as a lease is");
    hand().put(lock_ + "/with-a-lease", "1", lease);
    hand().put(EtcdByHand::place(lock_, lease), std::string(900'000, 'x'), 0);
    for (int i = 0; i < 600; ++i) hand().put(fmt::format("{}-filler/{}", lock_, i), "");
    hand().stand_in_line(lock_ + "-last", lease);
    Watching watch(loop_, url_of(server_.url().endpoint.port, "/" + lock_));
    QVERIFY(watch.sees(lock_ + "-last", session(lease)));
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(3000)));
    QCOMPARE(watch.watch.mutexes().size(), std::size_t{1});
    QVERIFY(!watch.watch.stores()[0]->blind);
  }
  void whoeverAsksForOneIsToldOfThatOneAlone() {
    const std::int64_t a = hand().grant(60);
    hand().stand_in_line(lock_, a);
    hand().stand_in_line(lock_ + "-other", a);
    hand().stand_in_line(lock_ + "/of-a-part", a);
    WatchTerms terms;
    terms.look.mutexes = {lock_};
    Watching watch(loop_, server_.url(), terms);
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(3000)));
    QCOMPARE(watch.owner(lock_), session(a));
    hand().stand_in_line(lock_ + "/of-another-part", a);
    hand().leave(lock_, a);
    QVERIFY(watch.sees(lock_, "-"));
    QCOMPARE(watch.watch.mutexes().size(), std::size_t{1});
  }
  void whereLocksOfOthersAreLeftOutNothingIsSeenAndThatIsSaid() {
    hand().stand_in_line(lock_, hand().grant(60));
    WatchTerms terms;
    terms.look.foreign = Foreign::kNone;
    Watching watch(loop_, server_.url(), terms);
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(3000)));
    QVERIFY(watch.watch.mutexes().empty());
    QCOMPARE(watch.watch.stores()[0]->remarks.size(), std::size_t{1});
  }
  // Killed, and back with what it had: in between nothing is known, and nobody is said to have gone.
  void aServerThatIsAwayIsAGap() {
    const std::int64_t a = hand().grant(60), b = hand().grant(60);
    hand().stand_in_line(lock_, a);
    hand().stand_in_line(lock_, b);
    Watching watch(loop_, server_.url());
    QVERIFY(watch.sees(lock_, session(a)));
    server_.kill();
    QVERIFY(watch.sees(lock_, "", milliseconds(3500)));
    QVERIFY(watch.watch.stores()[0]->blind);
    const auto back = server_.start_again();
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QVERIFY(watch.sees(lock_, session(a), milliseconds(8000)));
    QCOMPARE(watch.watch.stores()[0]->gaps, std::uint64_t{1});
    hand().leave(lock_, a);
    QVERIFY(watch.sees(lock_, session(b), milliseconds(2000)));  // it is told again of what changes
    // A server that begins anew may give a lease its whole length again.
    QStringList all = told(watch);
    all.removeAll("renewed");
    QCOMPARE(all, (QStringList{"granted", "released", "granted"}));
  }
  void ofSeveralServersAnotherIsAsked() {
    const std::int64_t a = hand().grant(60);
    hand().stand_in_line(lock_, a);
    const Impostor silent([](Peer& peer, int) { peer.be_silent(); });
    Watching watch(loop_, url_of(silent.port(), fmt::format(",127.0.0.1:{}", server_.url().endpoint.port)));
    QVERIFY(watch.sees(lock_, session(a), milliseconds(5000)));
    QVERIFY(silent.met() > 0);
  }
  // Frozen, it says nothing, and closes nothing.
  void aServerThatFallsSilentIsNotBelieved() {
    const std::int64_t a = hand().grant(60);
    hand().stand_in_line(lock_, a);
    Watching watch(loop_, server_.url());
    QVERIFY(watch.sees(lock_, session(a)));
    server_.freeze();
    const bool unknown = watch.sees(lock_, "", milliseconds(3500));
    server_.thaw();
    QVERIFY(unknown);
    QVERIFY(watch.sees(lock_, session(a), milliseconds(8000)));
  }

  // ---- a login

  void aLoginIsAskedForAndRightsToReadSuffice() {
    PrivateServer guarded(private_etcd());
    const auto started = guarded.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const int port = guarded.url().endpoint.port;
    const EtcdByHand nobody(port);
    for (const char* name : {"root", "watcher", "blind"}) {
      nobody.ask("/v3/auth/user/add", {{"name", name}, {"password", "hush"}});
      nobody.ask("/v3/auth/role/add", {{"name", name}});
      nobody.ask("/v3/auth/user/grant", {{"user", name}, {"role", name}});
    }
    nobody.ask("/v3/auth/role/grant",
               {{"name", "watcher"},
                {"perm", {{"permType", "READ"}, {"key", etcd::base64("app/")}, {"range_end", etcd::base64("app0")}}}});
    const std::int64_t a = nobody.grant(60);
    QVERIFY(a > 0 && nobody.stand_in_line("app/orders", a));
    nobody.ask("/v3/auth/enable", nlohmann::json::object());
    const auto as = [&](const std::string& login, const std::string& prefix) {
      return *parse_store_url(fmt::format("etcd://{}127.0.0.1:{}/{}", login, port, prefix));
    };
    Watching watcher(loop_, as("watcher:hush@", "app/"));
    QVERIFY2(watcher.sees("app/orders", session(a)), watcher.watch.stores()[0]->why.c_str());
    const Watching elsewhere(loop_, as("watcher:hush@", ""));
    QVERIFY2(says(elsewhere, "permission denied"), elsewhere.watch.stores()[0]->why.c_str());
    const Watching wrong(loop_, as("watcher:hash@", "app/"));
    QVERIFY2(says(wrong, "the user or the password is wrong"), wrong.watch.stores()[0]->why.c_str());
    QVERIFY(wrong.watch.stores()[0]->why.find("hash") == std::string::npos);
    const Watching none(loop_, as("", "app/"));
    QVERIFY2(says(none, "it wants a login"), none.watch.stores()[0]->why.c_str());
  }

  // As with tokens that are signed, and good for minutes: there is no gap.
  void whoseTokenIsOverLogsInAnew() {
    const std::string header = R"("header":{"cluster_id":"1","member_id":"1","revision":"7","raft_term":"1"})";
    std::atomic<int> logins{0}, refusals{0}, served{0};
    const Impostor impostor([&](Peer& peer, int) {
      const auto answer = [&](const char* status, const std::string& body) {
        peer.say(fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n\r\n{}", status, body.size(), body));
      };
      for (std::string request = peer.hear(); !peer.gone(); request = peer.hear()) {
        if (request.find("/v3/auth/authenticate") != std::string::npos) {
          answer("200 OK", fmt::format("{{{},\"token\":\"token-{}\"}}", header, ++logins));
        } else if (request.find("/v3/watch") != std::string::npos) {
          peer.say("HTTP/1.1 200 OK\r\n\r\n{\"result\":{" + header + ",\"created\":true}}\n");
          return peer.be_silent();
        } else if (served > 2 && request.find("token-1\r\n") != std::string::npos) {
          ++refusals;
          answer("401 Unauthorized",
                 R"({"error":"etcdserver: invalid auth token","code":16,"message":"etcdserver: invalid auth token"})");
        } else {
          served += request.find("token-") != std::string::npos;
          answer("200 OK", "{" + header + "}");
        }
      }
    });
    Watching watch(loop_, *parse_store_url(fmt::format("etcd://ann:hush@127.0.0.1:{}", impostor.port())));
    QVERIFY(wait_until([&] { return refusals > 0; }, milliseconds(5000)));
    const int before = served;
    QVERIFY(wait_until([&] { return served > before + 2; }, milliseconds(3000)));
    QCOMPARE(watch.watch.stores()[0]->gaps, std::uint64_t{0});
    QVERIFY(!watch.watch.stores()[0]->blind);
    QCOMPARE(logins.load(), 2);
  }

  // ---- what is no etcd

  void nobodyThereIsSaid() {
    const Watching watch(loop_, url_of(free_port()));
    QVERIFY2(says(watch, "is it running, and is this its address?"), watch.watch.stores()[0]->why.c_str());
  }
  void anotherServerIsSaidToBeNone() {
    refused(Impostor(says_http("404 Not Found", "<html>nothing here</html>")), "not as etcd does: HTTP 404");
    refused(Impostor(says_http("200 OK", "<html>welcome</html>")), "client port of an etcd");
    refused(Impostor(says_http("200 OK", R"({"status":"fine"})")), "client port of an etcd");
  }
  void garbageAndSilenceAreSaid() {
    refused(Impostor([](Peer& peer, int) {
              peer.hear();
              peer.say("-ERR unknown command 'POST'\r\n");
              peer.be_silent();
            }),
            "client port of an etcd");
    refused(Impostor([](Peer& peer, int) { peer.be_silent(); }), "no answer within 2s");
  }
  // It says more than anybody could want to hear: it is not kept, and not waited for.
  void aFloodIsBounded() {
    refused(Impostor([](Peer& peer, int) {
              peer.hear();
              peer.say("HTTP/1.1 200 OK\r\n\r\n");
              const std::string much(65536, 'x');
              while (!peer.gone() && peer.say(much)) continue;
            }),
            "it says more than it was asked for");
  }
  void anEndlessLineOfItsWatchIsBounded() {
    const std::string header = R"("header":{"cluster_id":"1","member_id":"1","revision":"7","raft_term":"1"})";
    const Impostor impostor([=](Peer& peer, int) {
      while (!peer.gone()) {
        const std::string request = peer.hear();
        if (request.find("/v3/watch") == std::string::npos) {
          peer.say(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{{{}}}", header.size() + 2, header));
          continue;
        }
        peer.say("HTTP/1.1 200 OK\r\n\r\n{\"result\":{" + header + ",\"created\":true}}\n");
        const std::string much(65536, 'x');
        while (!peer.gone() && peer.say(much)) continue;
      }
    });
    const Watching watch(loop_, url_of(impostor.port()));
    QVERIFY2(says(watch, "a line of it is longer than 8 MB"), watch.watch.stores()[0]->why.c_str());
  }
  // Why a stream ends stands behind its last line, which need not be a whole one.
  void whyAStreamEndsIsSaid() {
    const std::string header = R"("header":{"cluster_id":"1","member_id":"1","revision":"7","raft_term":"1"})";
    std::atomic<int> watches{0};
    const Impostor impostor([&](Peer& peer, int) {
      for (std::string request = peer.hear(); !peer.gone(); request = peer.hear()) {
        if (request.find("/v3/watch") == std::string::npos) {
          peer.say(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{{{}}}", header.size() + 2, header));
          continue;
        }
        if (++watches > 1) return peer.be_silent();
        peer.say("HTTP/1.1 200 OK\r\n\r\n{\"result\":{" + header + ",\"created\":true}}\n");
        peer.rest(300);
        peer.say(R"({"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader"}})");
        return;
      }
    });
    const Watching watch(loop_, url_of(impostor.port()));
    QVERIFY2(says(watch, "most of its members do not answer"), watch.watch.stores()[0]->why.c_str());
  }
  // Whoever hears it, and hangs up: so does an etcd that speaks TLS.
  void aServerThatHangsUpWithoutAWordMaySpeakTls() {
    refused(Impostor([](Peer& peer, int) { peer.hear(); }), "begins with etcds://");
  }
  // What changed meanwhile is forgotten there: a gap, and a look at all of it anew.
  void whatIsCompactedIsAGap() {
    const std::string key = etcd::base64("orders/2a");
    const auto header = [](int revision) {
      return fmt::format(R"("header":{{"cluster_id":"1","member_id":"1","revision":"{}","raft_term":"1"}})", revision);
    };
    std::atomic<int> watches{0};
    const Impostor impostor([&](Peer& peer, int) {
      const auto answer = [&](const std::string& body) {
        peer.say(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", body.size(), body));
      };
      for (std::string request = peer.hear(); !peer.gone(); request = peer.hear()) {
        const int before = watches;
        if (request.find("/v3/lease") != std::string::npos) {
          answer("{" + header(7) + R"(,"ID":"42","TTL":"50","grantedTTL":"60"})");
        } else if (request.find("/v3/watch") == std::string::npos) {
          // Somebody else's lease holds after the gap.
          answer(fmt::format(
              R"({{{},"kvs":[{{"key":"{}","create_revision":"{}","mod_revision":"{}","lease":"{}"}}],"count":"1"}})",
              header(before < 1 ? 7 : 20), before < 2 ? key : etcd::base64("orders/2b"), before < 2 ? 5 : 15,
              before < 2 ? 5 : 15, before < 2 ? 42 : 43));
        } else {
          peer.say("HTTP/1.1 200 OK\r\n\r\n{\"result\":{" + header(7) + ",\"created\":true}}\n");
          if (++watches > 1) return peer.be_silent();
          peer.rest(800);
          ++watches;
          peer.say("{\"result\":{" + header(20) + R"(,"canceled":true,"compact_revision":"18"}})" + "\n");
          return peer.be_silent();
        }
      }
    });
    Watching watch(loop_, url_of(impostor.port()));
    QVERIFY(watch.sees("orders", "lease 2a"));
    QVERIFY(watch.sees("orders", "lease 2b", milliseconds(4000)));
    QCOMPARE(watch.watch.stores()[0]->gaps, std::uint64_t{1});
  }
};

LEASESCOPE_SUITE(EtcdTest)
#include "etcd_test.moc"
