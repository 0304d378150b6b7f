#include "core/store/mysql/asker.h"
#include "core/store/mysql/store_type.h"
#include "tests/store/rig.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// Simba's JDBC backend, as its statements are in spec and in a server's log: with tokens (3.3 and later), or without.
class Jdbc {
 public:
  Jdbc(const StoreUrl& url, std::string id, bool fenced) : id_(std::move(id)), fenced_(fenced) {
    connected_ = server_.connect(url).has_value();
  }

  // Takes or renews in a transaction of its own, and tells whose it is then.
  std::string contend(const std::string& mutex, int ttl, int lease) {
    server_.ask("set autocommit = 0");
    server_.ask(acquire(mutex, ttl, lease));
    if (ask("select count(*) from simba_mutex where mutex = '" + mutex + "'") == "0") {
      server_.ask("insert into simba_mutex (mutex, acquired_at, ttl_at, transition_at, owner_id, version) values ('" +
                  mutex + "', 0, 0, 0, '', 0)");
      server_.ask(acquire(mutex, ttl, lease));
    }
    const std::string owner = ask("select owner_id from simba_mutex where mutex = '" + mutex +
                                  "' and transition_at > unix_timestamp(current_timestamp(3)) * 1000");
    server_.ask("commit; set autocommit = 1");
    return owner;
  }
  void release(const std::string& mutex) {
    server_.ask(
        "update simba_mutex set acquired_at = 0, ttl_at = 0, transition_at = 0, owner_id = '', version = version + 1 "
        "where mutex = '" +
        mutex + "' and owner_id = '" + id_ + "'");
  }
  std::string ask(const std::string& sql) {
    const auto row = server_.ask(sql);
    return !row ? row.error().message : row->empty() ? std::string() : row->front();
  }
  bool connected() const { return connected_; }

 private:
  std::string acquire(const std::string& mutex, int ttl, int lease) const {
    const std::string now = "unix_timestamp(current_timestamp(3)) * 1000", whole = "cast(" + now + " as unsigned)";
    const std::string token = "fencing_token = if(owner_id = '" + id_ + "' and transition_at > " + now +
                              ", fencing_token, fencing_token + 1), ";
    return "update simba_mutex set " + (fenced_ ? token : "") + "acquired_at = " + whole + ", ttl_at = " + whole +
           " + " + std::to_string(ttl) + ", transition_at = " + whole + " + " + std::to_string(lease) +
           ", owner_id = '" + id_ + "', version = version + 1 where mutex = '" + mutex + "' and (transition_at < " +
           now + " or (owner_id = '" + id_ + "' and transition_at > " + now + "))";
  }

  mysql::Asker server_{milliseconds(60'000)};
  std::string id_;
  bool fenced_;
  bool connected_;
};

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;

}  // namespace

// What a row of Simba's own table can do, and who else is at it.
class MysqlRowTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer server_{mysql::store_type()};

  // In another database, whose table is as the script of 3.1 makes it: the server's collation, no tokens.
  StoreUrl old_database(const std::string& name) {
    Jdbc server(server_.url(), "root", false);
    server.ask("create database " + name);
    StoreUrl url = server_.url();
    url.database = name;
    Jdbc(url, "root", false)
        .ask(
            "create table simba_mutex (mutex varchar(66) not null primary key comment 'mutex name', "
            "acquired_at bigint unsigned not null, ttl_at bigint unsigned not null, "
            "transition_at bigint unsigned not null, owner_id varchar(128) not null, version int unsigned not null)");
    return url;
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QVERIFY(probe(server_.url()).has_value());
  }

