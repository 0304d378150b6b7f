// What libpq's users expect of a URL: services, password files, TLS, several hosts.
#include <QFile>
#include <QTemporaryDir>

#include "core/store/postgres/conninfo.h"
#include "tests/store/postgres_kinds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const std::vector<std::string> kMutexes{"orders"};

// An environment variable for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { qputenv(name, value.c_str()); }
  ~Variable() { qunsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

StoreUrl parsed(const std::string& text) {
  const auto url = parse_store_url(text);
  if (!url) qWarning("%s", url.error().c_str());
  return url.value_or(StoreUrl());
}

std::string port_of(const PrivateServer& server) { return std::to_string(server.url().endpoint.port); }

}  // namespace

class PostgresUrlTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  QTemporaryDir folder_;

  std::string written(const std::string& name, const std::string& text) const {
    QFile file(folder_.filePath(QString::fromStdString(name)));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text.c_str());
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    return file.fileName().toStdString();
  }
  static std::string beside(const PrivateServer& server, const std::string& name) { return folder_of(server) + name; }
  static std::string folder_of(const PrivateServer& server) {
    return by_hand(server.url(), "select current_setting('unix_socket_directories')") + "/";
  }
  // The look before a run and a contender's call both succeed.
  void works(const StoreUrl& url) {
    const auto looked = probe(url, kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY2(client.connects(), client.reasons.empty() ? "" : client.reasons.back().c_str());
    QCOMPARE(client.ask(RequestKind::kSubscribe, "orders").error, std::string());
    QCOMPARE(client.ask(RequestKind::kAcquire, "orders").error, std::string());
    QCOMPARE(client.ask(RequestKind::kRelease, "orders").error, std::string());
    QVERIFY(client.hears(StoreEventKind::kReleased, "0:1@a"));
  }
  // Neither does, for that reason.
  void refused(const StoreUrl& url, const std::vector<const char*>& words) {
    const auto looked = probe(url, kMutexes);
    QVERIFY(!looked);
    for (const char* word : words) QVERIFY2(looked.error().find(word) != std::string::npos, looked.error().c_str());
    Client client(loop_, names_, url, "0:1@a");
    QVERIFY(wait_until([&] { return !client.reasons.empty(); }, milliseconds(4000)));
    QVERIFY2(client.reasons.front().find(words.front()) != std::string::npos, client.reasons.front().c_str());
    QVERIFY(!client.connected());
  }

 private slots:
  void aServiceSaysWhereAndWho() {
    PrivateServer server(tcp_postgres());
    QVERIFY(server.start().has_value());
    const std::string file = written(
        "services", "[locks]\nhost=127.0.0.1\nport=" + port_of(server) + "\nuser=leasescope\ndbname=postgres\n");
    const Variable variable("PGSERVICEFILE", file);
    const StoreUrl url = parsed("postgresql://?service=locks");
    QCOMPARE(url.endpoint, server.url().endpoint);
    QCOMPARE(printable(url), "postgresql://leasescope@127.0.0.1:" + port_of(server) + "/postgres");
    works(url);
    const Variable service("PGSERVICE", "locks");
    works(parsed("postgresql://"));
    const auto unknown = parse_store_url("postgresql://?service=nowhere");
    QVERIFY(!unknown);
    QVERIFY2(unknown.error().find("definition of service \"nowhere\" not found") != std::string::npos,
             unknown.error().c_str());
  }
  void whatTheUrlSaysIsSaidBeforeAServiceIsAsked() {
    const std::string file = written("services", "[locks]\nhost=h1,h2\nport=6000\ndbname=db\nsslmode=verify-full\n");
    const Variable variable("PGSERVICEFILE", file);
    StoreUrl url = parsed("postgresql://h3:7000/other?service=locks");
    QCOMPARE(url.endpoint, (Endpoint{"h3", 7000, ""}));
    QVERIFY(url.others.empty());
    QCOMPARE(url.database, std::string("other"));
    url = parsed("postgresql://me@/?service=locks");
    QCOMPARE(printable(url), std::string("postgresql://me@h1:6000,h2:6000/db"));
    QVERIFY(url.sealed);
    QVERIFY(!parsed("postgresql://me@h/?service=locks&sslmode=disable").sealed);
    QVERIFY(parsed("postgresql://h").sealed);  // it takes TLS where that is offered
    QVERIFY(!parsed("postgresql:///db?host=/run/postgresql").sealed);
  }
  void theEnvironmentSaysWhatNobodyElseDoes() {
    const Variable host("PGHOST", "/run/somewhere"), port("PGPORT", "6001");
    QCOMPARE(parsed("postgresql://").endpoint.unix_path, std::string("/run/somewhere/.s.PGSQL.6001"));
    QCOMPARE(parsed("postgresql://h").endpoint.port, 6001);
    QCOMPARE(parsed("postgresql://h:5").endpoint.port, 5);
  }

  void eachOfSeveralHostsHasItsLineInThePasswordFile() {
    PrivateServer server(tcp_postgres(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const std::string port = port_of(server), dead = std::to_string(free_port());
    const Variable variable("PGPASSFILE", written("pgpass", "127.0.0.1:" + dead + ":*:leasescope:other\n127.0.0.1:" +
                                                                port + ":postgres:leasescope:hush-hush\n"));
    StoreUrl url = parsed("postgresql://leasescope@127.0.0.1:" + dead + ",127.0.0.1:" + port + "/postgres");
    QCOMPARE(url.type->password(url).value(), std::string());
    works(url);
    url = parsed("postgresql://leasescope@127.0.0.1:" + port + "/postgres");
    QCOMPARE(url.type->password(url).value(), std::string("hush-hush"));
    const Variable none("PGPASSFILE", "/nowhere");
    refused(url, {"no password supplied", "it wants a password"});
  }

  void aCertificateIsCheckedAsSslmodeSays() {
    PrivateServer server(tls_postgres());
    QVERIFY(server.start().has_value());
    const std::string folder = folder_of(server);
    Authority stranger("a stranger");
    const std::string unknown = written("stranger.crt", stranger.text());
    const auto url = [&](const std::string& host, const std::string& options) {
      return parsed("postgresql://leasescope@" + host + ":" + port_of(server) + "/postgres?" + options);
    };
    works(url("localhost", "sslmode=verify-full&sslrootcert=" + folder + "ca.crt"));
    works(url("127.0.0.1", "sslmode=verify-ca&sslrootcert=" + folder + "ca.crt"));
    refused(url("127.0.0.1", "sslmode=verify-full&sslrootcert=" + folder + "ca.crt"),
            {"does not match host name", "name the host as its certificate does"});
    refused(url("localhost", "sslmode=verify-ca&sslrootcert=" + unknown),
            {"certificate verify failed", "sslrootcert=FILE"});
    refused(url("localhost", "sslmode=verify-full&sslrootcert=/nowhere/ca.crt"),
            {"root certificate file", "sslrootcert=FILE"});
    PrivateServer plain(tcp_postgres());
    QVERIFY(plain.start().has_value());
    refused(parsed("postgresql://leasescope@127.0.0.1:" + port_of(plain) + "/postgres?sslmode=require"),
            {"server does not support SSL", "sslmode=disable"});
  }
  // As a live run does whose faults stand in between.
  void theHostOfTheUrlIsCheckedAlsoThroughAProxy() {
    PrivateServer server(tls_postgres());
    QVERIFY(server.start().has_value());
    const StoreUrl url = parsed("postgresql://leasescope@localhost:" + port_of(server) +
                                "/postgres?sslmode=verify-full&sslrootcert=" + folder_of(server) + "ca.crt");
    QVERIFY(probe(url).has_value());
    FaultProxy requests(loop_, url.endpoint, *url.type, false), messages(loop_, url.endpoint, *url.type, false);
    Client client(loop_, names_, url, "0:1@a", StoreRoute{*requests.listen(), *messages.listen()});
    QVERIFY2(client.connects(), client.reasons.empty() ? "" : client.reasons.back().c_str());
    QCOMPARE(client.ask(RequestKind::kAcquire, "orders").error, std::string());
  }

  // With the password of the host it leads to, which libpq does not find for the proxy's port.
  void aProxyIsLedToTheHostThatServes() {
    PrivateServer server(tcp_postgres(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const Variable variable("PGPASSFILE",
                            written("pgpass", "127.0.0.1:" + port_of(server) + ":*:leasescope:hush-hush\n"));
    const StoreUrl url = parsed("postgresql://leasescope@127.0.0.1:" + std::to_string(free_port()) +
                                ",127.0.0.1:" + port_of(server) + "/postgres");
    QVERIFY(probe(url).has_value());
    FaultProxy requests(loop_, url.endpoint, *url.type, false), messages(loop_, url.endpoint, *url.type, false);
    const Endpoint of_requests = *requests.listen(), of_messages = *messages.listen();
    const StoreRoute route{of_requests, of_messages, [&](bool about_messages, const Endpoint& to) {
                             (about_messages ? messages : requests).lead_to(to);
                             return about_messages ? of_messages : of_requests;
                           }};
    Client client(loop_, names_, url, "0:1@a", route);
    QVERIFY2(client.connects(), client.reasons.empty() ? "" : client.reasons.back().c_str());
    QCOMPARE(client.ask(RequestKind::kAcquire, "orders").error, std::string());
    requests.reset();
    QVERIFY(wait_until([&] { return !client.connected(); }, milliseconds(2000)));
    QVERIFY(client.connects());
    QCOMPARE(client.owner_in(client.ask(RequestKind::kGuard, "orders")), "0:1@a");
  }

  void hostsAreListedAsLibpqListsThem() {
    const StoreUrl url = parsed("postgresql://me:pw@a,b:5433,[::1]:5434/db");
    QCOMPARE(printable(url), std::string("postgresql://me@a:5432,b:5433,[::1]:5434/db"));
    QCOMPARE(url.options.at("target_session_attrs"), std::string("primary"));
    QCOMPARE(parsed("postgresql:///db?host=a,b&port=7").others.front(), (Endpoint{"b", 7, ""}));
    QCOMPARE(parsed("postgresql://a,b/db?target_session_attrs=any").options.at("target_session_attrs"),
             std::string("any"));
    for (const char* text : {"postgresql://a,b,/db", "postgresql://a,,b/db", "postgresql:///db?host=a,b&port=1,2,3",
                             "postgresql://a,b:x/db", "postgresql://a,b/db?hostaddr=1.2.3.4",
                             "postgresql://a,b/db?target_session_attrs=standby", "postgresql://a/db?speed=1"})
      QVERIFY2(!parse_store_url(text), text);
    const auto standby = parse_store_url("postgresql://a/db?target_session_attrs=prefer-standby");
    QVERIFY2(standby.error().find("expected primary, read-write or any") != std::string::npos, standby.error().c_str());
  }
  void theNextHostIsTakenWhereOneDoesNotAnswer() {
    PrivateServer server(tcp_postgres());
    QVERIFY(server.start().has_value());
    const std::string dead = "127.0.0.1:" + std::to_string(free_port());
    works(parsed("postgresql://leasescope@" + dead + ",127.0.0.1:" + port_of(server) + "/postgres"));
    works(parsed("postgresql://leasescope@127.0.0.1:" + port_of(server) + "," + dead + "/postgres"));
    refused(parsed("postgresql://leasescope@" + dead + "," + dead + "/postgres"),
            {"Connection refused", dead.c_str() + 10, "is it running"});
  }
};

LEASESCOPE_SUITE(PostgresUrlTest)
#include "postgres_url_test.moc"
