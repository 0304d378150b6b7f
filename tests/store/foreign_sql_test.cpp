// The locks of PostgreSQL and MariaDB themselves, and ShedLock's in a table of each, on servers in use.
#include <thread>

#include "core/store/mysql/asker.h"
#include "core/store/postgres/asker.h"
#include "core/store/postgres/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/foreigners.h"
#include "tests/store/mysql_kinds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// As the locks of MySQL name it.
std::string connection_of(mysql::Asker& server) {
  const auto row = server.ask("select concat('connection ', connection_id(), ' ', current_user())");
  if (!row) qFatal("%s", row.error().message.c_str());
  return row->front();
}

}  // namespace

class ForeignSqlTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PrivateServer postgres_{postgres::store_type()}, mysql_{mysql_with_schema()};

 private slots:
  void initTestCase() {
    for (PrivateServer* server : {&postgres_, &mysql_}) {
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    }
  }

  void advisoryLocksOfPostgresAndWhoWaitsForThem() {
    postgres::Asker a(milliseconds(60'000)), b(milliseconds(60'000));
    QVERIFY(a.connect(postgres_.url()).has_value() && b.connect(postgres_.url()).has_value());
    carried_out(a, "set application_name = 'nightly'");
    carried_out(a, "select pg_advisory_lock(-42)");
    carried_out(a, "select pg_advisory_lock(7, -1)");
    Foreigners of(loop_, postgres_.url(), Foreign::kCertain);
    QVERIFY(of.sees_somebody("-42") && of.sees_somebody("7, -1"));
    QCOMPARE(of.system("-42"), std::string("PostgreSQL advisory lock"));
    const std::string holder = of.lock("-42")->book.last().owner;
    QVERIFY2(holder.find("nightly") != std::string::npos, holder.c_str());
    std::thread waits([&b] { carried_out(b, "select pg_advisory_lock(-42)"); });
    const bool seen = wait_until([&] { return of.lock("-42")->book.last().waiters == 1U; }, milliseconds(3000));
    carried_out(a, "select pg_advisory_unlock(-42)");
    waits.join();
    QVERIFY(seen);
    QVERIFY(wait_until([&] { return of.lock("-42")->handoffs.size() == 1; }, milliseconds(3000)));
    carried_out(b, "select pg_advisory_unlock(-42)");
    QVERIFY(of.sees_lock("-42", ""));
    QCOMPARE(of.told("-42 (PostgreSQL)"), (QStringList{"granted", "released", "granted", "released"}));
  }
  void aRowThatSomebodyWaitsForAndShedLocksTable() {
    postgres::Asker a(milliseconds(60'000)), b(milliseconds(60'000));
    QVERIFY(a.connect(postgres_.url()).has_value() && b.connect(postgres_.url()).has_value());
    carried_out(a, "create table stock (item text primary key, count int); insert into stock values ('nails', 1)");
    carried_out(a,
                "create table shedlock (name varchar(64) primary key, lock_until timestamp not null, "
                "locked_at timestamp not null, locked_by varchar(255) not null)");
    carried_out(a,
                "insert into shedlock values ('report', timezone('utc', now()) + interval '20 s', "
                "timezone('utc', now()), 'api-2')");
    carried_out(a, "begin");
    carried_out(a, "update stock set count = 2");
    Foreigners of(loop_, postgres_.url(), Foreign::kLikely);
    QVERIFY(of.sees_lock("report", "api-2"));
    QCOMPARE(of.system("report"), std::string("ShedLock lock, likely"));
    const std::optional<Duration> left = of.lock("report")->book.last().left;
    QVERIFY(left && *left > milliseconds(10'000) && *left <= milliseconds(20'000));
    QVERIFY(of.lock("stock row (0,1)") == nullptr);  // nobody waits for it
    std::thread waits([&b] { carried_out(b, "update stock set count = 3"); });
    const bool seen = of.sees_somebody("stock row (0,1)");
    const Sighting row = seen ? of.lock("stock row (0,1)")->book.last() : Sighting{};
    carried_out(a, "commit");
    waits.join();
    QVERIFY(seen);
    QCOMPARE(*row.waiters, 1U);
    QVERIFY2(row.owner.find("pid " + std::to_string(a.named_at_login())) == 0, row.owner.c_str());
    // That nobody waits for it does not say that nobody holds it.
    QVERIFY(wait_until([&] { return of.lock("stock row (0,1)")->book.known() == SeenMutex::Known::kNothing; },
                       milliseconds(2000)));
    QCOMPARE(of.told("stock row (0,1) (PostgreSQL)"), QStringList{"granted"});
    carried_out(a, "update shedlock set lock_until = timezone('utc', now())");
    QVERIFY(of.sees_lock("report", ""));
  }
  // What may not be read any more is not known any more, and everything else is.
  void whatIsRefusedIsHiddenAndTheRestIsSeen() {
    postgres::Asker admin(milliseconds(60'000));
    QVERIFY(admin.connect(postgres_.url()).has_value());
    carried_out(admin,
                "create role looker login; create table if not exists shedlock (name varchar(64) primary key, "
                "lock_until timestamp not null, locked_at timestamp not null, locked_by varchar(255) not null); "
                "grant select on shedlock to looker");
    carried_out(admin,
                "delete from shedlock; insert into shedlock values ('night', timezone('utc', now()) + "
                "interval '60 s', timezone('utc', now()), 'api-2')");
    carried_out(admin, "select pg_advisory_lock(77)");
    StoreUrl url = postgres_.url();
    url.user = "looker";
    Foreigners of(loop_, url, Foreign::kLikely);
    QVERIFY(of.sees_lock("night", "api-2"));
    carried_out(admin, "revoke select on shedlock from looker");
    QVERIFY(
        wait_until([&] { return of.lock("night")->book.known() == SeenMutex::Known::kNothing; }, milliseconds(3000)));
    QVERIFY(of.sees_somebody("77") && !of.watch.stores()[0]->blind);
    carried_out(admin, "grant select on shedlock to looker");
    QVERIFY(of.sees_lock("night", "api-2"));
    // Somebody has the table for himself alone: nothing else waits for that.
    carried_out(admin, "begin; lock table shedlock in access exclusive mode");
    QVERIFY(
        wait_until([&] { return of.lock("night")->book.known() == SeenMutex::Known::kNothing; }, milliseconds(4000)));
    QVERIFY(!of.watch.stores()[0]->blind);
    carried_out(admin, "commit");
    QVERIFY(of.sees_lock("night", "api-2"));
    carried_out(admin, "select pg_advisory_unlock(77); drop table shedlock; drop owned by looker; drop role looker");
  }
  void userLocksOfMariadbAndShedLocksTable() {
    mysql::Asker a(milliseconds(60'000));
    QVERIFY(a.connect(mysql_.url()).has_value());
    carried_out(a,
                "create table shedlock (name varchar(64) primary key, lock_until timestamp(3) not null, "
                "locked_at timestamp(3) not null, locked_by varchar(255) not null)");
    carried_out(a,
                "insert into shedlock values ('report', utc_timestamp(3) + interval 20 second, utc_timestamp(3), "
                "'api-2')");
    carried_out(a, "select get_lock('orders', 0)");
    Foreigners of(loop_, mysql_.url(), Foreign::kLikely);
    QVERIFY(of.sees_somebody("orders"));
    QCOMPARE(of.system("orders"), std::string("MySQL GET_LOCK"));
    const std::string owner = of.lock("orders")->book.last().owner;
    QVERIFY2(owner.find("connection ") == 0, owner.c_str());
    QVERIFY(of.sees_lock("report", "api-2"));
    std::thread waits([this] {
      mysql::Asker b(milliseconds(60'000));
      if (!b.connect(mysql_.url())) qFatal("no second connection");
      carried_out(b, "select get_lock('orders', 20)");
    });
    const bool seen = wait_until([&] { return of.lock("orders")->book.last().waiters == 1U; }, milliseconds(3000));
    carried_out(a, "select release_lock('orders')");
    waits.join();
    QVERIFY(seen);
    QVERIFY(of.sees_lock("orders", ""));  // its connection has ended
  }
  // Of all tables that are in use that one alone.
  void aTableOfMariadbThatSomebodyWaitsFor() {
    mysql::Asker a(milliseconds(60'000)), other(milliseconds(60'000));
    QVERIFY(a.connect(mysql_.url()).has_value() && other.connect(mysql_.url()).has_value());
    carried_out(a, "create table stock (item int primary key); create table prices (item int primary key)");
    carried_out(a, "lock tables stock write, prices read");
    carried_out(other, "begin; select * from prices");
    Foreigners of(loop_, mysql_.url(), Foreign::kCertain);
    QVERIFY(of.is_complete());
    wait_until([] { return false; }, 3 * kPoll);
    QVERIFY2(of.watch.mutexes().empty(), "nobody waits for any of them");
    std::thread waits([this] {
      mysql::Asker b(milliseconds(60'000));
      if (!b.connect(mysql_.url())) qFatal("no second connection");
      carried_out(b, "set lock_wait_timeout = 20; lock tables stock write; unlock tables");
    });
    const bool seen = of.sees_somebody("table leasescope.stock");
    const Sighting table = seen ? of.lock("table leasescope.stock")->book.last() : Sighting{};
    const std::string mine = connection_of(a);
    carried_out(a, "unlock tables");
    waits.join();
    carried_out(other, "commit");
    QVERIFY(seen);
    QCOMPARE(table.owner, mine);
    QCOMPARE(*table.waiters, 1U);
    QCOMPARE(of.system("table leasescope.stock"), std::string("MySQL metadata lock"));
    // That nobody waits for it does not say that nobody has it.
    QVERIFY(wait_until([&] { return of.lock("table leasescope.stock")->book.known() == SeenMutex::Known::kNothing; },
                       milliseconds(2000)));
    QCOMPARE(of.told("table leasescope.stock (MySQL)"), QStringList{"granted"});
    QCOMPARE(of.watch.mutexes().size(), std::size_t{1});
    carried_out(a, "drop table stock, prices");
  }
  // It has the table itself, and wants more of it; whoever comes now waits behind it.
  void anAlterOfMariadbWaitsForATransactionThatIsLeftOpen() {
    mysql::Asker a(milliseconds(60'000));
    QVERIFY(a.connect(mysql_.url()).has_value());
    carried_out(a, "create table shelf (item int primary key) engine = InnoDB; begin; select * from shelf");
    const std::string mine = connection_of(a);
    Foreigners of(loop_, mysql_.url(), Foreign::kCertain);
    std::vector<std::thread> wait;
    for (const char* sql : {"alter table shelf add column place int", "select count(*) from shelf"}) {
      wait.emplace_back([this, sql] {
        mysql::Asker b(milliseconds(60'000));
        if (!b.connect(mysql_.url())) qFatal("no more connections");
        carried_out(b, std::string("set lock_wait_timeout = 20; ") + sql);
      });
      const std::size_t waiting = wait.size();
      wait_until(
          [&] {
            const WatchedMutex* const table = of.lock("table leasescope.shelf");
            return table != nullptr && table->book.last().waiters == waiting;
          },
          milliseconds(3000));
    }
    const WatchedMutex* const table = of.lock("table leasescope.shelf");
    const Sighting seen = table == nullptr ? Sighting{} : table->book.last();
    carried_out(a, "commit");
    for (std::thread& each : wait) each.join();
    QCOMPARE(seen.owner, mine);
    QCOMPARE(seen.waiters.value_or(0), 2U);
    carried_out(a, "drop table shelf");
  }
};

LEASESCOPE_SUITE(ForeignSqlTest)
#include "foreign_sql_test.moc"