  void aSubscriptionEndsWellAndBringsNothing() {
    Client a(loop_, names_, server_.url(), "0:1@a"), b(loop_, names_, server_.url(), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QCOMPARE(b.ask(RequestKind::kSubscribe, "quiet").reply.ending, Ending::kOk);
    a.ask(kAcquire, "quiet");
    a.ask(kRelease, "quiet");
    QCOMPARE(b.ask(RequestKind::kUnsubscribe, "quiet").reply.ending, Ending::kOk);
    QVERIFY(b.events.empty());
  }

  void theWaitForTheRowIsNotTakenFromTheLease() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(kAcquire, "waited", milliseconds(50));
    a.ask(kRelease, "waited");
    Jdbc other(server_.url(), "other", true);
    other.ask("start transaction");
    other.ask("select * from simba_mutex where mutex = 'waited' for update");
    const std::uint64_t call = a.send(kAcquire, "waited", milliseconds(300));
    QTest::qWait(600);
    other.ask("commit");
    const Told got = a.ending_of(call);
    QCOMPARE(a.owner_in(got), "0:1@a");
    const std::string left = other.ask(
        "select cast(transition_at as signed) - cast(unix_timestamp(current_timestamp(3)) * 1000 as signed) "
        "from simba_mutex where mutex = 'waited'");
    QVERIFY2(std::stoi(left) > 150, left.c_str());
  }

