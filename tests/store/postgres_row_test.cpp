#include <libpq-fe.h>

#include "core/store/postgres/conninfo.h"
#include "core/store/postgres/store_type.h"
#include "tests/store/rig.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

// What only a row and a transaction can do.
class PostgresRowTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer server_{postgres::store_type()};

  PGconn* by_hand() {
    const postgres::ConnInfo info(server_.url(), server_.url().endpoint);
    return PQconnectdbParams(info.keywords().data(), info.values().data(), 0);
  }
  static std::string run(PGconn* connection, const std::string& sql) {
    PGresult* const result = PQexec(connection, sql.c_str());
    const std::string text = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : PQresultErrorMessage(result);
    PQclear(result);
    return text;
  }

 private slots:
  void initTestCase() {
    QVERIFY(server_.start().has_value());
    QVERIFY(probe(server_.url()).has_value());
  }

  // Its statements have been used by then, on a mutex that cannot be: a first use costs their planning.
  void aSessionThatBeginsWritesNoRow() {
    PGconn* const other = by_hand();
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(run(other, "select pg_relation_size('simba_mutex')"), std::string("0"));
    a.ask(RequestKind::kAcquire, "written");
    QVERIFY(run(other, "select pg_relation_size('simba_mutex')") != "0");
    PQfinish(other);
  }

  void theWaitForTheRowIsNotTakenFromTheLease() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(RequestKind::kAcquire, "waited", milliseconds(50));
    a.ask(RequestKind::kRelease, "waited");
    PGconn* const other = by_hand();
    run(other, "begin");
    run(other, "select * from simba_mutex where mutex = 'waited' for update");
    const std::uint64_t call = a.send(RequestKind::kAcquire, "waited", milliseconds(300));
    QTest::qWait(600);
    run(other, "commit");
    const Told got = a.ending_of(call);
    QCOMPARE(a.owner_in(got), "0:1@a");
    const std::string left = run(other,
                                 "select transition_at - floor(extract(epoch from clock_timestamp()) * 1000)::bigint "
                                 "from simba_mutex where mutex = 'waited'");
    QVERIFY2(std::stoi(left) > 150, left.c_str());
    PQfinish(other);
  }

  void aRowLockedForGoodIsGivenUpByTheServer() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(RequestKind::kAcquire, "locked", milliseconds(50));
    PGconn* const other = by_hand();
    run(other, "begin");
    run(other, "select * from simba_mutex where mutex = 'locked' for update");
    const Told refused = a.ending_of(a.send(RequestKind::kAcquire, "locked", milliseconds(300), milliseconds(4000)));
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY2(refused.error.find("lock timeout") != std::string::npos, refused.error.c_str());
    QVERIFY(a.connected());
    PQfinish(other);
  }

  // Else its lease would be another's as well, and the fence fall.
  void aServerThatIsKilledHasKeptEveryLeaseItGranted() {
    PrivateServer server(postgres::store_type());
    QVERIFY(server.start().has_value());
    QVERIFY(probe(server.url()).has_value());
    Client a(loop_, names_, server.url(), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.owner_in(a.ask(RequestKind::kAcquire, "kept", milliseconds(60'000))), "0:1@a");
    server.kill();
    QVERIFY(wait_until([&] { return !a.connected(); }, milliseconds(2000)));
    QVERIFY(server.start_again().has_value());
    QVERIFY(a.connects(milliseconds(10'000)));
    const Told got = a.ask(RequestKind::kGuard, "kept", milliseconds(60'000));
    QCOMPARE(a.owner_in(got), "0:1@a");
    QCOMPARE(got.reply.token, Token{1});
  }

  // A contender would believe in a token near 2^64, which no later one is above and no renewal can name.
  void aBrokenTokenIsAnErrorAndNoTerm() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(RequestKind::kAcquire, "broken", milliseconds(50));
    a.ask(RequestKind::kRelease, "broken");
    PGconn* const other = by_hand();
    run(other, "update simba_mutex set fencing_token = -5 where mutex = 'broken'");
    const Told refused = a.ending_of(a.send(RequestKind::kAcquire, "broken", milliseconds(3000)));
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY2(refused.error.find("the fencing token of broken is broken") != std::string::npos, refused.error.c_str());
    QCOMPARE(run(other, "select owner_id from simba_mutex where mutex = 'broken'"), std::string());
    PQfinish(other);
  }

  void theRowHoldsWhatSimbasTableHolds() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(RequestKind::kAcquire, "row", milliseconds(3000));  // ttl 1500
    PGconn* const other = by_hand();
    QCOMPARE(QString::fromStdString(run(other,
                                        "select ttl_at - acquired_at || ' ' || transition_at - ttl_at || ' ' || "
                                        "owner_id || ' ' || fencing_token from simba_mutex where mutex = 'row'")),
             QString("1500 1500 0:1@a 1"));
    a.ask(RequestKind::kRelease, "row");
    QCOMPARE(QString::fromStdString(run(other,
                                        "select acquired_at || ' ' || transition_at || ' [' || owner_id || '] ' "
                                        "|| fencing_token from simba_mutex where mutex = 'row'")),
             QString("0 0 [] 1"));
    PQfinish(other);
  }

  void nothingIsLeftInTheDatabaseButTheTable() {
    {
      Client a(loop_, names_, server_.url(), "0:1@a");
      QVERIFY(a.connects());
      a.ask(RequestKind::kAcquire, "left");
    }
    PGconn* const other = by_hand();
    const std::string functions = "select count(*) from pg_proc where proname like 'leasescope%'";
    QVERIFY(wait_until([&] { return run(other, functions) == "0"; }, milliseconds(3000)));
    PQfinish(other);
  }

  void aTableWithoutTheFencesColumnIsRefusedWithTheRemedy() {
    PGconn* const other = by_hand();
    run(other, "create database old");
    PQfinish(other);
    StoreUrl old = server_.url();
    old.database = "old";
    QVERIFY(probe(old).has_value());
    const postgres::ConnInfo info(old, old.endpoint);
    PGconn* const in_old = PQconnectdbParams(info.keywords().data(), info.values().data(), 0);
    run(in_old, "alter table simba_mutex drop column fencing_token");
    PQfinish(in_old);
    const auto refused = probe(old);
    QVERIFY(!refused);
    QVERIFY2(refused.error().find("add column fencing_token") != std::string::npos, refused.error().c_str());
  }
};

LEASESCOPE_SUITE(PostgresRowTest)
#include "postgres_row_test.moc"
