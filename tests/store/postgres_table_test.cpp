// The table that leases are kept in: made when it may be, else said how, and refused where it is another's.
#include "core/store/postgres/store_type.h"
#include "tests/store/ruled.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const std::vector<std::string> kMutexes{"orders"};
const std::string kQuietly = "set client_min_messages = warning; ";

}  // namespace

class PostgresTableTest : public QObject {
  Q_OBJECT

  Ruled server_{postgres::store_type()};

  std::string tables() { return server_.postgres("select count(*) from pg_class where relname like 'simba%'"); }
  // Of a refusal: the words that are to be said by somebody who may.
  static std::string words_in(const std::string& error) { return error.substr(error.find("create table")); }

 private slots:
  void initTestCase() { QVERIFY(server_.started()); }
  void init() {
    server_.postgres(kQuietly + "drop view if exists simba_mutex");
    server_.postgres(kQuietly + "drop table if exists simba_mutex, simba_rows cascade");
    server_.postgres(kQuietly + "drop owned by me; drop role if exists me");
    server_.postgres("create role me login password 'pw'");
  }

  void itIsMadeByWhoeverMay() {
    server_.postgres("grant create on schema public to me");
    const auto looked = probe(server_.url("me", "pw"), kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    QCOMPARE(server_.postgres("select count(*) from simba_mutex"), std::string("0"));
  }
  void whoeverMayNotIsToldItsTextAndNothingIsMade() {
    const auto looked = probe(server_.url("me", "pw"), kMutexes);
    QVERIFY(!looked);
    const std::string& error = looked.error();
    for (const char* words : {"permission denied for schema public", "the table simba_mutex is missing",
                              "grant create on schema public to me", "create table if not exists simba_mutex",
                              "grant select, insert, update on simba_mutex to me"})
      QVERIFY2(error.find(words) != std::string::npos, error.c_str());
    QVERIFY2(error.find('\n') == std::string::npos, error.c_str());
    QCOMPARE(tables(), std::string("0"));
    QCOMPARE(server_.postgres(words_in(error)), std::string());
    const auto again = probe(server_.url("me", "pw"), kMutexes);
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
  }
  void aRoleThatSeesNoSchemaIsToldItToo() {
    server_.postgres("alter role me set search_path = nowhere");
    const auto looked = probe(server_.url("me", "pw"), kMutexes);
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("the table simba_mutex is missing") != std::string::npos, looked.error().c_str());
    QCOMPARE(tables(), std::string("0"));
  }
  void aRoleThatMayOnlyReadIsRefusedBeforeAnythingIsWritten() {
    QVERIFY(probe(server_.url()).has_value());
    server_.postgres("grant select on simba_mutex to me");
    const auto looked = probe(server_.url("me", "pw"), kMutexes);
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("grant select, insert, update on simba_mutex to me") != std::string::npos,
             looked.error().c_str());
    QCOMPARE(server_.postgres("select count(*) from simba_mutex"), std::string("0"));
  }

  void aTableOfAnotherShapeIsRefusedSayingWhatIsAmiss_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("amiss");
    const auto row = [](const char* change, const char* amiss) { QTest::newRow(amiss) << change << amiss; };
    row("alter table simba_mutex drop column version", "its column version is missing");
    row("alter table simba_mutex alter ttl_at type timestamp using now()",
        "its column ttl_at is timestamp without time zone");
    row("alter table simba_mutex alter version type integer", "its column version is integer");
    row("alter table simba_mutex alter mutex type bytea using null", "its column mutex is bytea");
    row("alter table simba_mutex drop constraint simba_mutex_pkey", "its column mutex is no key");
    row("alter table simba_mutex drop constraint simba_mutex_pkey, add primary key (mutex, owner_id)",
        "its column mutex is no key");
    row("alter table simba_mutex drop constraint simba_mutex_pkey, add unique (mutex) deferrable",
        "its column mutex is no key");
    row("create collation if not exists loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false); "
        "alter table simba_mutex alter owner_id type varchar(128) collate loose",
        "its column owner_id takes different texts for equal");
    row("alter table simba_mutex rename to simba_rows; create view simba_mutex as select * from simba_rows",
        "it is no ordinary table");
    row("alter table simba_mutex drop column fencing_token", "alter table simba_mutex add column fencing_token");
  }
  void aTableOfAnotherShapeIsRefusedSayingWhatIsAmiss() {
    QFETCH(QString, change);
    QFETCH(QString, amiss);
    QVERIFY(probe(server_.url()).has_value());
    QCOMPARE(server_.postgres(kQuietly + change.toStdString()), std::string());
    const auto looked = probe(server_.url(), kMutexes);
    QVERIFY(!looked);
    QVERIFY2(looked.error().find(amiss.toStdString()) != std::string::npos, looked.error().c_str());
  }
  // As Simba's JDBC backend may have made it, or an administrator who wants more of it.
  void aTableThatDiffersInWhatDoesNotMatterIsUsed() {
    QVERIFY(probe(server_.url()).has_value());
    QCOMPARE(server_.postgres("alter table simba_mutex alter owner_id type text, alter mutex type text, "
                              "add column noted timestamp default now(), drop constraint simba_mutex_pkey, "
                              "add constraint one unique (mutex)"),
             std::string());
    const auto looked = probe(server_.url(), kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
  }
};

LEASESCOPE_SUITE(PostgresTableTest)
#include "postgres_table_test.moc"
