// The locks of other makers on servers in use: who holds, who waits, and when that changes; those of redis-py and kazoo
// by themselves, the others as they lie there.
#include <QCryptographicHash>
#include <QProcess>
#include <QRegularExpression>
#include <QUuid>
#include <array>
#include <map>
#include <thread>

#include "core/observe/watched_row.h"
#include "core/store/mysql/asker.h"
#include "core/store/postgres/asker.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/mysql_kinds.h"
#include "tests/store/uuid_by_time.h"
#include "tests/store/watching.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const std::string kClient = "b9a1c2d3-0f1e-4a5b-8c7d-112233445566";
const std::string kNode = "_c_" + kClient + "-";
constexpr milliseconds kLong{60'000};

// Of a path, its last name.
std::string last_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// A watch of the locks of others, by their makers' names for them.
struct Foreigners : Watching {
  Foreigners(QtLoop& loop, const StoreUrl& url, Foreign foreign) : Watching(loop, url, terms(foreign)) {}
  Foreigners(QtLoop& loop, const StoreUrl& url, const WatchTerms& terms) : Watching(loop, url, terms) {}
  static WatchTerms terms(Foreign foreign) {
    WatchTerms out;
    out.look.foreign = foreign;
    out.look.sweep = milliseconds(400);
    return out;
  }
  const WatchedMutex* lock(const std::string& name) const {
    for (const auto& each : watch.mutexes())
      if (each->name == name && !each->maker.empty()) return each.get();
    return nullptr;
  }
  bool sees_lock(const std::string& name, const std::string& owner, milliseconds within = milliseconds(4000)) const {
    return wait_until(
        [&] {
          const WatchedMutex* const of = lock(name);
          return of != nullptr && of->book.known() != SeenMutex::Known::kNothing && of->book.last().owner == owner;
        },
        within);
  }
  std::string system(const std::string& name) const {
    const WatchedMutex* const of = lock(name);
    return of == nullptr ? std::string() : system_text(of->book.last());
  }
  // Whose owner is like "pid * tester".
  bool sees_somebody(const std::string& name) const {
    return wait_until([&] { return lock(name) != nullptr && !lock(name)->book.last().owner.empty(); },
                      milliseconds(4000));
  }
  bool is_complete() const {
    return wait_until([&] { return watch.complete(); }, milliseconds(5000));
  }
};

// Somebody else's client, which holds until it is told to stop.
struct Holder {
  QProcess process;
  Holder(const QString& maker, const StoreUrl& url, const QString& name) {
    const Endpoint& at = url.endpoint;
    const QString address = at.unix_path.empty()
                                ? QStringLiteral("%1:%2").arg(QString::fromStdString(at.host)).arg(at.port)
                                : QString::fromStdString(at.unix_path);
    // Whose packages are Debian's.
    process.start(
        QStringLiteral("/usr/bin/python3"),
        {QString::fromUtf8(kSourceFolder) + QStringLiteral("/tests/store/peers/hold_lock.py"), maker, address, name});
  }
  bool said(const QByteArray& word) {
    return wait_until(
        [&] {
          heard += process.readAllStandardOutput();
          return heard.contains(word);
        },
        milliseconds(20'000));
  }
  bool releases() {
    process.closeWriteChannel();
    return said("free");
  }
  ~Holder() {
    process.kill();
    process.waitForFinished();
  }
  QByteArray heard;
};

// As the locks of MySQL name it.
std::string connection_of(mysql::Asker& server) {
  const auto row = server.ask("select concat('connection ', connection_id(), ' ', current_user())");
  if (!row) qFatal("%s", row.error().message.c_str());
  return row->front();
}

}  // namespace

class ForeignTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PrivateServer redis_{redis::store_type()}, postgres_{postgres::store_type()}, mysql_{mysql_with_schema()},
      zookeeper_{zookeeper::store_type()};
  redis::Asker asker_{milliseconds(60'000)};

  // As its client takes it.
  void redisson(const std::string& owner) {
    told(asker_,
         {"EVAL", "redis.call('hset', 'orders', ARGV[1], 1) redis.call('pexpire', 'orders', 30000)", "0", owner});
  }

 private slots:
  void initTestCase() {
    for (PrivateServer* server : {&redis_, &postgres_, &mysql_, &zookeeper_}) {
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    }
    QVERIFY(asker_.connect(redis_.url()).has_value());
  }
  void init() { told(asker_, {"FLUSHALL"}); }

  void aLockOfRedisPyIsSeenAndItsReleaseToo() {
    Holder holder(QStringLiteral("redis-py"), redis_.url(), QStringLiteral("jobs:nightly"));
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
  void redissonsLocksAreSeenFromGrantToRelease() {
    Foreigners of(loop_, redis_.url(), Foreign::kCertain);
    QVERIFY(of.is_complete());
    redisson(kClient + ":1");
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
    redisson(kClient + ":2");
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
    redisson(kClient + ":1");
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
    redisson(kClient + ":1");
    QVERIFY(of.sees_lock("orders", kClient + ":1"));
    const SeenMutex& book = of.lock("orders")->book;
    QVERIFY(book.since_lo() <= before && book.since_lo() > before - milliseconds(1000));
    QVERIFY(book.since_hi() >= before);
  }
  void oneNameOfTwoMakersIsTwoMutexes() {
    redisson(kClient + ":1");
    told(asker_, {"SET", "simba:{orders}", "a", "PX", "30000"});
    Foreigners of(loop_, redis_.url(), Foreign::kCertain);
    QVERIFY(of.sees_lock("orders", kClient + ":1"));
    QVERIFY(of.sees("orders", "a"));
    QCOMPARE(of.watch.mutexes().size(), std::size_t{2});
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
    const std::deque<WatchedTerm>& terms = of.lock("docs")->terms;
    QCOMPARE(terms.size(), std::size_t{2});
    QVERIFY(terms[0].owner == a && terms[0].end != TrueTime::max());
    QVERIFY(terms[1].owner == b && terms[1].end == TrueTime::max());
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
    redisson(kClient + ":1");
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

  void kazoosLockIsSeenAndItsReleaseAtOnce() {
    Holder holder(QStringLiteral("kazoo"), zookeeper_.url(), QStringLiteral("/jobs/nightly"));
    QVERIFY2(holder.said("held"), holder.process.readAllStandardError().constData());
    Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(of.sees_somebody("/jobs/nightly"));
    QCOMPARE(of.system("/jobs/nightly"), std::string("kazoo lock"));
    const Sighting seen = of.lock("/jobs/nightly")->book.last();
    QVERIFY2(seen.owner.find("api-2 (session 0x") == 0, seen.owner.c_str());
    QVERIFY(seen.token != kNoToken);
    QVERIFY(holder.releases());
    QVERIFY(of.sees_lock("/jobs/nightly", "", milliseconds(100)));
  }
  void curatorsMutexItsLatchAndItsReadersAreSeenWithWhoWaits() {
    zookeeper::Asker a(milliseconds(60'000)), b(milliseconds(60'000));
    QVERIFY(a.connect(zookeeper_.url()).has_value() && b.connect(zookeeper_.url()).has_value());
    const auto made = [](zookeeper::Asker& who, const std::string& path, const std::string& data, bool stays) {
      const auto node =
          who.create(path, data, stays ? zookeeper::Session::Kind::kContainer : zookeeper::Session::Kind::kNumbered);
      if (!node) qFatal("%s: %s", path.c_str(), node.error().c_str());
      return *node;
    };
    for (const char* folder : {"/app", "/app/lock", "/app/leader", "/app/docs"}) made(a, folder, "", true);
    const std::string first = made(a, "/app/lock/" + kNode + "lock-", "10.0.0.1", false);
    made(b, "/app/lock/" + kNode + "lock-", "10.0.0.1", false);  // of the same host
    made(a, "/app/leader/" + kNode + "latch-", "api-2", false);
    made(a, "/app/docs/" + kNode + "__READ__", "10.0.0.1", false);
    made(b, "/app/docs/" + kNode + "__READ__", "10.0.0.2", false);
    made(b, "/app/docs/" + kNode + "__WRIT__", "10.0.0.2", false);
    Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(of.sees_lock("/app/leader", "api-2"));
    QVERIFY(of.sees_somebody("/app/lock") && of.sees_somebody("/app/docs"));
    QCOMPARE(of.system("/app/lock"), std::string("Curator mutex"));
    QCOMPARE(of.system("/app/leader"), std::string("Curator leader latch"));
    QCOMPARE(of.system("/app/docs"), std::string("Curator read-write lock"));
    QCOMPARE(*of.lock("/app/lock")->book.last().waiters, 1U);
    QCOMPARE(*of.lock("/app/docs")->book.last().waiters, 1U);
    const std::string readers = of.lock("/app/docs")->book.last().owner;
    QVERIFY2(readers.find("10.0.0.1") != std::string::npos && readers.find("10.0.0.2") != std::string::npos,
             readers.c_str());
    QCOMPARE(of.lock("/app/docs")->book.last().holders.size(), std::size_t{2});
    QVERIFY(!of.lock("/app/lock")->book.last().is_shared());
    // Two clients of one host are told apart by their sessions.
    QVERIFY(a.remove(first).has_value());
    QVERIFY(wait_until([&] { return of.lock("/app/lock")->handoffs.size() == 1; }, milliseconds(100)));
  }
  // As InterProcessSemaphoreV2 lies there: who holds has a node in its folder "leases"; who wants one stands in a
  // mutex, its folder "locks", whose holder makes such a node too and waits there until one of the others goes.
  void curatorsSemaphoreIsOneWithBothItsFolders_data() {
    QTest::addColumn<QString>("asked");
    for (const char* asked : {"", "/pool", "/pool/leases", "/pool/locks"}) QTest::newRow(asked) << asked;
  }
  void curatorsSemaphoreIsOneWithBothItsFolders() {
    QFETCH(const QString, asked);
    using Kind = zookeeper::Session::Kind;
    std::array<zookeeper::Asker, 4> clients{zookeeper::Asker(kLong), zookeeper::Asker(kLong), zookeeper::Asker(kLong),
                                            zookeeper::Asker(kLong)};
    for (zookeeper::Asker& each : clients) QVERIFY(each.connect(zookeeper_.url()).has_value());
    for (const char* folder : {"/pool", "/pool/leases", "/pool/locks"})
      QVERIFY(clients[0].create(folder, "", Kind::kContainer).has_value());
    const auto stands = [&](std::size_t who, const std::string& mark) {
      const std::string line = mark == "lease-" ? "/pool/leases/" : "/pool/locks/";
      const auto node = clients[who].create(line + kNode + mark, fmt::format("10.0.0.{}", who + 1), Kind::kNumbered);
      if (!node) qFatal("%s", node.error().c_str());
      return *node;
    };
    const std::string a = stands(0, "lease-"), b = stands(1, "lease-");
    const std::string third = stands(2, "lock-");
    stands(2, "lease-");
    const std::string fourth = stands(3, "lock-");
    WatchTerms terms = Foreigners::terms(Foreign::kCertain);
    if (!asked.isEmpty()) terms.look.mutexes = {asked.toStdString()};
    const Foreigners of(loop_, zookeeper_.url(), terms);
    QVERIFY(of.is_complete() && of.sees_somebody("/pool"));
    QCOMPARE(of.system("/pool"), std::string("Curator semaphore"));
    QVERIFY2(of.lock("/pool/locks") == nullptr && of.lock("/pool/leases") == nullptr, "its folders are none");
    const auto seen = [&] { return of.lock("/pool")->book.last(); };
    QCOMPARE(seen().held, 2U);
    QCOMPARE(seen().waiters, std::optional<std::uint32_t>(2));
    QCOMPARE(seen().queue, (std::vector<std::string>{last_of(third), last_of(fourth)}));
    QVERIFY2(seen().owner.find("10.0.0.1 (session 0x") == 0 && seen().owner.find("10.0.0.2 (") != std::string::npos,
             seen().owner.c_str());
    QVERIFY2(of.watch.stores()[0]->remarks.empty(), "a path is no latch's name");
    // One goes, so that the third holds and leaves the mutex; the fourth comes first, and makes its node.
    QVERIFY(clients[0].remove(a).has_value() && clients[2].remove(third).has_value());
    const auto has_third = [&] { return seen().held == 2 && seen().owner.find("10.0.0.3 (") != std::string::npos; };
    QVERIFY(wait_until([&] { return has_third() && seen().waiters == 1U; }, milliseconds(200)));
    stands(3, "lease-");
    wait_until([] { return false; }, milliseconds(300));
    QVERIFY(has_third() && seen().waiters == 1U);
    // Whoever gives up leaves both.
    QVERIFY(clients[3].remove(fourth).has_value());
    QVERIFY(wait_until([&] { return seen().waiters == 0U; }, milliseconds(200)));
    QVERIFY(of.lock("/pool/locks") == nullptr);
  }
  // The first who takes one stands in the mutex before there are leases.
  void whatIsMetBeforeItsLeasesIsNoMutexAnyMore() {
    using Kind = zookeeper::Session::Kind;
    zookeeper::Asker a(kLong);
    QVERIFY(a.connect(zookeeper_.url()).has_value());
    for (const char* folder : {"/new", "/new/locks"}) QVERIFY(a.create(folder, "", Kind::kContainer).has_value());
    const auto lock = a.create("/new/locks/" + kNode + "lock-", "10.0.0.1", Kind::kNumbered);
    Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(lock.has_value() && of.sees_somebody("/new/locks"));
    QVERIFY(a.create("/new/leases", "", Kind::kContainer).has_value());
    QVERIFY(a.create("/new/leases/" + kNode + "lease-", "10.0.0.1", Kind::kNumbered).has_value());
    QVERIFY(a.remove(*lock).has_value());
    QVERIFY(of.sees_somebody("/new"));
    QCOMPARE(of.system("/new"), std::string("Curator semaphore"));
    QVERIFY(of.lock("/new/locks")->book.known() == SeenMutex::Known::kNothing);
  }
  // A mutex may have that name, beside something else that is called leases.
  void aMutexThatIsCalledLocksIsOne_data() {
    QTest::addColumn<QString>("beside");
    QTest::newRow("alone") << "";
    QTest::newRow("beside others") << "/rent/leases/contract";
  }
  void aMutexThatIsCalledLocksIsOne() {
    QFETCH(const QString, beside);
    using Kind = zookeeper::Session::Kind;
    zookeeper::Asker a(kLong);
    QVERIFY(a.connect(zookeeper_.url()).has_value());
    for (const char* folder : {"/rent", "/rent/locks"}) QVERIFY(a.create(folder, "", Kind::kContainer).has_value());
    if (!beside.isEmpty())
      for (const std::string& folder : {std::string("/rent/leases"), beside.toStdString()})
        QVERIFY(a.create(folder, "", Kind::kContainer).has_value());
    QVERIFY(a.create("/rent/locks/" + kNode + "lock-", "10.0.0.1", Kind::kNumbered).has_value());
    const Foreigners of(loop_, zookeeper_.url(), Foreign::kCertain);
    QVERIFY(of.sees_somebody("/rent/locks"));
    QCOMPARE(of.system("/rent/locks"), std::string("Curator mutex"));
    QVERIFY(of.lock("/rent") == nullptr);
  }
};

LEASESCOPE_SUITE(ForeignTest)
#include "foreign_test.moc"
