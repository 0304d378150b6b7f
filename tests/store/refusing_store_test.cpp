// A store that answers and refuses: each of these runs was "as expected" though nothing could ever be acquired.
// The look before a run tries what the run will do, and says the server's words and what to do.
#include "core/store/mysql/store_type.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/store_type.h"
#include "tests/store/ruled.h"
#include "tests/support/impostor.h"
#include "tests/support/impostor_words.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const std::vector<std::string> kMutexes{"orders"};

std::vector<std::string> words_of(std::string line) {
  std::vector<std::string> words;
  for (std::size_t end = 0; end != std::string::npos; line.erase(0, end + 1)) {
    end = line.find(' ');
    words.push_back(line.substr(0, end));
    if (end == std::string::npos) break;
  }
  return words;
}

}  // namespace

#define QVERIFY_REFUSED(looked, ...)                                                        \
  do {                                                                                      \
    QVERIFY(!(looked));                                                                     \
    for (const char* word : {__VA_ARGS__})                                                  \
      QVERIFY2((looked).error().find(word) != std::string::npos, (looked).error().c_str()); \
  } while (false)

class RefusingStoreTest : public QObject {
  Q_OBJECT
 private slots:
  void aRedisUserWithoutARightIsToldTheRuleAndItSuffices_data() {
    QTest::addColumn<QString>("rights");
    QTest::newRow("no EVAL") << "on >pw ~simba:{orders}* &simba:{orders}* +@all -eval";
    QTest::newRow("no EVALSHA") << "on >pw ~simba:{orders}* &simba:{orders}* +@all -evalsha";
    QTest::newRow("no INCR in scripts") << "on >pw ~simba:{orders}* &simba:{orders}* +@all -incr";
    QTest::newRow("other keys") << "on >pw ~simba:{others}* &simba:{orders}* +@all";
    QTest::newRow("no channels") << "on >pw ~simba:{orders}* resetchannels +@all";
    QTest::newRow("no SUBSCRIBE") << "on >pw ~simba:{orders}* &simba:{orders}* +@all -subscribe";
    QTest::newRow("only GET") << "on >pw ~simba:{orders}* &simba:{orders}* +get +ping";
  }
  void aRedisUserWithoutARightIsToldTheRuleAndItSuffices() {
    QFETCH(QString, rights);
    Ruled server(redis::store_type());
    QVERIFY(server.started());
    QCOMPARE(server.redis(words_of("ACL SETUSER me " + rights.toStdString())), std::string("OK"));
    const StoreUrl url = server.url("me", "pw");
    const auto looked = probe(url, kMutexes);
    QVERIFY_REFUSED(looked, "allow what the run does: ACL SETUSER me ");
    const std::string& error = looked.error();
    QCOMPARE(server.redis(words_of(error.substr(error.find("ACL SETUSER")))), std::string("OK"));
    const auto again = probe(url, kMutexes);
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QtLoop loop;
    PlainNames names;
    Client client(loop, names, url, "0:1@a");
    QVERIFY(client.connects());
    QCOMPARE(client.ask(RequestKind::kSubscribe, "orders").error, std::string());
    for (const RequestKind kind : {RequestKind::kAcquire, RequestKind::kGuard, RequestKind::kRelease})
      QCOMPARE(client.ask(kind, "orders").error, std::string());
    QVERIFY(client.hears(StoreEventKind::kReleased, "0:1@a"));
  }

  void aRedisOutOfMemoryIsSaidSo() {
    Ruled server(redis::store_type());
    QVERIFY(server.started());
    server.redis({"CONFIG", "SET", "maxmemory", "1"});
    const auto looked = probe(server.url(), kMutexes);
    QVERIFY_REFUSED(looked, "OOM", "raise its maxmemory");
  }

  void aReplicaThatTakesNoWritesIsSaidSo() {
    Ruled server(redis::store_type());
    QVERIFY(server.started());
    server.redis({"REPLICAOF", "127.0.0.1", "1"});
    server.redis({"CONFIG", "SET", "replica-serve-stale-data", "yes"});
    const auto looked = probe(server.url(), kMutexes);
    QVERIFY_REFUSED(looked, "READONLY", "name the primary");
  }

  void aServerThatSaysOkToAllIsNoRedis() {
    const Impostor impostor([](Peer& peer, int) {
      while (!peer.hear_command().empty()) peer.say("+OK\r\n");
    });
    StoreUrl url;
    url.type = &redis::store_type();
    url.given = true;
    url.endpoint.port = impostor.port();
    const auto looked = probe(url, kMutexes);
    QVERIFY_REFUSED(looked, "PING", "is this a Redis");
  }

  void theLookLeavesNothingBehind() {
    Ruled server(redis::store_type());
    QVERIFY(server.started());
    QVERIFY(probe(server.url(), {"orders", "more"}).has_value());
    QCOMPARE(server.redis({"KEYS", "*"}), std::string("0"));
    Ruled rows(postgres::store_type());
    QVERIFY(rows.started());
    QVERIFY(probe(rows.url(), {"it's \"quoted\"", "more"}).has_value());
    QCOMPARE(rows.postgres("select count(*) from simba_mutex"), std::string("0"));
    Ruled others(mysql::store_type());
    QVERIFY(others.started());
    QVERIFY(probe(others.url(), {"it's \"quoted\"", "more"}).has_value());
    QCOMPARE(others.mysql("select count(*) from simba_mutex"), std::string("0"));
  }

