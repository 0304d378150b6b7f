#include <QTemporaryDir>
#include <fstream>

#include "core/store/password.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/url.h"
#include "core/store/types/types.h"
#include "tests/support/suite.h"

using namespace leasescope;

class UrlTest : public QObject {
  Q_OBJECT
 private slots:
  void aBareWordAsksForAPrivateServer() {
    QVERIFY(!parse_store_url("redis")->given);
    QCOMPARE(parse_store_url("postgres")->type, &postgres::store_type());
  }
  void aPrivateStoreMayBeSeveralServersThatAreOne() {
    QCOMPARE(parse_store_url("zookeeper")->servers, 1);
    for (const char* text : {"zookeeper?servers=3", "zk?servers=3"}) {
      const auto three = parse_store_url(text);
      QVERIFY2(three.has_value(), three ? "" : three.error().c_str());
      QVERIFY(!three->given);
      QCOMPARE(three->servers, 3);
      QCOMPARE(printable(*three), std::string("zookeeper?servers=3"));
    }
    QCOMPARE(printable(*parse_store_url("zookeeper?servers=1")), std::string("zookeeper"));
    QVERIFY2(store_words().find("zookeeper[?servers=3|5]") != std::string::npos, store_words().c_str());
  }
  void aNumberOfServersThatCannotBeIsRefusedSayingWhichCan_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    for (const char* number : {"0", "2", "4", "7", "-3", "three", "", "3.0", "99999999999999999999"})
      QTest::addRow("servers=%s", number) << QString("zookeeper?servers=%1").arg(number)
                                          << QString(
                                                 "\"%1\" is no number of servers for a private ZooKeeper: 1, or 3 "
                                                 "or 5 that agree by majority")
                                                 .arg(number);
    QTest::newRow("another option") << "zookeeper?members=3"
                                    << "\"members\" is not an option of a private ZooKeeper, which has servers alone";
    QTest::newRow("a store that is one server") << "redis?servers=3"
                                                << "\"servers\" is not an option of a private Redis";
    QTest::newRow("a store that there is not") << "consul?servers=3"
                                               << "\"consul?servers=3\" is not a store";
  }
  void aNumberOfServersThatCannotBeIsRefusedSayingWhichCan() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto url = parse_store_url(text.toStdString());
    QVERIFY(!url);
    QVERIFY2(url.error().rfind(says.toStdString(), 0) == 0, url.error().c_str());
  }
  void aRedisUrlHasItsPartsAndTheUsualPort() {
    const auto url = parse_store_url("redis://me:s%40crets@example.org/3");
    QVERIFY(url.has_value());
    QVERIFY(url->given);
    QCOMPARE(url->user, "me");
    QCOMPARE(url->password, "s@crets");
    QCOMPARE(url->endpoint.host, "example.org");
    QCOMPARE(url->endpoint.port, 6379);
    QCOMPARE(url->database, "3");
  }
  void aPasswordIsNeverPrinted() {
    for (const char* text : {"redis://me:hush@h:1/0", "redis://:hush@h", "postgresql://me:hush@h/db",
                             "postgresql://h/db?password=hush", "unix:/run/r.sock?password=hush",
                             "mysql://me:hush@h/db", "mariadb://h/db?password=hush&socket=/run/m.sock"}) {
      const auto url = parse_store_url(text);
      QVERIFY2(url.has_value(), text);
      QVERIFY2(url->password == "hush", text);
      QVERIFY2(printable(*url).find("hush") == std::string::npos, text);
    }
  }
  void anAddressIsWrittenDownAsTypedButForItsPassword_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("written");
    const auto row = [](const char* typed, const char* written) { QTest::newRow(typed) << typed << written; };
    row("redis://h:6379/3", "redis://h:6379/3");
    row("redis://me@h", "redis://me@h");
    row("redis://me:hush@h:1/0", "redis://me@h:1/0");
    row("redis://:hush@h", "redis://h");
    row("redis://me:hu:sh@h", "redis://me@h");
    row("redis://me:hu@sh@h", "redis://me@h");
    row("rediss://me@[::1]:6380/0", "rediss://me@[::1]:6380/0");
    row("postgresql://me:hush@a:1,b:2/db?sslmode=require", "postgresql://me@a:1,b:2/db?sslmode=require");
    row("postgresql://h/db?password=hush", "postgresql://h/db");
    row("postgresql://h/db?password=hush&sslmode=require", "postgresql://h/db?sslmode=require");
    row("postgresql://h/db?sslmode=require&password=hush", "postgresql://h/db?sslmode=require");
    row("postgresql://h/db?sslpassword=hush&sslmode=require", "postgresql://h/db?sslmode=require");
    row("postgresql://me:hush@h/db?a=1&password=hush&b=2", "postgresql://me@h/db?a=1&b=2");
    row("unix:/run/r.sock?password=hush", "unix:/run/r.sock");
    row("redis://h:hush?x=a@b", "");  // nobody can tell
    row("redis://password=hush@h", "");
  }
  void anAddressIsWrittenDownAsTypedButForItsPassword() {
    QFETCH(QString, typed);
    QFETCH(QString, written);
    QCOMPARE(QString::fromStdString(without_password(typed.toStdString())), written);
  }
  void anErrorDoesNotRepeatAPassword() {
    for (const char* text : {"redsi://me:hush@h", "redis://me:hush@h:port", "postgresql://me:hush@a,,b/db"}) {
      const auto url = parse_store_url(text);
      QVERIFY2(!url, text);
      QVERIFY2(url.error().find("hush") == std::string::npos, url.error().c_str());
      QVERIFY2(url.error().find("expected") != std::string::npos, url.error().c_str());
    }
  }
  // Of a password that is not escaped, parts were taken for a port, a path, a host, and repeated.
  void nothingOfATextThatMayHoldAPasswordIsRepeated() {
    for (const char* text :
         {"redis://:hush/word@h", "redis://:hush:word@h:x", "redis://me:12/hush@h", "postgresql://me:12/hush@h",
          "postgresql://me:hush/word@h:5432/db", "postgresql://me:hush#word@h:x/db", "host=h password=hush", "hush@h",
          "http://me:hush@h", "unix:hush?password=hush", "redis://h?passwd=hush", "redis://h/hush?password=x",
          "redis://h?password=a&hush=b", "rediss://:hush@h:x", "HOST=h PASSWORD=hush"}) {
      const auto url = parse_store_url(text);
      QVERIFY2(!url, text);
      QVERIFY2(url.error().find("hush") == std::string::npos, url.error().c_str());
      QVERIFY2(url.error().find("expected") != std::string::npos, url.error().c_str());
    }
    QCOMPARE(parse_store_url("redis://h:x").error().find("\"x\" is not a port"), 0);
    QCOMPARE(parse_store_url("reddis").error().find("\"reddis\" is not a store"), 0);
  }
  // It was ignored without a word.
  void thePasswordMayStandAmongTheOptions() {
    const auto url = parse_store_url("redis://h/?password=a%40b@c&user=me&db=3");
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    QCOMPARE(url->password, std::string("a@b@c"));
    QCOMPARE(url->user, std::string("me"));
    QCOMPARE(url->database, std::string("3"));
    const auto unknown = parse_store_url("redis://h?timeout=3");
    QVERIFY(!unknown);
    QVERIFY2(unknown.error().find("\"timeout\" is not an option") == 0, unknown.error().c_str());
  }
  void aRedisUrlOverTlsNamesItsFiles() {
    const auto url = parse_store_url("rediss://me:hush@db.example:6380/2?cacert=/a%20b/ca.crt&cert=/c&key=/k");
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    QVERIFY(url->sealed);
    QCOMPARE(url->endpoint.port, 6380);
    QCOMPARE(url->options.at("cacert"), std::string("/a b/ca.crt"));
    QCOMPARE(printable(*url), std::string("rediss://me@db.example:6380/2"));
    QVERIFY(!parse_store_url("redis://h")->sealed);
    const auto open = parse_store_url("redis://h?cacert=/a");
    QVERIFY2(open.error().find("begins with rediss://") != std::string::npos, open.error().c_str());
    const auto half = parse_store_url("rediss://h?cert=/a");
    QVERIFY2(half.error().find("cert and key come together") != std::string::npos, half.error().c_str());
  }
  void aRedisUrlSaysWhetherOlderGenerationsContendToo() {
    QCOMPARE(parse_store_url("unix:/run/r.sock?legacy=on")->options.at("legacy"), std::string("on"));
    QVERIFY(parse_store_url("redis+sentinel://s/m?legacy=off").has_value());
    const auto wrong = parse_store_url("redis://h?legacy=yes");
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().find("\"yes\" is neither on nor off") == 0, wrong.error().c_str());
  }
  void aRedisUrlSaysHowWhoWaitsIsWoken() {
    QCOMPARE(parse_store_url("redis://h")->wake_up, WakeUp::kBroadcast);
    QCOMPARE(parse_store_url("redis://h?wake-up=hand-over")->wake_up, WakeUp::kHandOver);
    QCOMPARE(parse_store_url("redis://h?wake-up=queue")->wake_up, WakeUp::kQueue);
    const auto wrong = parse_store_url("redis://h?wake-up=loudly");
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().find("\"loudly\" is no way to wake who waits") == 0, wrong.error().c_str());
    const auto both = parse_store_url("redis://h?wake-up=queue&legacy=on");
    QVERIFY(!both);
    QVERIFY2(both.error().find("contradicts legacy=on") != std::string::npos, both.error().c_str());
    QVERIFY(parse_store_url("redis://h?wake-up=broadcast&legacy=on").has_value());
  }
  void aRedisUrlSaysWhetherLinesAreShared() {
    QVERIFY(redis::shares_lines(*parse_store_url("redis://h?lines=shared")));
    QVERIFY(redis::shares_lines(*parse_store_url("rediss+sentinel://s1,s2/m?lines=shared")));
    QVERIFY(redis::shares_lines(*parse_store_url("unix:/run/r.sock?lines=shared&wake-up=hand-over")));
    QVERIFY(!redis::shares_lines(*parse_store_url("redis://h")));
    QVERIFY(!redis::shares_lines(*parse_store_url("redis://n1,n2?lines=own")));
    const auto wrong = parse_store_url("redis://h?lines=two");
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().find("\"two\" is no way to have lines") == 0, wrong.error().c_str());
    const auto cluster = parse_store_url("redis://n1,n2?lines=shared");
    QVERIFY(!cluster);
    QVERIFY2(cluster.error().find("lines=shared leads to one server, and several hosts") == 0, cluster.error().c_str());
    QVERIFY2(cluster.error().find("leave it out") != std::string::npos, cluster.error().c_str());
  }
  void aRedisUrlMayNameSeveralNodesOfACluster() {
    const auto url = parse_store_url("redis://me:hu%2Csh@n1,n2:5000/");
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    QCOMPARE(url->endpoint.port, 6379);
    QCOMPARE(url->others.size(), std::size_t{1});
    QCOMPARE(url->others[0].port, 5000);
    QCOMPARE(url->password, std::string("hu,sh"));
    QCOMPARE(printable(*url), std::string("redis://me@n1:6379,n2:5000"));
  }
  void theServersOfARedisUrlMayEachStandAlone() {
    const StoreUrl url = *parse_store_url("rediss://me:hush@a,b:2,[::1]:3/4?cacert=/ca");
    const std::vector<StoreUrl> apart = url.type->apart(url);
    QCOMPARE(apart.size(), std::size_t{3});
    const char* const printed[] = {"rediss://me@a:6379/4", "rediss://me@b:2/4", "rediss://me@[::1]:3/4"};
    for (std::size_t i = 0; i < apart.size(); ++i) {
      QCOMPARE(printable(apart[i]), std::string(printed[i]));
      QCOMPARE(apart[i].password, std::string("hush"));
      QCOMPARE(apart[i].options.at("cacert"), std::string("/ca"));
      QVERIFY(apart[i].sealed && apart[i].others.empty());
    }
    for (const char* one : {"redis://h", "redis+sentinel://s1,s2,s3/m", "unix:/run/r.sock"})
      QCOMPARE(url.type->apart(*parse_store_url(one)).size(), std::size_t{1});
  }
  void aRedisUrlOfSentinelsNamesThemAndTheirMaster() {
    const auto url =
        parse_store_url("redis+sentinel://me:hush@s1,s2:5000,[::1]:5001/my%20master/3?sentinel-password=quiet");
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    QCOMPARE(url->endpoint.host, std::string("s1"));
    QCOMPARE(url->endpoint.port, 26379);
    QCOMPARE(url->others.size(), std::size_t{2});
    QCOMPARE(url->others[1].port, 5001);
    QCOMPARE(url->database, std::string("3"));
    QCOMPARE(url->options.at("master"), std::string("my master"));
    QCOMPARE(printable(*url), std::string("redis+sentinel://me@s1:26379,s2:5000,[::1]:5001/my master/3"));
    QVERIFY(parse_store_url("rediss+sentinel://s1/m?cacert=/ca")->sealed);
    for (const char* text : {"redis+sentinel://s1", "redis+sentinel:///m", "redis+sentinel://s1/m/x",
                             "redis+sentinel://s1:x/m", "redis://s1/0?sentinel-user=a", "redis://s1?master=m"})
      QVERIFY2(!parse_store_url(text), text);
  }
  void aSocketIsAnAddressToo() {
    QCOMPARE(parse_store_url("unix:/run/redis.sock")->endpoint.unix_path, "/run/redis.sock");
    const auto url = parse_store_url("postgresql:///db?host=/run/postgresql&port=5433");
    QCOMPARE(url->endpoint.unix_path, "/run/postgresql/.s.PGSQL.5433");
    QCOMPARE(url->database, "db");
    const auto mysql = parse_store_url("mysql://me@/db?socket=/run/mysqld/mysqld.sock");
    QCOMPARE(mysql->endpoint.unix_path, "/run/mysqld/mysqld.sock");
    QCOMPARE(printable(*mysql), "mysql://me@localhost/db?socket=/run/mysqld/mysqld.sock");
  }
  void aMysqlUrlHasItsPartsAndTheUsualPort() {
    const auto url = parse_store_url("mysql://me:s%40crets@example.org/simba?option-file=");
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    QCOMPARE(url->user, "me");
    QCOMPARE(url->password, "s@crets");
    QCOMPARE(url->endpoint.port, 3306);
    QCOMPARE(url->database, "simba");
    QCOMPARE(url->options.at("option-file"), "");
    QVERIFY(!url->sealed);
    QCOMPARE(printable(*url), "mysql://me@example.org:3306/simba");
    QCOMPARE(parse_store_url("mariadb")->type, url->type);
    const auto unknown = parse_store_url("mysql://h/db?speed=1");
    QVERIFY2(unknown.error().find("\"speed\" is not an option") == 0, unknown.error().c_str());
    const auto without = parse_store_url("mysql://h");
    QVERIFY2(without.error().find("names no database") != std::string::npos, without.error().c_str());
  }
  void aMysqlUrlOverTlsNamesItsFiles() {
    for (const char* options : {"ssl=on", "ssl-ca=/ca.crt", "ssl-cert=/a.crt&ssl-key=/a.key"}) {
      const auto url = parse_store_url(std::string("mysql://h/db?option-file=&") + options);
      QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
      QVERIFY2(url->sealed, options);
    }
    const std::pair<const char*, const char*> wrong[] = {
        {"mysql://h/db?ssl=maybe", "\"ssl=maybe\" is neither on nor off"},
        {"mysql://h/db?ssl-mode=REQUIRED", "always checks the certificate"},
        {"mysql://h/db?ssl-cert=/a.crt", "ssl-cert and ssl-key come together"},
        {"mysql://h/db?ssl=off&ssl-ca=/ca.crt", "ssl=off contradicts"},
        {"mysql:///db?socket=/s&ssl=on", "not to a socket"},
        {"mysql://h/db?option-file=/no/such.cnf", "/no/such.cnf: cannot be read"}};
    for (const auto& [text, expected] : wrong) {
      const auto url = parse_store_url(text);
      QVERIFY2(!url, text);
      QVERIFY2(url.error().find(expected) != std::string::npos, url.error().c_str());
    }
  }
  void anOptionFileOfMysqlMayAskForTls_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("sealed");
    QTest::newRow("a file of an authority") << QByteArray("[client]\nssl-ca=/ca.crt\n") << true;
    QTest::newRow("a flag") << QByteArray("[mysqld]\nskip-ssl\n[client-mariadb]\nssl\n") << true;
    QTest::newRow("underscores and quotes") << QByteArray("  [client]\n ssl_ca = '/ca 1.crt' # ours\n") << true;
    QTest::newRow("a mode") << QByteArray("[client]\nssl-mode=VERIFY_CA\n") << true;
    QTest::newRow("off") << QByteArray("[client]\nssl-ca=/ca.crt\nskip-ssl\n") << false;
    QTest::newRow("0") << QByteArray("[client]\nssl-ca=/ca.crt\nssl=0\n") << false;
    QTest::newRow("only where offered, also with an authority")
        << QByteArray("[client]\nssl-mode=PREFERRED\nssl-ca=/ca\n") << false;
    QTest::newRow("only where offered") << QByteArray("[client]\nssl-mode=PREFERRED\n") << false;
    QTest::newRow("another's group") << QByteArray("[mysql]\nssl-ca=/ca.crt\n") << false;
    QTest::newRow("a remark") << QByteArray("[client]\n#ssl-ca=/ca.crt\n;ssl\n") << false;
  }
  void anOptionFileOfMysqlMayAskForTls() {
    QFETCH(QByteArray, text);
    QFETCH(bool, sealed);
    QTemporaryDir folder;
    const std::string inner = folder.path().toStdString() + "/inner.cnf",
                      outer = folder.path().toStdString() + "/o.cnf";
    std::ofstream(inner) << text.toStdString();
    std::ofstream(outer) << "!includedir " << folder.path().toStdString() << "/none\n!include " << inner << "\n";
    for (const std::string& file : {inner, outer}) {
      const auto url = parse_store_url("mysql://h/db?option-file=" + file);
      QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
      QCOMPARE(url->sealed, sealed);
    }
    QVERIFY(!parse_store_url("mysql:///db?socket=/s&option-file=" + inner)->sealed);
  }
  void whatAnOptionFileDemandsOfTrustIsNotPassedOver() {
    QTemporaryDir folder;
    const std::string file = folder.path().toStdString() + "/my.cnf";
    std::ofstream(file) << "[client]\nssl-ca=/ca.crt\nssl-crl=/crl.pem\n";
    const auto url = parse_store_url("mysql://h/db?option-file=" + file);
    QVERIFY(!url);
    QVERIFY2(url.error().find("ssl-crl, which is not done here") != std::string::npos, url.error().c_str());
    QVERIFY(parse_store_url("mysql://h/db?ssl=off&option-file=" + file).has_value());
  }
  void aZookeeperUrlHasItsPathAndItsLogin() {
    const auto url = parse_store_url("zookeeper://me:hush@zk.example/prod/locks/");
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    QCOMPARE(url->endpoint.port, 2181);
    QCOMPARE(url->database, "prod/locks");
    QCOMPARE(printable(*url), "zookeeper://me@zk.example:2181/prod/locks");
    QVERIFY(!parse_store_url("zk://h?speed=1"));
    const auto three = parse_store_url("zookeeper://me:hush@a,b:2182,[::1]/prod");
    QVERIFY2(three.has_value(), three ? "" : three.error().c_str());
    QCOMPARE(printable(*three), "zookeeper://me@a:2181,b:2182,[::1]:2181/prod");
    QCOMPARE(printable(*parse_store_url("zookeeper:///prod")), "zookeeper://127.0.0.1:2181/prod");
    QVERIFY(!parse_store_url("zk://h?password=hush"));
  }
  void optionsForLibpqAreKept() {
    QCOMPARE(parse_store_url("postgresql://h/db?sslmode=require")->options.at("sslmode"), "require");
  }
  void whatIsNoStoreIsRefusedSayingWhatWasExpected() {
    for (const char* text : {"", "redis:", "mysql://h", "mysql://h/db?speed=1", "oracle://h", "rediss:h", "redis://h:0",
                             "redis://h?cacert=/a", "rediss://h?cert=/a", "rediss://h?key=/a", "redis://h:99999",
                             "redis://h/x", "unix:relative", "http://h"}) {
      const auto url = parse_store_url(text);
      QVERIFY2(!url, text);
      QVERIFY2(url.error().find("expected") != std::string::npos, url.error().c_str());
    }
  }
};

LEASESCOPE_SUITE(UrlTest)
#include "url_test.moc"
