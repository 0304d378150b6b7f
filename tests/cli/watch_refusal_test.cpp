// Whatever keeps a store from being watched is told in a line or two, in time: the store, what happened and what to do.
#include <QElapsedTimer>
#include <map>
#include <memory>

#include "core/store/mysql/asker.h"
#include "core/store/postgres/asker.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/cli/program.h"
#include "tests/store/administration.h"
#include "tests/store/mysql_over_tls.h"
#include "tests/store/node_keeper.h"
#include "tests/store/postgres_kinds.h"
#include "tests/store/redis_on_a_port.h"
#include "tests/store/redis_over_tls.h"
#include "tests/support/impostor.h"
#include "tests/support/suite.h"
#include "tests/support/tls_server.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr const char* kPassword = "hush-hush";
constexpr const char* kWrong = "zebra7";
constexpr int kLongestMs = 20'000;  // all of them together, each of which looks for 3 s at most
constexpr int kLongestText = 900;

// On its port with a password and over TLS alone.
ServerRecipe postgres_recipe_guarded(const ServerPlace& place) {
  ServerRecipe out = postgres_with_tls(place);
  const std::string rules = place.folder + "/hba.conf";
  out.files.push_back({rules, "local all all scram-sha-256\nhostssl all all 127.0.0.1/32 scram-sha-256\n"});
  add_words(out.serve, {"-c", "hba_file=" + rules});
  return out;
}
const StoreType& postgres_guarded() {
  static const StoreType type = kind_of_postgres(postgres_recipe_guarded);
  return type;
}

void speak_http(Peer& peer, int) {
  peer.hear();
  peer.say("HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>");
  peer.be_silent();
}

// Ends the connection of whoever does not speak it, and says nothing.
void speak_tls(Peer& peer, int) {
  static const Signed shown = authority().sign("server", "DNS:localhost");
  TlsServer server(shown);
  for (std::string heard = peer.hear(); !heard.empty() && heard.front() == '\x16'; heard = peer.hear()) {
    server.take(heard);
    peer.say(server.give());
  }
}

}  // namespace

class WatchRefusalTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString stranger_ = folder_.filePath("stranger.crt");
  PrivateServer redis_{redis_on_a_port()}, redis_over_tls_{redis_over_tls()};
  PrivateServer postgres_{postgres_guarded(), {kPassword, 50}}, postgres_plain_{tcp_postgres()};
  PrivateServer mysql_{mysql_over_tls()}, mysql_plain_{mysql_without_tls()};
  PrivateServer zookeeper_{zookeeper::store_type()};
  std::unique_ptr<NodeKeeper> keeper_;
  Impostor http_{speak_http}, tls_{speak_tls};
  std::map<QByteArray, std::unique_ptr<QProcess>> running_;
  QElapsedTimer timer_;

  static int port_of(const PrivateServer& server) { return server.url().endpoint.port; }

  void furnish_redis() {
    redis::Asker admin(std::chrono::seconds(5));
    QVERIFY(admin.connect(redis_.url()).has_value());
    told(admin, {"ACL", "SETUSER", "watcher", "reset", "on", std::string(">") + kPassword, "+ping"});
  }
  void furnish_postgres() {
    QVERIFY(probe(postgres_.url()).has_value());
    postgres::Asker admin(std::chrono::seconds(10));
    QVERIFY(admin.connect(postgres_.url()).has_value());
    carried_out(admin, std::string("create role watcher login password '") + kPassword + "'");
  }
  void furnish_mysql() {
    StoreUrl by_socket = mysql_.url();
    const std::string& authorities = by_socket.options.at("ssl-ca");
    by_socket.endpoint.unix_path = authorities.substr(0, authorities.rfind('/')) + "/mysql";
    by_socket.sealed = false;
    by_socket.options = {{"option-file", ""}};
    mysql::Asker admin(std::chrono::seconds(10));
    QVERIFY(admin.connect(by_socket).has_value());
    const std::string identified = std::string(" identified by '") + kPassword + "'";
    for (const char* user : {"guarded", "sealed", "watcher"})
      carried_out(admin, std::string("create user ") + user + identified +
                             (user == std::string("sealed") ? " require ssl" : ""));
    for (const char* user : {"guarded", "sealed"})
      carried_out(admin, std::string("grant all on leasescope.* to ") + user);
  }
  void furnish_zookeeper() {
    keeper_ = std::make_unique<NodeKeeper>(zookeeper_.url());
    keeper_->folder("/simba", Readers::kWatcher);
  }

  // Begins at once; the row waits for its end.
  void row(const char* tag, const QString& url, const char* fact, const char* remedy) {
    QTest::newRow(tag) << url << QByteArray(fact) << QByteArray(remedy);
    auto& process = running_[tag];
    process = std::make_unique<QProcess>();
    process->start(kLeasescopectl, {"watch", url, "--once", "--within", "3s"});
  }
  void rows_of_redis() {
    const QString at = "redis://%1@127.0.0.1:%2", tls = "rediss://%1:%2";
    row("redis, wrong password", at.arg(QString("watcher:") + kWrong).arg(port_of(redis_)), "WRONGPASS",
        "the user or the password is wrong");
    row("redis, no rights", at.arg(QString("watcher:") + kPassword).arg(port_of(redis_)), "NOPERM",
        "ACL SETUSER watcher ~simba:* &simba:* +@read +ping +subscribe +psubscribe +pubsub|numsub");
    row("redis, TLS of a plain one", tls.arg("127.0.0.1").arg(port_of(redis_)), "it does not speak TLS",
        "without TLS its URL begins with redis://");
    row("redis, plain of one over TLS", QString("redis://127.0.0.1:%1").arg(port_of(redis_over_tls_)),
        "before it said a word: does it expect TLS?", "its URL begins with rediss://");
    row("redis, unknown authority", tls.arg("localhost").arg(port_of(redis_over_tls_)) + "?cacert=" + stranger_,
        "its certificate is not trusted", "name the authority that signed it: ?cacert=FILE");
    row("redis, another", QString("redis://127.0.0.1:%1").arg(http_.port()), "this is not the protocol of Redis",
        "is this a Redis, and its address?");
    row("redis, nobody", QString("redis://127.0.0.1:%1").arg(free_port()), "refused",
        "is it running, and is this its address?");
  }
  void rows_of_postgres() {
    const QString at = "postgresql://%1@127.0.0.1:%2/postgres";
    const QString right = QString("leasescope:") + kPassword;
    row("postgresql, wrong password", at.arg(QString("leasescope:") + kWrong).arg(port_of(postgres_)),
        "password authentication failed", "the user or the password is wrong");
    row("postgresql, no rights", at.arg(QString("watcher:") + kPassword).arg(port_of(postgres_)),
        "permission denied for table simba_mutex", "grant select on simba_mutex to watcher");
    row("postgresql, TLS of a plain one", at.arg("leasescope").arg(port_of(postgres_plain_)) + "?sslmode=require",
        "does not support SSL", "go without: ?sslmode=disable");
    row("postgresql, plain of one over TLS", at.arg(right).arg(port_of(postgres_)) + "?sslmode=disable",
        "no encryption", "come over TLS: ?sslmode=verify-full");
    row("postgresql, unknown authority",
        at.arg(right).arg(port_of(postgres_)) + "?sslmode=verify-ca&sslrootcert=" + stranger_,
        "certificate verify failed", "name the file of the authority that signed its certificate: ?sslrootcert=FILE");
    row("postgresql, another", at.arg(right).arg(http_.port()), "invalid response", "is this its address?");
    row("postgresql, nobody", at.arg(right).arg(free_port()), "refused", "is it running, and is this its address?");
  }
  void rows_of_mysql() {
    const QString at = "mysql://%1@127.0.0.1:%2/leasescope?option-file=";
    const QString right = QString("guarded:") + kPassword;
    row("mysql, wrong password", at.arg(QString("guarded:") + kWrong).arg(port_of(mysql_)), "Access denied for user",
        "the user or the password is wrong");
    row("mysql, no rights", at.arg(QString("watcher:") + kPassword).arg(port_of(mysql_)), "to database 'leasescope'",
        "grant select on leasescope.simba_mutex to watcher");
    row("mysql, TLS of a plain one", at.arg("leasescope").arg(port_of(mysql_plain_)) + "&ssl=on",
        "it does not speak TLS", "leave ssl out of the URL");
    row("mysql, plain of one over TLS", at.arg(QString("sealed:") + kPassword).arg(port_of(mysql_)),
        "Access denied for user", "or it must come over TLS (?ssl=on)");
    row("mysql, unknown authority", at.arg(right).arg(port_of(mysql_)) + "&ssl-ca=" + stranger_,
        "its certificate is not trusted", "name the authority that signed it: ?ssl-ca=FILE");
    row("mysql, another", at.arg(right).arg(http_.port()), "no connection within", "is this its address?");
    row("mysql, nobody", at.arg(right).arg(free_port()), "refused", "is it running, and is this its address?");
  }
  // Its URLs have no TLS.
  void rows_of_zookeeper() {
    const auto at = [](int port, const QString& login = {}) {
      return "zookeeper://" + login + "127.0.0.1:" + QString::number(port);
    };
    row("zookeeper, wrong password", at(port_of(zookeeper_), QString("watcher:%1@").arg(kWrong)),
        "/simba: not authenticated", "the password of watcher is wrong, or it may not read there: add digest:watcher");
    row("zookeeper, no rights", at(port_of(zookeeper_)), "/simba: not authenticated",
        "log in as one who may read it, zookeeper://user:password@host, or add world:anyone:r to what getAcl /simba");
    row("zookeeper, plain of one over TLS", at(tls_.port()), "it takes no connection, or ends it at once",
        "where it speaks without TLS?");
    row("zookeeper, another", at(http_.port()), "the server said what no ZooKeeper says",
        "is this the address of a ZooKeeper");
    row("zookeeper, nobody", at(free_port()), "it takes no connection", "is it running");
  }

 private slots:
  void initTestCase() {
    QVERIFY(overwrite(stranger_, QByteArray::fromStdString(Authority("a stranger").text())));
    for (PrivateServer* server :
         {&redis_, &redis_over_tls_, &postgres_, &postgres_plain_, &mysql_, &mysql_plain_, &zookeeper_}) {
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    }
    furnish_redis();
    furnish_postgres();
    furnish_mysql();
    furnish_zookeeper();
  }
  void cleanupTestCase() {
    for (auto& [tag, process] : running_) {
      process->kill();
      process->waitForFinished();
    }
  }

  void whatCannotBeWatchedIsToldWithItsRemedy_data() {
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("fact");
    QTest::addColumn<QByteArray>("remedy");
    timer_.start();
    rows_of_redis();
    rows_of_postgres();
    rows_of_mysql();
    rows_of_zookeeper();
  }
  void whatCannotBeWatchedIsToldWithItsRemedy() {
    QFETCH(QString, url);
    QFETCH(QByteArray, fact);
    QFETCH(QByteArray, remedy);
    QProcess& process = *running_.at(QTest::currentDataTag());
    const int left = std::max<int>(1, kLongestMs - static_cast<int>(timer_.elapsed()));
    QVERIFY2(process.state() == QProcess::NotRunning || process.waitForFinished(left), "not in time");
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 2, said);
    QVERIFY2(said.contains(fact), said);
    QVERIFY2(said.indexOf(remedy) > said.indexOf(fact), said);
    QVERIFY2(said.contains(QByteArray::fromStdString(printable(*parse_store_url(url.toStdString())))), said);
    QVERIFY2(said.count('\n') >= 1 && said.count('\n') <= 2 && said.size() < kLongestText, said);
    QVERIFY2(!said.contains(kPassword) && !said.contains(kWrong), said);
    QCOMPARE(process.readAllStandardOutput(), QByteArray());
  }
};

LEASESCOPE_SUITE(WatchRefusalTest)
#include "watch_refusal_test.moc"
