// The locks of other makers among everything else of a store in use: which are seen, which only look like one, and what
// a gap leaves of them; redis-py's by itself. Redisson's, those of SQL and those of ZooKeeper have suites of their own.
#include <QCryptographicHash>
#include <QUuid>
#include <map>

#include "core/store/postgres/asker.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/foreigners.h"
#include "tests/store/uuid_by_time.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class ForeignTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PrivateServer redis_{redis::store_type()};
  redis::Asker asker_{milliseconds(60'000)};

 private slots:
  void initTestCase() {
    const auto started = redis_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QVERIFY(asker_.connect(redis_.url()).has_value());
  }
  void init() { told(asker_, {"FLUSHALL"}); }

  void aLockOfRedisPyIsSeenAndItsReleaseToo() {
    ForeignHolder holder(QStringLiteral("redis-py"), redis_.url(), QStringLiteral("jobs:nightly"));
    QVERIFY2(holder.said("held"), holder.process.readAllStandardError().constData());
    Foreigners of(loop_, redis_.url(), Foreign::kLikely);
    QVERIFY(of.sees_somebody("jobs:nightly"));
    const Sighting seen = of.lock("jobs:nightly")->book.last();
    QCOMPARE(of.system("jobs:nightly"), std::string("redis-py lock, likely"));
    QVERIFY(seen.left && *seen.left > milliseconds(10'000) && *seen.left <= milliseconds(20'000));
    QVERIFY2(seen.raw.size() == 3 && seen.raw[1].second.compare(0, 2, "20") == 0, "when it was made");
    QVERIFY(holder.releases());
    QVERIFY(of.sees_lock("jobs:nightly", "", kPoll + milliseconds(300)));
    QCOMPARE(of.told("jobs:nightly (redis-py, likely)"), (QStringList{"granted", "released"}));
  }
  // What only looks like a lock is not told of unless it is asked for.
  void whatOnlyLooksLikeOneIsLeftOutWhereNobodyAsksForIt() {
    told(asker_, {"SET", "job", "0f1e2d3c4b5a49788796a5b4c3d2e1f0", "PX", "8000"});
    told(asker_, {"SET", "task", "3q2+7wAAAAAAAAAAAAAAAA==", "PX", "8000"});
    Foreigners certain(loop_, redis_.url(), Foreign::kCertain), likely(loop_, redis_.url(), Foreign::kLikely);
    QVERIFY(certain.is_complete() && likely.is_complete());
    QCOMPARE(certain.watch.mutexes().size(), std::size_t{0});
    QCOMPARE(likely.system("job"), std::string("node-redlock lock, likely"));
    QCOMPARE(likely.system("task"), std::string("redsync lock, likely"));
  }
  void oneNameOfTwoMakersIsTwoMutexes() {
    redisson(asker_, kClient + ":1");
    told(asker_, {"SET", "simba:{orders}", "a", "PX", "30000"});
    Foreigners of(loop_, redis_.url(), Foreign::kCertain);
    QVERIFY(of.sees_lock("orders", kClient + ":1"));
    QVERIFY(of.sees("orders", "a"));
    QCOMPARE(of.watch.mutexes().size(), std::size_t{2});
  }
  void ofAThousandOrdinaryKeysNoneIsTakenForALock() {
    for (int i = 0; i < 250; ++i) {
      const std::string number = std::to_string(i);
      told(asker_, {"SET", "counter:" + number, number});
      told(asker_, {"SET", "session:" + number, std::string(32, 'z') + number, "PX", "60000"});
      told(asker_, {"HSET", "user:" + number, "name", "Ann", kClient, number});
      told(asker_, {"RPUSH", "queue:" + number, kClient + ":1"});
    }
    // Who has seen what, for a day.
    told(asker_, {"HSET", "views", kClient + ":17", "1", kClient + ":18", "4"});
    told(asker_, {"PEXPIRE", "views", "60000"});
    Foreigners of(loop_, redis_.url(), Foreign::kLikely);
    QVERIFY(of.is_complete());
    QCOMPARE(of.watch.mutexes().size(), std::size_t{0});
  }
  // Of the same length and alphabet as the secret of a lock, with an end: nobody can tell which of these is one.
  void ofAThousandKeysThatLookLikeOneNoneIsTakenForALockWhereItIsNotAskedFor() {
    const auto md5 = [](const std::string& of) {
      return QCryptographicHash::hash(QByteArray::fromStdString(of), QCryptographicHash::Md5);
    };
    for (int i = 0; i < 100; ++i) {
      const std::string number = std::to_string(i), drawn = QUuid::createUuid().toString(QUuid::Id128).toStdString();
      const std::string of_now = uuid_by_time("02:42:ac:11:00:02");
      const std::string sha1 =
          QCryptographicHash::hash("x" + QByteArray::number(i), QCryptographicHash::Sha1).toBase64().toStdString();
      const std::pair<const char*, std::string> values[] = {{"md5", md5(number).toHex().toStdString()},
                                                            {"session", md5("s" + number).toHex().toStdString()},
                                                            {"uuid4", drawn},
                                                            {"uuid1", of_now},
                                                            {"base64", md5(number).toBase64().toStdString()},
                                                            {"written4", with_dashes(drawn)},
                                                            {"written1", with_dashes(of_now)},
                                                            {"sha1", sha1},
                                                            {"counter", number},
                                                            {"json", R"({"user":)" + number + "}"}};
      for (const auto& [kind, value] : values)
        told(asker_, {"SET", fmt::format("{}:{}", kind, i), value, "PX", "60000"});
    }
    QCOMPARE(told(asker_, {"DBSIZE"}).integer, std::int64_t{1000});
    Foreigners standard(loop_, redis_.url(), WatchTerms{});
    QVERIFY(standard.is_complete());
    QCOMPARE(standard.watch.mutexes().size(), std::size_t{0});
    Foreigners likely(loop_, redis_.url(), Foreign::kLikely);
    QVERIFY(likely.is_complete());
    std::map<std::string, int> seen;
    for (const auto& each : likely.watch.mutexes())
      ++seen[each->name.substr(0, each->name.find(':')) + ": " + system_text(each->book.last())];
    const std::map<std::string, int> expected{{"md5: node-redlock lock, likely", 100},
                                              {"session: node-redlock lock, likely", 100},
                                              {"uuid4: node-redlock lock, likely", 100},
                                              {"uuid1: redis-py lock, likely", 100},
                                              {"base64: redsync lock, likely", 100}};
    QCOMPARE(seen, expected);
  }
  // What lies in a key may be larger than anything a lock has.
  void hugeKeysBreakNothingForLong() {
    const std::string huge(5'000'000, 'x');
    told(asker_, {"SET", "blob", huge});
    told(asker_, {"HSET", "page", "text", huge});
    told(asker_, {"HSET", "page-of-somebody", kClient + ":1", huge});  // read, as a lock would be, and left alone then
    for (int i = 0; i < 200; ++i) told(asker_, {"SET", std::to_string(i) + huge.substr(0, 40'000), "1"});
    redisson(asker_, kClient + ":1");
    Foreigners of(loop_, redis_.url(), Foreign::kLikely);
    QVERIFY(of.sees_lock("orders", kClient + ":1", milliseconds(15'000)));
    QVERIFY(wait_until([&] { return of.watch.complete(); }, milliseconds(30'000)));
    QCOMPARE(of.watch.mutexes().size(), std::size_t{1});
    QVERIFY(!of.watch.stores()[0]->blind);
  }
  // Who was gone before the server was away is not unknown for ever after it, nor is it free while it is away.
  void aGapEndsForThoseThatNobodyHoldsToo_data() {
    QTest::addColumn<QString>("store");
    for (const char* store : {"redis", "postgres"}) QTest::newRow(store) << store;
  }
  void aGapEndsForThoseThatNobodyHoldsToo() {
    QFETCH(const QString, store);
    const bool sql = store == "postgres";
    PrivateServer own(sql ? postgres::store_type() : redis::store_type(), {.remembers = true});
    QVERIFY(own.start().has_value());
    redis::Asker at_redis(milliseconds(60'000));
    postgres::Asker at_postgres(milliseconds(60'000));
    if (sql) {
      QVERIFY(at_postgres.connect(own.url()).has_value());
      carried_out(at_postgres, "select pg_advisory_lock(5)");
    } else {
      QVERIFY(at_redis.connect(own.url()).has_value());
      told(at_redis, {"HSET", "5", kClient + ":1", "1"});
      told(at_redis, {"PEXPIRE", "5", "60000"});
    }
    Foreigners of(loop_, own.url(), Foreign::kCertain);
    QVERIFY(of.sees_somebody("5"));
    sql ? carried_out(at_postgres, "select pg_advisory_unlock(5)") : void(told(at_redis, {"DEL", "5"}));
    QVERIFY(of.sees_lock("5", ""));
    own.kill();
    QVERIFY(wait_until([&] { return of.lock("5")->book.known() == SeenMutex::Known::kNothing; }, milliseconds(5000)));
    QVERIFY(own.start_again().has_value());
    QVERIFY(of.sees_lock("5", "", milliseconds(8000)));
  }
};

LEASESCOPE_SUITE(ForeignTest)
#include "foreign_test.moc"