  void aWaitForTheRowThatIsOverIsTriedAgainWhileThereIsTime() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(kAcquire, "retried", milliseconds(50));
    Jdbc other(server_.url(), "other", true);
    other.ask("start transaction");
    other.ask("select * from simba_mutex where mutex = 'retried' for update");
    const std::uint64_t call = a.send(kAcquire, "retried", milliseconds(3000), milliseconds(4000));
    QTest::qWait(1600);  // the server waits for a second
    other.ask("commit");
    const Told got = a.ending_of(call);
    QVERIFY2(got.reply.ending == Ending::kOk, got.error.c_str());
    QCOMPARE(a.owner_in(got), "0:1@a");
    QCOMPARE(got.reply.remaining.count(), Duration(milliseconds(3000)).count());
  }

  void aRowLockedForGoodIsGivenUpByTheServer() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(kAcquire, "locked", milliseconds(50));
    Jdbc other(server_.url(), "other", true);
    other.ask("start transaction");
    other.ask("select * from simba_mutex where mutex = 'locked' for update");
    const Told refused = a.ending_of(a.send(kAcquire, "locked", milliseconds(300), milliseconds(4000)));
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY2(refused.error.find("Lock wait timeout") != std::string::npos, refused.error.c_str());
    QVERIFY(a.connected());
  }

  // What a deadlock or a wait that was over leaves of a transaction would hold the row for as long as the line stands.
  void aCallThatFailedInTheMiddleHoldsNoRow() {
    Client a(loop_, names_, server_.url(), "0:1@a"), b(loop_, names_, server_.url(), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    a.ask(kAcquire, "failing", milliseconds(50));
    a.ask(kRelease, "failing");
    Jdbc other(server_.url(), "other", true);
    other.ask(
        "create trigger no before update on simba_mutex for each row "
        "if new.mutex = 'failing' and new.owner_id = '0:1@a' then signal sqlstate '45000'; end if");
    QCOMPARE(a.ask(kAcquire, "failing").reply.ending, Ending::kFailed);
    const Told got = b.ask(kAcquire, "failing");
    QCOMPARE(b.owner_in(got), "0:2@b");
    QVERIFY(got.received - got.sent < milliseconds(500));
    other.ask("drop trigger no");
  }

  void whoLosesToOthersIsTriedAgain_data() {
    QTest::addColumn<int>("error");
    QTest::newRow("the victim of a deadlock") << 1213;
    QTest::newRow("of a row that others wrote meanwhile (MariaDB from 11.6 on)") << 1020;
  }
  void whoLosesToOthersIsTriedAgain() {
    QFETCH(int, error);
    const std::string mutex = fmt::format("victim of {}", error);
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    Jdbc other(server_.url(), "other", true);
    other.ask(
        fmt::format("create trigger fails before update on simba_mutex for each row if rand() < 0.5 then "
                    "signal sqlstate '40001' set mysql_errno = {}, message_text = 'try restarting'; end if",
                    error));
    for (int i = 0; i < 20; ++i) {
      const Told told = a.ask(i % 2 == 0 ? kAcquire : kRelease, mutex);
      QVERIFY2(told.reply.ending == Ending::kOk && told.reply.done, told.error.c_str());
    }
    other.ask("drop trigger fails");
    QCOMPARE(other.ask(fmt::format("select version from simba_mutex where mutex = '{}'", mutex)), std::string("20"));
  }

  // Both find no row, and one of the two may be refused, or be the victim of a deadlock.
  void manyThatMeetOnANewMutexAreAllAnswered() {
    constexpr int kMany = 12;
    std::vector<std::unique_ptr<Client>> all;
    for (int i = 0; i < kMany; ++i)
      all.push_back(std::make_unique<Client>(loop_, names_, server_.url(), "0:" + std::to_string(i) + "@x"));
    for (const auto& each : all) QVERIFY(each->connects());
    for (int round = 0; round < 20; ++round) {
      const std::string mutex = "met " + std::to_string(round);
      std::vector<std::uint64_t> calls;
      for (const auto& each : all) calls.push_back(each->send(kAcquire, mutex));
      std::set<std::string> owners;
      int granted = 0;
      for (int i = 0; i < kMany; ++i) {
        const Told told = all[static_cast<std::size_t>(i)]->ending_of(calls[static_cast<std::size_t>(i)]);
        QVERIFY2(told.reply.ending == Ending::kOk, told.error.c_str());
        owners.insert(names_.text(told.reply.owner));
        granted += told.reply.done;
      }
      QCOMPARE(owners.size(), std::size_t{1});
      QCOMPARE(granted, 1);
    }
  }

  // Else its lease would be another's as well, and the fence fall.
  void aServerThatIsKilledHasKeptEveryLeaseItGranted() {
    PrivateServer server(mysql::store_type());
    QVERIFY(server.start().has_value());
    QVERIFY(probe(server.url()).has_value());
    Client a(loop_, names_, server.url(), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.owner_in(a.ask(kAcquire, "kept", milliseconds(60'000))), "0:1@a");
    server.kill();
    QVERIFY(wait_until([&] { return !a.connected(); }, milliseconds(2000)));
    QVERIFY(server.start_again().has_value());
    QVERIFY(a.connects(milliseconds(10'000)));
    const Told got = a.ask(kGuard, "kept", milliseconds(60'000));
    QCOMPARE(a.owner_in(got), "0:1@a");
    QCOMPARE(got.reply.token, Token{1});
  }

  // A contender would believe in a token near 2^64, which no later one is above and no renewal can name.
  void aBrokenTokenIsAnErrorAndNoTerm() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(kAcquire, "broken", milliseconds(50));
    a.ask(kRelease, "broken");
    Jdbc other(server_.url(), "other", true);
    other.ask("update simba_mutex set fencing_token = 18446744073709551614 where mutex = 'broken'");
    const Told refused = a.ending_of(a.send(kAcquire, "broken", milliseconds(3000)));
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    QVERIFY2(refused.error.find("the fencing token of broken is broken") != std::string::npos, refused.error.c_str());
    QCOMPARE(other.ask("select owner_id from simba_mutex where mutex = 'broken'"), std::string());
  }

  void theRowHoldsWhatSimbasTableHolds() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(kAcquire, "row", milliseconds(3000));  // ttl 1500
    Jdbc other(server_.url(), "other", true);
    QCOMPARE(
        QString::fromStdString(other.ask(
            "select concat_ws(' ', ttl_at - acquired_at, transition_at - ttl_at, owner_id, version, fencing_token) "
            "from simba_mutex where mutex = 'row'")),
        QString("1500 1500 0:1@a 1 1"));
    a.ask(kRelease, "row");
    QCOMPARE(QString::fromStdString(other.ask(
                 "select concat_ws(' ', acquired_at, ttl_at, transition_at, concat('[', owner_id, ']'), version, "
                 "fencing_token) from simba_mutex where mutex = 'row'")),
             QString("0 0 0 [] 2 1"));
  }

  void besideSimbasOwnStatementsThereIsNeverASecondOwner_data() {
    QTest::addColumn<bool>("fenced");
    QTest::newRow("of 3.3 and later") << true;
    QTest::newRow("of 3.1") << false;
  }
  void besideSimbasOwnStatementsThereIsNeverASecondOwner() {
    QFETCH(bool, fenced);
    const std::string mutex = fenced ? "shared fenced" : "shared";
    Client ours(loop_, names_, server_.url(), "0:1@a");
    Jdbc simba(server_.url(), "0:4242@10.0.0.7", fenced);
    QVERIFY(ours.connects() && simba.connected());
    int of_ours = 0, of_simba = 0;
    for (int i = 0; i < 60; ++i) {
      const Told told = ours.ask(kAcquire, mutex, milliseconds(4000));
      QVERIFY2(told.reply.ending == Ending::kOk, told.error.c_str());
      const std::string by_us = ours.owner_in(told), by_simba = simba.contend(mutex, 2000, 4000);
      QVERIFY2(by_us == by_simba, (by_us + " and " + by_simba).c_str());
      (told.reply.done ? of_ours : of_simba) += 1;
      // Each lets the other have it now and then.
      if (i % 4 == 3) {
        if (told.reply.done) {
          QVERIFY(ours.ask(kRelease, mutex).reply.done);
          QCOMPARE(simba.contend(mutex, 2000, 4000), std::string("0:4242@10.0.0.7"));
        } else {
          simba.release(mutex);
        }
      }
    }
    QVERIFY(of_ours >= 20 && of_simba >= 20);
  }

  void withoutTheColumnForTokensATermIsItsOwnerAloneAndItIsSaid() {
    const StoreUrl url = old_database("old");
    const auto look = probe(url, {"m"});
    QVERIFY2(look.has_value(), look ? "" : look.error().c_str());
    QCOMPARE(look->remarks.size(), std::size_t{1});
    const std::string& remark = look->remarks.front();
    QVERIFY2(remark.find("no term has a token") != std::string::npos, remark.c_str());
    Client a(loop_, names_, url, "0:1@a"), b(loop_, names_, url, "0:2@b");
    QVERIFY(a.connects() && b.connects());
    const Told got = a.ask(kAcquire, "m");
    QVERIFY2(got.reply.done, got.error.c_str());
    QCOMPARE(got.reply.token, kNoToken);
    QCOMPARE(b.owner_in(b.ask(kAcquire, "m")), "0:1@a");
    QVERIFY(a.ask(kGuard, "m").reply.done);
    QVERIFY(!b.ask(kRelease, "m").reply.done);
    QVERIFY(a.ask(kRelease, "m").reply.done);
    QVERIFY(b.ask(kAcquire, "m").reply.done);
    Jdbc other(url, "other", false);
    QCOMPARE(other.ask(remark.substr(remark.find("alter table"))), std::string());
    const auto again = probe(url, {"m"});
    QVERIFY2(again.has_value() && again->remarks.empty(), again ? "" : again.error().c_str());
  }

  // The default collations compare without case; the row is one then, but its owner is one contender.
  void inSimbasOwnTableIdsAreStillComparedByteByByte() {
    const StoreUrl url = old_database("folded");
    Client upper(loop_, names_, url, "0:1@HOST"), lower(loop_, names_, url, "0:1@host");
    QVERIFY(upper.connects() && lower.connects());
    QVERIFY(upper.ask(kAcquire, "m").reply.done);
    const Told refused = lower.ask(kAcquire, "m");
    QVERIFY(!refused.reply.done);
    QCOMPARE(lower.owner_in(refused), "0:1@HOST");
    QVERIFY(!lower.ask(kGuard, "m").reply.done);
    QVERIFY(!lower.ask(kRelease, "m").reply.done);
    QCOMPARE(upper.owner_in(upper.ask(kAcquire, "M")), "0:1@HOST");
  }

  // In a zone that observes summer time the clock's expression is off by an hour when that ends.
  void theSessionIsInUtcWhateverTheServersZoneIs() {
    Jdbc other(server_.url(), "other", true);
    other.ask("set global time_zone = '-05:00'; set global log_output = 'TABLE'; set global general_log = on");
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(kAcquire, "zone", milliseconds(3000));
    other.ask("set global general_log = off; set global time_zone = 'SYSTEM'");
    QCOMPARE(
        other.ask("select count(*) from mysql.general_log where argument like 'set session time_zone = ''+00:00''%'"),
        std::string("1"));
    const auto now = std::chrono::system_clock::now().time_since_epoch() / milliseconds(1);
    const auto at = std::stoll(other.ask("select acquired_at from simba_mutex where mutex = 'zone'"));
    QVERIFY(std::abs(now - at) < 1000);
  }
};

LEASESCOPE_SUITE(MysqlRowTest)
#include "mysql_row_test.moc"
