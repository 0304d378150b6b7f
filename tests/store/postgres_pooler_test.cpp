// pgbouncer in front of a private PostgreSQL: in session mode it serves, in the others it is refused with the reason,
// whatever the size of its pool and whoever else uses it.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <atomic>
#include <thread>

#include "tests/store/postgres_kinds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const std::vector<std::string> kMutexes{"orders"};

}  // namespace

class PostgresPoolerTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer server_{postgres::store_type()};

  std::string there(const std::string& sql) { return by_hand(server_.url(), sql); }

 private slots:
  void initTestCase() { QVERIFY(server_.start().has_value()); }

  void aPoolerThatLendsSessionsIsRefusedWithTheReason_data() {
    QTest::addColumn<QString>("mode");
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("round_robin");
    for (const char* mode : {"transaction", "statement"})
      for (const int size : {1, 2, 20})
        for (const bool round_robin : {false, true})
          QTest::addRow("%s, %d%s", mode, size, round_robin ? ", in turn" : "") << QString(mode) << size << round_robin;
  }
  void aPoolerThatLendsSessionsIsRefusedWithTheReason() {
    QFETCH(QString, mode);
    QFETCH(int, size);
    QFETCH(bool, round_robin);
    there("drop table if exists simba_mutex");
    PrivateServer pooler(pgbouncer({server_.url(), mode.toStdString(), size, round_robin}));
    const auto started = pooler.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QElapsedTimer timer;
    timer.start();
    const auto looked = probe(pooler.url(), kMutexes);
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("pool_mode = session") != std::string::npos, looked.error().c_str());
    QVERIFY2(looked.error().find("LISTEN") != std::string::npos, looked.error().c_str());
    QVERIFY2(timer.elapsed() < 4000, std::to_string(timer.elapsed()).c_str());
    // Nothing was made, and no session was told anything that stays in it.
    QCOMPARE(there("select count(*) from pg_class where relname = 'simba_mutex'"), std::string("0"));
    QCOMPARE(by_hand(pooler.url(),
                     "select current_setting('lock_timeout') || current_setting('statement_timeout') || "
                     "(select count(*) from pg_listening_channels())"),
             std::string("000"));
  }

  // Its sessions go from one to the other all the time.
  void othersWhoUseThePoolerChangeNothing() {
    PrivateServer pooler(pgbouncer({server_.url(), "transaction", 3}));
    QVERIFY(pooler.start().has_value());
    std::atomic<int> notified = 0;
    std::jthread others[4];
    for (std::jthread& other : others)
      other = std::jthread([&notified, url = pooler.url()](const std::stop_token& stop) {
        postgres::Asker asker(milliseconds(60'000));
        if (!asker.connect(url)) return;
        while (!stop.stop_requested())
          if (asker.ask("select pg_notify('others', repeat('x', 100))")) ++notified;
      });
    QVERIFY2(wait_until([&] { return notified > 0; }, milliseconds(10'000)), "nobody else comes through the pooler");
    for (int i = 0; i < 3; ++i) {
      const auto looked = probe(pooler.url(), kMutexes);
      QVERIFY(!looked);
      QVERIFY2(looked.error().find("pool_mode = session") != std::string::npos, looked.error().c_str());
    }
  }

  void aPoolerThatLeavesEverybodyTheirSessionServes_data() {
    QTest::addColumn<int>("size");
    QTest::newRow("as many as are needed") << 4;
    QTest::newRow("plenty") << 20;
  }
  void aPoolerThatLeavesEverybodyTheirSessionServes() {
    QFETCH(int, size);
    there("drop table if exists simba_mutex");
    PrivateServer pooler(pgbouncer({server_.url(), "session", size}));
    QVERIFY(pooler.start().has_value());
    const auto looked = probe(pooler.url(), kMutexes);
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    Client a(loop_, names_, pooler.url(), "0:1@a"), b(loop_, names_, pooler.url(), "0:2@b");
    QVERIFY2(a.connects() && b.connects(), a.reasons.empty() ? "" : a.reasons.back().c_str());
    QCOMPARE(b.ask(RequestKind::kSubscribe, "orders").error, std::string());
    QCOMPARE(a.owner_in(a.ask(RequestKind::kAcquire, "orders")), "0:1@a");
    QCOMPARE(b.owner_in(b.ask(RequestKind::kAcquire, "orders")), "0:1@a");
    QCOMPARE(a.owner_in(a.ask(RequestKind::kGuard, "orders")), "0:1@a");
    QVERIFY(a.ask(RequestKind::kRelease, "orders").reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    const Told got = b.ask(RequestKind::kAcquire, "orders");
    QCOMPARE(b.owner_in(got), "0:2@b");
    QCOMPARE(got.reply.token, Token{2});
  }

  void aPoolerWithoutASecondSessionIsRefusedWithTheReason() {
    PrivateServer pooler(pgbouncer({server_.url(), "session", 1}));
    QVERIFY(pooler.start().has_value());
    const auto looked = probe(pooler.url(), kMutexes);
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("default_pool_size") != std::string::npos, looked.error().c_str());
  }
};

LEASESCOPE_SUITE(PostgresPoolerTest)
#include "postgres_pooler_test.moc"
