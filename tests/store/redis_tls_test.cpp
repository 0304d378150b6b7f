// TLS on our own lines to Redis: what goes wrong is said in one clear message within the time to connect, and holds
// nobody up. That it works is said by the suite of all lease stores, of which it is a row.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <fstream>

#include "tests/store/redis_over_tls.h"
#include "tests/store/rig.h"
#include "tests/support/impostor.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const std::vector<std::string> kMutexes{"orders"};

#ifdef __SANITIZE_ADDRESS__  // what is measured there is the sanitizer's own
constexpr bool kKeepsWhatIsFreed = true;
#else
constexpr bool kKeepsWhatIsFreed = false;
#endif

long resident_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      long kb = 0;
      status >> kb;
      return kb;
    }
  qFatal("/proc/self/status has no VmRSS");
}

}  // namespace

class RedisTlsTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer server_{redis_over_tls()};
  QTemporaryDir folder_;

  std::string file(const std::string& name) const {
    std::string path = server_.url().options.at("cacert");
    return path.replace(path.rfind('/') + 1, std::string::npos, name);
  }
  // Sets the server's options, by its socket.
  bool configure(const std::vector<std::string>& options) {
    StoreUrl plain = server_.url();
    plain.sealed = false;
    plain.endpoint.unix_path = file("redis.sock");
    redis::Asker asker(milliseconds(5000));
    redis::Asker::Words words{"CONFIG", "SET"};
    words.insert(words.end(), options.begin(), options.end());
    return asker.connect(plain).has_value() && asker.ask(words).has_value();
  }
  bool shows(const std::string& certificate) {
    return configure({"tls-cert-file", file(certificate + ".crt"), "tls-key-file", file(certificate + ".key")});
  }
  std::string written(const std::string& name, const std::string& text) const {
    const std::string path = folder_.path().toStdString() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  // Both the look before a run and a contender's line say it within the time a connection may take.
  void refused(const StoreUrl& url, const std::vector<const char*>& words) {
    QElapsedTimer timer;
    timer.start();
    const auto looked = probe(url, kMutexes);
    QVERIFY(!looked);
    QVERIFY2(timer.elapsed() < 4000, std::to_string(timer.elapsed()).c_str());
    for (const char* word : words) QVERIFY2(looked.error().find(word) != std::string::npos, looked.error().c_str());
    timer.start();
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(wait_until([&] { return !client.reasons.empty(); }, milliseconds(4000)));
    QVERIFY2(timer.elapsed() < 4000, std::to_string(timer.elapsed()).c_str());
    QVERIFY2(client.reasons.front().find(words.front()) != std::string::npos, client.reasons.front().c_str());
    QVERIFY(!client.connected());
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }
  void init() {
    QVERIFY(shows("server"));
    QVERIFY(configure({"tls-auth-clients", "no"}));
  }

  void aCertificateOfAnUnknownAuthorityIsRefused() {
    Authority stranger("a stranger");
    StoreUrl url = server_.url();
    url.options["cacert"] = written("stranger.crt", stranger.text());
    refused(url, {"its certificate is not trusted", "?cacert=FILE"});
    url.options.erase("cacert");  // the system's
    refused(url, {"its certificate is not trusted", "?cacert=FILE"});
  }

  void aCertificateForAnotherHostIsRefused() {
    QVERIFY(shows("other"));
    refused(server_.url(), {"its certificate is not for \"localhost\" but for db.example, *.db.example",
                            "name the host as its certificate does"});
  }
  void anAddressIsNoNameOfACertificateForANameOnly() {
    StoreUrl url = server_.url();
    url.endpoint.host = "127.0.0.1";
    refused(url, {"its certificate is not for \"127.0.0.1\" but for localhost"});
  }

  void aCertificateThatHasExpiredIsRefused() {
    QVERIFY(shows("expired"));
    refused(server_.url(), {"its certificate is not valid now", "expired", "renew it"});
  }

  void aClientCertificateThatIsWantedAndMissingIsSaid() {
    QVERIFY(configure({"tls-auth-clients", "yes"}));
    refused(server_.url(), {"it asks for a client certificate", "?cert=FILE&key=FILE"});
  }
  void aClientCertificateOpensTheDoor() {
    QVERIFY(configure({"tls-auth-clients", "yes"}));
    StoreUrl url = server_.url();
    url.options["cert"] = file("client.crt");
    url.options["key"] = file("client.key");
    const auto looked = probe(url, kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(client.connects());
    QCOMPARE(client.ask(RequestKind::kAcquire, "orders").error, std::string());
    QCOMPARE(client.ask(RequestKind::kRelease, "orders").error, std::string());
  }
  void aClientCertificateNobodyKnowsIsRefused() {
    QVERIFY(configure({"tls-auth-clients", "yes"}));
    Authority stranger("a stranger");
    const Signed made = stranger.sign("client", "");
    StoreUrl url = server_.url();
    url.options["cert"] = written("strange.crt", made.certificate);
    url.options["key"] = written("strange.key", made.key);
    refused(url, {"it asks for a client certificate, and seems not to accept ours"});
  }

  void aPlainLineToATlsPortIsSaidSo() {
    StoreUrl url = server_.url();
    url.sealed = false;
    url.options.clear();
    refused(url, {"TLS", "it speaks TLS", "its URL begins with rediss://"});
  }
  void tlsOnAPlainPortIsSaidSo() {
    const int port = free_port();
    QVERIFY(configure({"port", std::to_string(port)}));
    StoreUrl url = server_.url();
    url.endpoint.port = port;
    refused(url, {"it does not speak TLS", "without TLS its URL begins with redis://"});
  }

  void aFileThatIsNoneOfThoseIsNamed_data() {
    QTest::addColumn<QByteArray>("option");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("no such authority") << QByteArray("cacert") << QByteArray("nowhere") << QByteArray("cannot be read");
    QTest::newRow("no authority") << QByteArray("cacert") << QByteArray("client.key")
                                  << QByteArray("expected the certificate");
    QTest::newRow("no certificate") << QByteArray("cert") << QByteArray("client.key")
                                    << QByteArray("expected the client's certificate");
    QTest::newRow("no key") << QByteArray("key") << QByteArray("client.crt") << QByteArray("expected the key");
    QTest::newRow("another's key") << QByteArray("key") << QByteArray("server.key") << QByteArray("expected the key");
  }
  void aFileThatIsNoneOfThoseIsNamed() {
    QFETCH(QByteArray, option);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, expected);
    StoreUrl url = server_.url();
    url.options["cert"] = file("client.crt");
    url.options["key"] = file("client.key");
    url.options[option.toStdString()] = file(name.toStdString());
    refused(url, {expected.constData(), name.constData(), "name a file"});
  }

  // The name that is checked is the URL's, wherever the line leads.
  void aProxyInBetweenChangesNothing() {
    FaultProxy proxy(loop_, server_.url().endpoint, redis_over_tls(), true);
    const auto endpoint = proxy.listen();
    QVERIFY(endpoint.has_value());
    Client client(loop_, names_, server_.url(), "0:1@a", StoreRoute{*endpoint, *endpoint});
    QVERIFY(client.connects());
    QCOMPARE(client.ask(RequestKind::kAcquire, "proxied").error, std::string());
    proxy.stall(LinkDirection::kBoth);
    const Told cut =
        client.ending_of(client.send(RequestKind::kGuard, "proxied", milliseconds(5000), milliseconds(200)));
    QCOMPARE(cut.reply.ending, Ending::kUnknown);
    proxy.resume(LinkDirection::kBoth);
    QVERIFY(client.connects());
    QCOMPARE(client.ask(RequestKind::kGuard, "proxied").error, std::string());
  }

  void aServerThatStallsInTheHandshakeHoldsNobodyUp_data() {
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("silent") << QByteArray();
    QTest::newRow("half a record") << QByteArray("\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03", 11);
  }
  void aServerThatStallsInTheHandshakeHoldsNobodyUp() {
    QFETCH(QByteArray, words);
    const Impostor impostor([words](Peer& peer, int) {
      peer.say(words.toStdString());
      peer.be_silent();
    });
    StoreUrl url = server_.url();
    url.endpoint.port = impostor.port();
    url.endpoint.host = "127.0.0.1";
    Client other(loop_, names_, server_.url(), "0:2@b");
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(other.connects(milliseconds(1000)));
    QElapsedTimer timer;
    timer.start();
    while (client.reasons.empty() && timer.elapsed() < 4000) {
      const Told served = other.ask(RequestKind::kAcquire, "meanwhile");
      QCOMPARE(served.error, std::string());
      QVERIFY(served.received - served.sent < milliseconds(500));
    }
    QVERIFY(!client.reasons.empty());
    QVERIFY2(client.reasons.front().find("no connection within 2s") == 0, client.reasons.front().c_str());
  }

  void whatAServerSaysInTheHandshakeIsBounded_data() {
    QTest::addColumn<QByteArray>("words");
    QByteArray record("\x16\x03\x03\x40\x00", 5);  // 16 kB of a handshake
    QByteArray first = record + QByteArray("\x02\xff\xff\xff", 4) + QByteArray(16380, 'x');
    QTest::newRow("a greeting of 16 MB") << first;
    QTest::newRow("alerts without end") << QByteArray("\x15\x03\x03\x00\x02\x01\x5a", 7).repeated(1000);
    QTest::newRow("no TLS") << QByteArray(65536, '+');
  }
  void whatAServerSaysInTheHandshakeIsBounded() {
    QFETCH(QByteArray, words);
    const Impostor impostor([words](Peer& peer, int) {
      while (peer.say(words.toStdString())) {
      }
    });
    StoreUrl url = server_.url();
    url.endpoint.port = impostor.port();
    url.endpoint.host = "127.0.0.1";
    const long before = resident_kb();
    const auto looked = probe(url, kMutexes);
    QVERIFY(!looked);
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(wait_until([&] { return client.reasons.size() >= 3; }, milliseconds(4000)));
    QVERIFY2(resident_kb() - before < 20'000, std::to_string(resident_kb() - before).c_str());
  }

  // Certificates are renewed while programs run: every attempt to connect sees the files as they are.
  void aFileThatIsMendedIsReadAtTheNextAttempt() {
    Authority stranger("a stranger");
    StoreUrl url = server_.url();
    std::ifstream right(url.options["cacert"]);
    const std::string text((std::istreambuf_iterator<char>(right)), {});
    url.options["cacert"] = written("mended.crt", stranger.text());
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(wait_until([&] { return !client.reasons.empty(); }, milliseconds(3000)));
    QVERIFY2(client.reasons.back().find("not trusted") != std::string::npos, client.reasons.back().c_str());
    std::ofstream(url.options["cacert"]) << "half of it";
    QVERIFY(wait_until([&] { return client.reasons.back().find("expected the cert") != std::string::npos; },
                       milliseconds(3000)));
    std::ofstream(url.options["cacert"]) << text;
    QVERIFY(client.connects());
  }

  // A system's bundle has a hundred and fifty: a megabyte for each of a thousand contenders would be too much.
  void theAuthoritiesAreKeptOnceForAll() {
    std::string bundle = authority().text();
    for (int i = 0; i < 150; ++i) bundle += Authority("authority " + std::to_string(i)).text();
    StoreUrl url = server_.url();
    url.options["cacert"] = written("bundle.crt", bundle);
    std::vector<std::unique_ptr<Client>> clients;
    const auto add = [&] {
      clients.push_back(std::make_unique<Client>(loop_, names_, url, "0:" + std::to_string(clients.size()) + "@a"));
      return clients.back()->connects();
    };
    QVERIFY(add());
    const long before = resident_kb();
    for (int i = 0; i < 40; ++i) QVERIFY(add());
    if (kKeepsWhatIsFreed) return;
    QVERIFY2(resident_kb() - before < 40 * 150, std::to_string(resident_kb() - before).c_str());
  }

  // A line costs what its buffers cost, and they are given back.
  void linesThatComeAndGoLeaveNothing() {
    FaultProxy proxy(loop_, server_.url().endpoint, redis_over_tls(), false);
    const auto endpoint = proxy.listen();
    QVERIFY(endpoint.has_value());
    Client client(loop_, names_, server_.url(), "0:1@a", StoreRoute{*endpoint, *endpoint});
    const auto come_and_go = [&](int times) {
      for (int i = 0; i < times; ++i) {
        if (!client.connects() || !client.ask(RequestKind::kSubscribe, "orders").error.empty()) return false;
        proxy.reset();
        if (!wait_until([&] { return !client.connected(); }, milliseconds(2000))) return false;
      }
      return client.connects();
    };
    QVERIFY(come_and_go(5));
    const long before = resident_kb();
    QVERIFY(come_and_go(25));
    if (kKeepsWhatIsFreed) return;
    QVERIFY2(resident_kb() - before < 4'000, std::to_string(resident_kb() - before).c_str());
  }
};

LEASESCOPE_SUITE(RedisTlsTest)
#include "redis_tls_test.moc"