  void aRoleThatMayOnlyReadIsToldTheGrantAndItSuffices() {
    Ruled server(postgres::store_type());
    QVERIFY(server.started());
    QVERIFY(probe(server.url(), kMutexes).has_value());
    server.postgres("create role me login password 'pw'; grant select on simba_mutex to me");
    const StoreUrl url = server.url("me", "pw");
    const auto looked = probe(url, kMutexes);
    QVERIFY_REFUSED(looked, "permission denied for table simba_mutex",
                    "grant select, insert, update on simba_mutex to me");
    const std::string& error = looked.error();
    QCOMPARE(server.postgres(error.substr(error.find("grant "))), std::string());
    const auto again = probe(url, kMutexes);
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    server.postgres("revoke temporary on database postgres from public");
    const auto without = probe(url, kMutexes);
    QVERIFY_REFUSED(without, "grant temporary on database postgres to me");
  }

  void aTriggerThatFailsEveryWriteIsFound() {
    Ruled server(postgres::store_type());
    QVERIFY(server.started());
    QVERIFY(probe(server.url(), kMutexes).has_value());
    server.postgres(
        "create function no() returns trigger language plpgsql as $$ begin raise exception 'not on my watch'; end $$; "
        "create trigger no before update on simba_mutex for each row execute function no()");
    const auto looked = probe(server.url(), kMutexes);
    QVERIFY_REFUSED(looked, "not on my watch", "simba_mutex");
  }

  // In one message with the rest it came too late, inside a transaction that was read-only already.
  void aRoleThatIsReadOnlyByDefaultIsOpenedForWriting() {
    Ruled server(postgres::store_type());
    QVERIFY(server.started());
    server.postgres("alter role leasescope set default_transaction_read_only = on");
    const auto looked = probe(server.url(), kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    QtLoop loop;
    PlainNames names;
    Client client(loop, names, server.url(), "0:1@a");
    QVERIFY(client.connects());
    QCOMPARE(client.ask(RequestKind::kAcquire, "orders").error, std::string());
  }

  void aMysqlUserThatMayOnlyReadIsToldTheGrantAndItSuffices() {
    Ruled server(mysql::store_type());
    QVERIFY(server.started());
    QVERIFY(probe(server.url(), kMutexes).has_value());
    server.mysql("create user me@localhost identified by 'pw'; grant select on leasescope.simba_mutex to me@localhost");
    const StoreUrl url = server.url("me", "pw");
    const auto looked = probe(url, kMutexes);
    QVERIFY_REFUSED(looked, "INSERT", "grant select, insert, update on leasescope.simba_mutex to me");
    const std::string& error = looked.error();
    QCOMPARE(server.mysql(error.substr(error.find("grant ")) + "@localhost"), std::string());
    const auto again = probe(url, kMutexes);
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
  }

  void aMysqlUserThatMayNotMakeTheTableIsToldItsText() {
    Ruled server(mysql::store_type());
    QVERIFY(server.started());
    server.mysql("create user me@localhost identified by 'pw'; grant select on leasescope.* to me@localhost");
    const auto looked = probe(server.url("me", "pw"), kMutexes);
    QVERIFY_REFUSED(looked, "grant create on leasescope.* to me", "create table if not exists simba_mutex");
    const std::string& error = looked.error();
    QCOMPARE(server.mysql(error.substr(error.find("create table"))), std::string());
    QCOMPARE(server.mysql("select count(*) from simba_mutex"), std::string("0"));
  }

  void aMysqlTableWhoseRowsCannotBeLockedIsRefusedWithTheRemedy() {
    Ruled server(mysql::store_type());
    QVERIFY(server.started());
    QVERIFY(probe(server.url()).has_value());
    server.mysql("alter table simba_mutex engine = MyISAM");
    const auto looked = probe(server.url(), kMutexes);
    QVERIFY_REFUSED(looked, "cannot be locked", "alter table simba_mutex engine = InnoDB");
    const std::string& error = looked.error();
    QCOMPARE(server.mysql(error.substr(error.find("alter "))), std::string());
    QVERIFY(probe(server.url(), kMutexes).has_value());
  }

  void aMysqlThatTakesNoWritesIsSaidSo() {
    Ruled server(mysql::store_type());
    QVERIFY(server.started());
    server.mysql("set global read_only = on");
    const auto looked = probe(server.url(), kMutexes);
    QVERIFY_REFUSED(looked, "read-only", "name the primary");
  }

  void aMysqlDatabaseThatIsNotThereIsSaidSo() {
    Ruled server(mysql::store_type());
    QVERIFY(server.started());
    StoreUrl url = server.url();
    url.database = "nowhere";
    const auto looked = probe(url, kMutexes);
    QVERIFY_REFUSED(looked, "nowhere", "name an existing database");
  }
};

LEASESCOPE_SUITE(RefusingStoreTest)
#include "refusing_store_test.moc"
