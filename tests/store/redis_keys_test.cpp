#include "core/store/redis/store_type.h"
#include "tests/store/ruled.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

// What becomes of a term whose keys somebody has changed or lost: evicted, deleted by hand, restored.
class RedisKeysTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  Ruled server_{redis::store_type()};

  std::string key(const std::string& mutex, const std::string& part = {}) { return "simba:{" + mutex + "}" + part; }
  std::string get(const std::string& name) { return server_.redis({"GET", name}); }
  static constexpr const char* kNothing = "0";  // as Ruled tells it

 private slots:
  void initTestCase() {
    QVERIFY(server_.started());
    QVERIFY(probe(server_.url()).has_value());
  }

  // It would else go on without one, every write of its refused, and nobody else get in.
  void aTokenThatWasLostIsTakenAnewByItsOwner() {
    Client a(loop_, names_, server_.url(), "0:1@a"), b(loop_, names_, server_.url(), "0:1@b");
    QVERIFY(a.connects() && b.connects());
    QCOMPARE(a.ask(RequestKind::kAcquire, "lost").reply.token, Token{1});
    server_.redis({"DEL", key("lost", ":token")});
    const Told other = b.ask(RequestKind::kAcquire, "lost");
    QVERIFY(!other.reply.done);
    const Told guarded = a.ask(RequestKind::kGuard, "lost");
    QVERIFY(guarded.reply.done);
    QCOMPARE(a.owner_in(guarded), "0:1@a");
    QCOMPARE(guarded.reply.token, Token{2});
    QCOMPARE(get(key("lost", ":token")), std::string("2"));
    QVERIFY(a.ask(RequestKind::kRelease, "lost").reply.done);
    QCOMPARE(b.ask(RequestKind::kAcquire, "lost").reply.token, Token{3});
  }

  void aReleaseWhoseTokenWasLostFreesTheOwnLeaseAndNoOther() {
    Client a(loop_, names_, server_.url(), "0:1@a"), b(loop_, names_, server_.url(), "0:1@b");
    QVERIFY(a.connects() && b.connects());
    a.ask(RequestKind::kAcquire, "freed");
    server_.redis({"DEL", key("freed", ":token")});
    QVERIFY(!b.ask(RequestKind::kRelease, "freed").reply.done);
    QCOMPARE(get(key("freed")), std::string("0:1@a"));
    QVERIFY(a.ask(RequestKind::kRelease, "freed").reply.done);
    QCOMPARE(get(key("freed")), std::string(kNothing));
  }

  // An attempt that loses takes no token: the fence is where the owner's is.
  void whoDoesNotGetTheMutexMovesNoFence() {
    Client a(loop_, names_, server_.url(), "0:1@a"), b(loop_, names_, server_.url(), "0:1@b");
    QVERIFY(a.connects() && b.connects());
    a.ask(RequestKind::kAcquire, "still");
    for (int i = 0; i < 5; ++i) QVERIFY(!b.ask(RequestKind::kAcquire, "still").reply.done);
    QCOMPARE(get(key("still", ":fence")), std::string("1"));
  }

  void aBrokenFenceGivesNoLease_data() {
    QTest::addColumn<QString>("fence");
    QTest::newRow("a text") << "seven";
    QTest::newRow("below nothing") << "-5";
    QTest::newRow("where doubles end") << "9007199254740991";
    QTest::newRow("where numbers end") << "9223372036854775807";
    QTest::newRow("a list") << QString();
  }
  // Two terms would have one token, or one that no resource takes.
  void aBrokenFenceGivesNoLease() {
    QFETCH(QString, fence);
    const std::string mutex = std::string("broken ") + QTest::currentDataTag();
    const std::string counter = key(mutex, ":fence");
    if (fence.isEmpty())
      server_.redis({"LPUSH", counter, "1"});
    else
      server_.redis({"SET", counter, fence.toStdString()});
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    const Told refused = a.ask(RequestKind::kAcquire, mutex);
    QCOMPARE(refused.reply.ending, Ending::kFailed);
    const char* const words = fence.isEmpty() ? "WRONGTYPE" : "is broken: expected a whole number from 0 to 2^53 - 2";
    QVERIFY2(refused.error.find(words) != std::string::npos, refused.error.c_str());
    QCOMPARE(get(key(mutex)), std::string(kNothing));
    QCOMPARE(get(key(mutex, ":token")), std::string(kNothing));
  }
};

LEASESCOPE_SUITE(RedisKeysTest)
#include "redis_keys_test.moc"
