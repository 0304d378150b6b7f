// Redisson's locks on a Redis in use, as they lie there: who holds, who waits, and when that changes.
#include <QRegularExpression>

#include "core/observe/watched_row.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/foreigners.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class ForeignRedissonTest : public QObject {
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

  void redissonsLocksAreSeenFromGrantToRelease() {
    Foreigners of(loop_, redis_.url(), Foreign::kCertain);
    QVERIFY(of.is_complete());
    redisson(asker_, kClient + ":1");
    QVERIFY(of.sees_lock("orders", kClient + ":1"));
    QCOMPARE(of.system("orders"), std::string("Redisson lock"));
    // Its client's clock renews it, and another waits in line.
    told(asker_, {"RPUSH", "redisson_lock_queue:{orders}", kClient + ":2"});
    told(asker_, {"PEXPIRE", "orders", "60000"});
    QVERIFY(wait_until([&] { return of.system("orders") == "Redisson fair lock"; }, milliseconds(1000)));
    QCOMPARE(of.lock("orders")->book.last().queue, std::vector<std::string>{kClient + ":2"});
    told(asker_, {"DEL", "redisson_lock_queue:{orders}"});
    told(asker_, {"HDEL", "orders", kClient + ":1"});
    QVERIFY(of.sees_lock("orders", ""));
    told(asker_, {"SET", "redisson_lock_token:{orders}", "7"});
    redisson(asker_, kClient + ":2");
    QVERIFY(of.sees_lock("orders", kClient + ":2"));
    QCOMPARE(of.system("orders"), std::string("Redisson fenced lock"));
    QCOMPARE(of.lock("orders")->book.last().token, Token{7});
    // Its owner enters once more, by which the token rises.
    told(asker_, {"HINCRBY", "orders", kClient + ":2", "1"});
    told(asker_, {"INCR", "redisson_lock_token:{orders}"});
    QVERIFY(wait_until([&] { return of.lock("orders")->book.last().token == 8; }, milliseconds(1000)));
    QCOMPARE(of.told("orders (Redisson)"), (QStringList{"granted", "renewed", "released", "granted"}));
    QCOMPARE(of.lock("orders")->handoffs.size(), std::size_t{1});
  }
  // Its client tells those who wait, on a channel of the lock, of readers and writers, or of the first in the queue;
  // whoever gets it then tells nobody. The next poll, and the next sweep, are far away.
  void aReleaseOfRedissonsIsSeenAtOnceAndSoIsWhoGetsItThen_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("channel");
    QTest::newRow("lock") << "orders"
                          << "redisson_lock__channel:{orders}";
    QTest::newRow("braces") << "orders:{17}"
                            << "redisson_lock__channel:orders:{17}";
    QTest::newRow("braces alone") << "{orders}"
                                  << "redisson_lock__channel:{orders}";
    QTest::newRow("fair") << "orders"
                          << QString("redisson_lock__channel:{orders}:%1:2").arg(QString::fromStdString(kClient));
    QTest::newRow("readers and writers") << "docs"
                                         << "redisson_rwlock:{docs}";
  }
  void aReleaseOfRedissonsIsSeenAtOnceAndSoIsWhoGetsItThen() {
    QFETCH(const QString, key);
    QFETCH(const QString, channel);
    const std::string name = key.toStdString();
    const bool writes = channel.startsWith("redisson_rwlock");
    const auto took = [&](int thread) {
      told(asker_, {"EVAL",
                    "if ARGV[2] ~= '' then redis.call('hset', KEYS[1], 'mode', 'write') end "
                    "redis.call('hset', KEYS[1], ARGV[1] .. ARGV[2], 1) redis.call('pexpire', KEYS[1], 60000)",
                    "1", name, fmt::format("{}:{}", kClient, thread), writes ? ":write" : ""});
    };
    took(1);
    WatchTerms terms;
    terms.look.poll = terms.look.sweep = kLong;
    const Foreigners of(loop_, redis_.url(), terms);
    QVERIFY(of.sees_lock(name, kClient + ":1") && of.is_complete());
    QVERIFY(wait_until([&] { return told(asker_, {"PUBSUB", "NUMPAT"}).integer == 3; }, milliseconds(3000)));
    const auto released = [&] {
      told(asker_, {"EVAL", "redis.call('del', KEYS[1]) redis.call('publish', ARGV[1], '0')", "1", name,
                    channel.toStdString()});
    };
    released();
    QVERIFY(of.sees_lock(name, "", milliseconds(100)));
    took(2);
    QVERIFY(of.sees_lock(name, kClient + ":2", milliseconds(100)));
    released();
    took(3);
    QVERIFY(of.sees_lock(name, kClient + ":3", milliseconds(100)));
    QCOMPARE(of.watch.mutexes().size(), std::size_t{1});
    QVERIFY2(of.watch.stores()[0]->remarks.empty(), "something is refused");
  }
  // Anybody may publish there: one lock is looked at every 5 ms at most, and what is none is not looked at.
  void aFloodOfReleasesCostsFewLooks() {
    redisson(asker_, kClient + ":1");
    WatchTerms terms;
    terms.look.poll = terms.look.sweep = kLong;
    const Foreigners of(loop_, redis_.url(), terms);
    QVERIFY(of.sees_lock("orders", kClient + ":1") && of.is_complete());
    QVERIFY(wait_until([&] { return told(asker_, {"PUBSUB", "NUMPAT"}).integer == 3; }, milliseconds(3000)));
    told(asker_, {"CONFIG", "RESETSTAT"});
    const TrueTime began = loop_.now();
    for (int i = 0; i < 100; ++i) {
      told(asker_, {"EVAL",
                    "for i = 1, 50 do redis.call('publish', 'redisson_lock__channel:{orders}', '0') "
                    "redis.call('publish', 'redisson_lock__channel:{' .. i .. '}', '0') end",
                    "0"});
      wait_until([] { return false; }, milliseconds(5));
    }
    wait_until([] { return false; }, milliseconds(400));  // until no more follow
    const std::int64_t spent = (loop_.now() - began) / milliseconds(1);
    const QString stats = QString::fromStdString(told(asker_, {"INFO", "commandstats"}).text);
    const auto found = QRegularExpression(QStringLiteral("cmdstat_hgetall:calls=(\\d+)")).match(stats);
    QVERIFY2(found.hasMatch(), qPrintable(stats));
    const std::int64_t looks = found.captured(1).toLongLong() / 2;  // each asks twice
    QVERIFY2(looks >= 2 && looks <= spent / 5 + 10, std::to_string(looks).c_str());
    QCOMPARE(of.lock("orders")->book.last().owner, kClient + ":1");
  }
  // Since when nobody held it: not since the last look at it, as there was none.
  void aGrantLiesAfterTheLastTimeAllKeysWereGoneThrough() {
    Foreigners of(loop_, redis_.url(), Foreign::kCertain);
    QVERIFY(of.is_complete());
    wait_until([] { return false; }, milliseconds(1000));
    const TrueTime before = loop_.now();
    redisson(asker_, kClient + ":1");
    QVERIFY(of.sees_lock("orders", kClient + ":1"));
    const SeenMutex& book = of.lock("orders")->book;
    QVERIFY(book.since_lo() <= before && book.since_lo() > before - milliseconds(1000));
    QVERIFY(book.since_hi() >= before);
  }
  void whoReadsBesideOthersComesAndGoesAlone() {
    const std::string a = kClient + ":1", b = kClient + ":2";
    told(asker_, {"HSET", "docs", "mode", "read", a, "1"});
    told(asker_, {"PEXPIRE", "docs", "60000"});
    Foreigners of(loop_, redis_.url(), Foreign::kCertain);
    QVERIFY(of.sees_lock("docs", a));
    told(asker_, {"HSET", "docs", b, "1"});
    QVERIFY(of.sees_lock("docs", a + ", " + b));
    told(asker_, {"HDEL", "docs", a});
    QVERIFY(of.sees_lock("docs", b));
    QCOMPARE(of.told("docs (Redisson)"), (QStringList{"granted", "granted", "released"}));
    QVERIFY(of.lock("docs")->handoffs.empty());
    const std::vector<WatchedTerm>& terms = of.lock("docs")->terms;
    const NameTable& names = of.watch.seen_history().names;
    QCOMPARE(terms.size(), std::size_t{2});
    QVERIFY(names.text(terms[0].owner) == a && terms[0].end != TrueTime::max());
    QVERIFY(names.text(terms[1].owner) == b && terms[1].end == TrueTime::max());
  }
  // Each of them with all of its keys, by a name without braces and by one with them: what belongs to a lock is none.
  void redissonsLocksAreKnownByAllTheirKeys_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("wrapped");  // as its other keys have it
    QTest::newRow("plain") << "orders"
                           << "{orders}";
    QTest::newRow("a part in braces") << "orders:{17}"
                                      << "orders:{17}";
    QTest::newRow("braces alone") << "{orders}"
                                  << "{orders}";
  }
  void redissonsLocksAreKnownByAllTheirKeys() {
    QFETCH(const QString, name);
    QFETCH(const QString, wrapped);
    const std::string key = name.toStdString(), other = wrapped.toStdString();
    const std::string a = kClient + ":1", b = kClient + ":2", soon = "1764345600000";
    const auto held = [&](const redis::Asker::Words& fields) {
      redis::Asker::Words words{"HSET", key};
      words.insert(words.end(), fields.begin(), fields.end());
      told(asker_, words);
      told(asker_, {"PEXPIRE", key, "60000"});
    };
    const auto hold = [&](const std::string& who, int number) {
      told(asker_, {"SET", fmt::format("{}:{}:rwlock_timeout:{}", other, who, number), "1", "PX", "60000"});
    };
    // What it is, by its maker's word, while that is all there is.
    const auto is = [&](const std::string& system, const std::string& lock) {
      Foreigners of(loop_, redis_.url(), Foreign::kLikely);
      if (!of.is_complete() || of.watch.mutexes().size() != 1 || of.lock(lock) == nullptr) return Sighting();
      return of.system(lock) == system ? of.lock(lock)->book.last() : Sighting();
    };
    // For one round trip, whenever one of them is released.
    const auto latched = [&] {
      told(asker_, {"SET", fmt::format("redisson_unlock_latch:{}:0f1e2d3c4b5a49788796a5b4c3d2e1f0", other), "1", "PX",
                    "60000"});
    };
    held({a, "2"});
    latched();
    QCOMPARE(is("Redisson lock", key).owner, a);
    told(asker_, {"SET", "redisson_lock_token:" + other, "7"});
    const Sighting fenced = is("Redisson fenced lock", key);
    QVERIFY(fenced.owner == a && fenced.token == Token{7});

    told(asker_, {"FLUSHALL"});
    held({a, "1"});
    told(asker_, {"RPUSH", "redisson_lock_queue:" + other, b, kClient + ":3"});
    told(asker_, {"ZADD", "redisson_lock_timeout:" + other, soon, b, soon, kClient + ":3"});
    latched();
    const Sighting fair = is("Redisson fair lock", key);
    QVERIFY(fair.owner == a && fair.waiters == std::optional<std::uint32_t>(2));
    QCOMPARE(fair.queue, (std::vector<std::string>{b, kClient + ":3"}));

    told(asker_, {"FLUSHALL"});
    held({"mode", "read", a, "2", b, "1"});
    for (const int number : {1, 2}) hold(a, number);
    hold(b, 1);
    latched();
    const Sighting readers = is("Redisson read-write lock", key);
    QCOMPARE(readers.holders, (std::vector<std::string>{a, b}));

    told(asker_, {"FLUSHALL"});
    held({"mode", "write", a + ":write", "1", a, "1"});  // it reads besides
    hold(a, 1);
    latched();
    const Sighting writer = is("Redisson read-write lock", key);
    QVERIFY(writer.owner == a && !writer.is_shared());

    told(asker_, {"FLUSHALL"});
    told(asker_, {"SET", key, "3"});
    told(asker_, {"ZADD", other + ":timeout", soon, std::string(16, 'p'), soon, std::string(16, 'q')});
    const Sighting permits = is("Redisson semaphore, likely", other + ":timeout");
    QVERIFY(permits.held == 2 && permits.permits == std::optional<std::uint32_t>(5));
  }
  // How many are left is a number like others, where nobody says until when.
  void permitsWithoutAnEndAreNoLock() {
    told(asker_, {"SET", "pool", "3"});
    Foreigners of(loop_, redis_.url(), Foreign::kLikely);
    QVERIFY(of.is_complete() && of.watch.mutexes().empty());
  }
  void permitsThatAreLeftAreCounted() {
    const std::string key = "{pool}:timeout";
    told(asker_, {"SET", "pool", "3"});
    told(asker_, {"ZADD", key, "1764345600000", std::string(16, 'p'), "1764345600000", std::string(16, 'q')});
    Foreigners of(loop_, redis_.url(), Foreign::kLikely);
    QVERIFY(of.is_complete() && of.lock(key) != nullptr);
    const WatchedRow row = row_of(*of.lock(key), loop_.now());
    QCOMPARE(row.held, 2U);
    QCOMPARE(row.permits, std::optional<std::uint32_t>(5));
    QVERIFY2(row.owner.find("2 of 5: 7070") == 0, row.owner.c_str());
  }
};

LEASESCOPE_SUITE(ForeignRedissonTest)
#include "foreign_redisson_test.moc"
