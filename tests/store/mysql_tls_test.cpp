// TLS on our own lines to MySQL: what goes wrong is said in one clear message within the time to connect, and holds
// nobody up. That it works is said by the suite of all lease stores, of which it is a row.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <fstream>
#include <iterator>

#include "simulator/live/descriptor_limit.h"
#include "tests/store/mysql_greeting.h"
#include "tests/store/mysql_over_tls.h"
#include "tests/store/rig.h"
#include "tests/support/impostor.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const std::vector<std::string> kMutexes{"orders"};

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

class MysqlTlsTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer server_{mysql_over_tls()};
  QTemporaryDir folder_;

  std::string file(const std::string& name) const {
    std::string path = server_.url().options.at("ssl-ca");
    return path.replace(path.rfind('/') + 1, std::string::npos, name);
  }
  std::string written(const std::string& name, const std::string& text) const {
    const std::string path = folder_.path().toStdString() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  // By its socket.
  std::string rule(const std::string& sql) {
    StoreUrl plain = server_.url();
    plain.endpoint.unix_path = file("mysql");
    plain.sealed = false;
    plain.options = {{"option-file", ""}};
    mysql::Asker asker(milliseconds(5000));
    if (const auto connected = asker.connect(plain); !connected) return connected.error().message;
    const auto answer = asker.ask(sql);
    return answer ? answer->empty() ? "" : answer->front() : answer.error().message;
  }
  bool shows(const std::string& certificate) {
    std::ofstream(file("shown.crt")) << content(file(certificate + ".crt"));
    std::ofstream(file("shown.key")) << content(file(certificate + ".key"));
    return rule("flush ssl").empty();
  }
  StoreUrl url_of(const std::string& user, const std::string& options) {
    rule("drop user if exists " + user);
    rule("create user " + user + " identified by 'hush' " + options);
    rule("grant all on leasescope.* to " + user);
    StoreUrl url = server_.url();
    url.user = user;
    url.password = "hush";
    return url;
  }

  static int open() { return static_cast<int>(QDir("/proc/self/fd").entryList(QDir::Files | QDir::System).size()); }
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
  void serves(const StoreUrl& url) {
    const auto looked = probe(url, kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(client.connects());
    QCOMPARE(client.ask(RequestKind::kAcquire, "orders").error, std::string());
    QCOMPARE(client.ask(RequestKind::kRelease, "orders").error, std::string());
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }
  void init() {
    QVERIFY(shows("server"));
    rule("set global require_secure_transport = off");
  }

  void whatIsSaidIsEncrypted() {
    serves(server_.url());
    mysql::Asker asker(milliseconds(5000));
    QVERIFY(asker.connect(server_.url()).has_value());
    const auto cipher = asker.ask(
        "select variable_value from information_schema.session_status "
        "where variable_name = 'Ssl_version'");
    QVERIFY2(cipher.has_value(), cipher ? "" : cipher.error().message.c_str());
    QCOMPARE(cipher->front(), std::string("TLSv1.3"));
  }

  void aCertificateOfAnUnknownAuthorityIsRefused() {
    Authority stranger("a stranger");
    StoreUrl url = server_.url();
    url.options["ssl-ca"] = written("stranger.crt", stranger.text());
    refused(url, {"its certificate is not trusted", "?ssl-ca=FILE"});
    url.options.erase("ssl-ca");  // the system's
    url.options["ssl"] = "on";
    refused(url, {"its certificate is not trusted", "?ssl-ca=FILE"});
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

  void aUserWhoMustShowACertificateDoes() {
    StoreUrl url = url_of("shown", "require x509");
    refused(url, {"Access denied", "?ssl-cert=FILE&ssl-key=FILE"});
    url.options["ssl-cert"] = file("client.crt");
    url.options["ssl-key"] = file("client.key");
    serves(url);
  }
  void aServerThatTakesNobodyWithoutTlsIsSaidSo() {
    StoreUrl url = url_of("plain", "");
    url.sealed = false;
    url.options = {{"option-file", ""}};
    serves(url);
    rule("set global require_secure_transport = on");
    // MariaDB up to 10 does not say why.
    refused(url, {rule("select version()").rfind("10.", 0) == 0 ? "Access denied" : "insecure transport", "?ssl=on"});
    serves(server_.url());
  }

  void aServerWithoutTlsIsRefused() {
    PrivateServer plain(mysql_without_tls());
    const auto started = plain.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    StoreUrl url = plain.url();
    serves(url);
    url.options["ssl"] = "on";
    refused(url, {"it does not speak TLS", "leave ssl out"});
  }

  void aFileThatIsNoneOfThoseIsNamed_data() {
    QTest::addColumn<QByteArray>("option");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("no such authority") << QByteArray("ssl-ca") << QByteArray("nowhere") << QByteArray("cannot be read");
    QTest::newRow("no authority") << QByteArray("ssl-ca") << QByteArray("client.key")
                                  << QByteArray("expected the certificate");
    QTest::newRow("another's key") << QByteArray("ssl-key") << QByteArray("server.key")
                                   << QByteArray("expected the key");
  }
  void aFileThatIsNoneOfThoseIsNamed() {
    QFETCH(QByteArray, option);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, expected);
    StoreUrl url = server_.url();
    url.options["ssl-cert"] = file("client.crt");
    url.options["ssl-key"] = file("client.key");
    url.options[option.toStdString()] = file(name.toStdString());
    refused(url, {expected.constData(), name.constData(), "name a file"});
  }

  // The client library would begin TLS by itself then.
  void anOptionFileAsksForTlsToo() {
    const std::string own = written("mine.cnf", "[client]\nuser = leasescope\nssl-ca = \"" + file("ca.crt") + "\"\n");
    StoreUrl url = server_.url();
    url.user.clear();
    url.options = {{"option-file", own}};
    serves(url);
    QVERIFY(shows("other"));
    refused(url, {"its certificate is not for \"localhost\""});
    url.options["ssl"] = "off";
    url.sealed = false;
    serves(url);
  }
  void aLineWhoseOptionFileAsksForTlsNoMoreIsNotMadeInTheClear() {
    const std::string before = "[client]\nuser = leasescope\n";
    const std::string own = written("changing.cnf", before + "ssl-ca = \"" + file("ca.crt") + "\"\n");
    StoreUrl url = server_.url();
    url.user.clear();
    url.options = {{"option-file", own}};
    serves(url);
    written("changing.cnf", before);
    refused(url, {"the option file asks for TLS no more", "?ssl=on"});
  }

  // A server counts those who do not.
  void whoAskedSaysGoodBye() {
    // Guests of an earlier test may still be leaving, and some of them without a word: they are waited for, not
    // counted.
    const auto is_gone = [&](const std::string& which) {
      return QTest::qWaitFor(
          [&] {
            return rule(
                       "select count(*) from information_schema.processlist where user <> 'system user' "
                       "and id <> connection_id() and " +
                       which) == "0";
          },
          10000);
    };
    const auto aborted = [&] {
      return rule(
          "select variable_value from information_schema.global_status where variable_name = 'ABORTED_CLIENTS'");
    };
    QVERIFY(is_gone("true"));
    const std::string before = aborted();
    std::string asked_as;
    {
      mysql::Asker asker(milliseconds(5000));
      QVERIFY(asker.connect(server_.url()).has_value());
      const auto id = asker.ask("select connection_id()");
      QVERIFY(id.has_value());
      asked_as = id->front();
    }
    QVERIFY(is_gone("id = " + asked_as));
    QCOMPARE(aborted(), before);
  }

  // The name that is checked is the URL's, wherever the line leads.
  void aProxyInBetweenChangesNothing() {
    FaultProxy proxy(loop_, server_.url().endpoint, mysql_over_tls(), true);
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

  void aServerThatFallsSilentHoldsNobodyUp_data() {
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QByteArray>("then");
    QTest::newRow("at once") << QByteArray() << QByteArray();
    QTest::newRow("in its greeting") << QByteArray::fromStdString(mysql_greeting(true).substr(0, 40)) << QByteArray();
    QTest::newRow("asked for TLS") << QByteArray::fromStdString(mysql_greeting(true)) << QByteArray();
    QTest::newRow("half a record") << QByteArray::fromStdString(mysql_greeting(true))
                                   << QByteArray("\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03", 11);
  }
  void aServerThatFallsSilentHoldsNobodyUp() {
    QFETCH(QByteArray, words);
    QFETCH(QByteArray, then);
    const Impostor impostor([words, then](Peer& peer, int) {
      peer.say(words.toStdString());
      if (!then.isEmpty() && !peer.hear().empty()) peer.say(then.toStdString());
      peer.be_silent();
    });
    StoreUrl url = server_.url();
    url.endpoint.port = impostor.port();
    url.endpoint.host = "127.0.0.1";
    refused(url, {"no connection within 2s"});
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
  }

  void whatIsNoMysqlIsSaidSo_data() {
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QByteArray>("expected");
    const auto of = [](const std::string& text) { return QByteArray::fromStdString(text); };
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n") << QByteArray("cannot use mysql://");
    QTest::newRow("a refusal") << of(std::string("\x17\0\0\0\xff\x10\x04#08004Too many there", 27))
                               << QByteArray("Too many there");
    QTest::newRow("no TLS after all") << of(mysql_greeting(true)) + QByteArray("+OK\r\n")
                                      << QByteArray("is it a MySQL?");
    QTest::newRow("much too much") << QByteArray(1 << 20, '+') << QByteArray("cannot use mysql://");
  }
  void whatIsNoMysqlIsSaidSo() {
    QFETCH(QByteArray, words);
    QFETCH(QByteArray, expected);
    const Impostor impostor([words](Peer& peer, int) {
      peer.say(words.toStdString());
      peer.be_silent();
    });
    StoreUrl url = server_.url();
    url.endpoint.port = impostor.port();
    url.endpoint.host = "127.0.0.1";
    QElapsedTimer timer;
    timer.start();
    const auto looked = probe(url, kMutexes);
    QVERIFY(!looked);
    QVERIFY2(looked.error().find(expected.toStdString()) != std::string::npos, looked.error().c_str());
    QVERIFY2(timer.elapsed() < 4000, std::to_string(timer.elapsed()).c_str());
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(wait_until([&] { return !client.reasons.empty(); }, milliseconds(3000)));
  }

  // By that the limit of a run is raised.
  void aLineTakesAsManyDescriptorsAsIsSaidOfIt() {
    const auto before = open();
    Client client(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(client.connects());
    QCOMPARE(open() - before, server_.url().type->descriptors_over_tls);
    StoreUrl clear = server_.url();
    clear.sealed = false;
    for (const bool proxied : {false, true})
      QCOMPARE(descriptors_for(100, proxied, server_.url()) - descriptors_for(100, proxied, clear), std::size_t{400});
  }
  void descriptorsAndFoldersComeAndGoWithTheLines() {
    FaultProxy proxy(loop_, server_.url().endpoint, mysql_over_tls(), false);
    const auto endpoint = proxy.listen();
    QVERIFY(endpoint.has_value());
    const auto come_and_go = [&](int times) {
      Client client(loop_, names_, server_.url(), "0:1@a", StoreRoute{*endpoint, *endpoint});
      for (int i = 0; i < times; ++i) {
        if (!client.connects() || !client.ask(RequestKind::kAcquire, "orders").error.empty()) return false;
        proxy.reset();
        if (!wait_until([&] { return !client.connected(); }, milliseconds(2000))) return false;
      }
      return client.connects();
    };
    QVERIFY(come_and_go(2));
    proxy.reset();
    QTest::qWait(50);
    const auto before = open();
    QVERIFY(come_and_go(20));
    proxy.reset();
    QVERIFY(wait_until([&] { return open() <= before; }, milliseconds(2000)));
    QCOMPARE(QDir(QDir::tempPath()).entryList({"leasescope-*"}, QDir::Dirs | QDir::Hidden).filter("door").size(), 0);
  }
};

LEASESCOPE_SUITE(MysqlTlsTest)
#include "mysql_tls_test.moc"
