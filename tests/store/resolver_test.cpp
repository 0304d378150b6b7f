// A blocking look-up of a host's name stopped the one loop, watchdogs included.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "core/store/connector.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/store/socket.h"
#include "tests/store/rig.h"
#include "tests/support/impostor.h"
#include "tests/support/impostor_words.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

Endpoint named(const std::string& host, int port) {
  Endpoint out;
  out.host = host;
  out.port = port;
  return out;
}

// As slow as a name server that does not answer.
Addresses slowly(const Endpoint& endpoint) {
  std::this_thread::sleep_for(milliseconds(600));
  return std::vector<Endpoint>{named("127.0.0.1", endpoint.port)};
}

// Takes no more connections and refuses none: whoever comes waits for ever.
class BlackHole {
 public:
  BlackHole() {
    descriptors_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(descriptors_[0], any, size) != 0 || ::listen(descriptors_[0], 0) != 0 ||
        ::getsockname(descriptors_[0], any, &size) != 0)
      qFatal("no port that takes no more connections: %s", std::strerror(errno));
    port_ = ntohs(address.sin_port);
    for (int i = 0; i < 4; ++i) {
      descriptors_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      (void)::connect(descriptors_.back(), any, size);
    }
  }
  ~BlackHole() {
    for (const int descriptor : descriptors_) ::close(descriptor);
  }
  BlackHole(const BlackHole&) = delete;
  BlackHole& operator=(const BlackHole&) = delete;
  int port() const { return port_; }

 private:
  std::vector<int> descriptors_;
  int port_ = 0;
};

Impostor::Manner redis_like() {
  return [](Peer& peer, int) {
    for (Words words = peer.hear_command(); !words.empty(); words = peer.hear_command()) peer.say(redis_answer(words));
  };
}

}  // namespace

class ResolverTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;

 private slots:
  void aSlowLookUpDoesNotStopTheLoop() {
    const Impostor impostor(redis_like());
    const auto resolver = std::make_shared<Resolver>(loop_, slowly);
    FaultProxy proxy(loop_, named("redis.example", impostor.port()), redis::store_type(), false, resolver);
    const auto endpoint = proxy.listen();
    QVERIFY(endpoint.has_value());
    StoreUrl url;
    url.type = &redis::store_type();
    url.endpoint = *endpoint;
    Client client(loop_, names_, url, "0:1@a");
    Duration longest{};
    TrueTime last = loop_.now();
    const bool connected = wait_until(
        [&] {
          longest = std::max(longest, loop_.now() - last);
          last = loop_.now();
          return client.connected();
        },
        milliseconds(5000));
    QVERIFY(connected);
    QVERIFY2(longest < milliseconds(200), std::to_string(longest.count()).c_str());
  }

  void aNameIsLookedUpOnceForAllAndAgainWhenItLeadsNowhere() {
    std::atomic<int> times{0}, port{1};  // nobody listens on port 1
    Resolver resolver(loop_, [&](const Endpoint&) {
      ++times;
      return Addresses(std::vector<Endpoint>{named("127.0.0.1", port)});
    });
    const Endpoint endpoint = named("redis.example", 6379);
    const auto connects = [&](Connector& connector) {
      std::optional<bool> done;
      connector.connect(endpoint, [&](const tl::expected<int, std::string>& connected) {
        done = connected.has_value();
        if (connected) close_line(*connected, true);
      });
      wait_until([&] { return done.has_value(); }, milliseconds(2000));
      return done;
    };
    Connector a(loop_, resolver), b(loop_, resolver);
    QCOMPARE(connects(a), std::optional(false));
    QCOMPARE(times.load(), 1);
    const Impostor impostor(redis_like());
    port = impostor.port();
    QCOMPARE(connects(a), std::optional(true));
    QCOMPARE(times.load(), 2);
    QCOMPARE(connects(b), std::optional(true));
    QCOMPARE(times.load(), 2);
  }

  void theAddressesOfAHostAreTriedOneAfterAnother() {
    const Impostor impostor(redis_like());
    Resolver resolver(loop_, [&](const Endpoint&) {
      return Addresses(std::vector<Endpoint>{named("::1", impostor.port()), named("127.0.0.1", impostor.port())});
    });
    Connector connector(loop_, resolver);
    bool connected = false;
    connector.connect(named("redis.example", 1), [&](const tl::expected<int, std::string>& descriptor) {
      connected = descriptor.has_value();
      if (connected) close_line(*descriptor, true);
    });
    QVERIFY(wait_until([&] { return connected; }, milliseconds(2000)));
  }

  // An IPv6 address, say, whose packets are dropped on the way.
  void anAddressThatNeverAnswersIsNotTheOneThatIsTriedAgain() {
    const BlackHole hole;
    const Impostor impostor(redis_like());
    Resolver resolver(loop_, [&](const Endpoint&) {
      return Addresses(std::vector<Endpoint>{named("127.0.0.1", hole.port()), named("127.0.0.1", impostor.port())});
    });
    Connector connector(loop_, resolver);
    bool connected = false;
    const auto connect = [&] {
      connector.connect(named("redis.example", 1), [&](const tl::expected<int, std::string>& descriptor) {
        connected = descriptor.has_value();
        if (connected) close_line(*descriptor, true);
      });
    };
    connect();
    QVERIFY(!wait_until([&] { return connected; }, milliseconds(300)));
    connector.cancel();  // as a line does whose time is over
    connect();
    QVERIFY(wait_until([&] { return connected; }, milliseconds(2000)));
  }
  void theLookBeforeARunHasTimeForEachAddress() {
    const BlackHole hole;
    const Impostor impostor(redis_like());
    redis::Asker asker(milliseconds(1000));
    const auto connected = asker.connect({named("127.0.0.1", hole.port()), named("127.0.0.1", impostor.port())});
    QVERIFY2(connected.has_value(), connected ? "" : connected.error().c_str());
    QVERIFY(asker.ask({"PING"}).has_value());
  }

  void whoGoesIsNotCalled() {
    Resolver resolver(loop_, slowly);
    bool called = false;
    {
      Connector connector(loop_, resolver);
      connector.connect(named("redis.example", 1), [&](const tl::expected<int, std::string>&) { called = true; });
    }
    QTest::qWait(800);
    QVERIFY(!called);
  }

  void everyStoreIsReachedByName_data() { each_lease_store(); }
  void everyStoreIsReachedByName() {
    const bool redis = &this_store() == &redis::store_type();  // whose part the impostor plays
    std::atomic<int> met{0};
    const Impostor impostor([&, redis](Peer& peer, int number) {
      ++met;
      if (redis) redis_like()(peer, number);
    });
    StoreUrl url;
    url.given = true;
    url.type = &this_store();
    url.endpoint = named("localhost", impostor.port());
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(wait_until([&] { return met >= 2; }, milliseconds(3000)));
    if (redis) QVERIFY(client.connects());
    const int before = met;
    const auto looked = probe(url);
    QVERIFY(met > before);
    QCOMPARE(looked.has_value(), redis);
    url.endpoint.host = "no-such-host.invalid";
    const auto lost = probe(url);
    QVERIFY(!lost);
    QVERIFY2(lost.error().find("no-such-host.invalid") != std::string::npos, lost.error().c_str());
  }
};

LEASESCOPE_SUITE(ResolverTest)
#include "resolver_test.moc"
