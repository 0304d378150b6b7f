#include "simulator/live/push_filter.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

struct Passed {
  std::string out;
  std::vector<std::string> dropped;
};

// Fed in pieces of `size` bytes, as a network may deliver it.
Passed fed(StoreKind kind, const std::string& bytes, std::size_t size, bool drop) {
  const auto filter = make_push_filter(kind);
  Passed passed;
  for (std::size_t at = 0; at < bytes.size(); at += size)
    passed.out +=
        filter->pass(bytes.substr(at, size), drop, [&](std::string_view body) { passed.dropped.emplace_back(body); });
  return passed;
}

const std::string kSubscribed = "*3\r\n$9\r\nsubscribe\r\n$9\r\nsimba:{m}\r\n:1\r\n";
const std::string kMessage = "*3\r\n$7\r\nmessage\r\n$9\r\nsimba:{m}\r\n$13\r\nacquired@@0:1\r\n";

std::string frame(char type, const std::string& body) {
  const std::size_t length = body.size() + 4;
  std::string out(1, type);
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(length >> shift & 0xff);
  return out + body;
}

const std::string kReady = frame('Z', "I");
const std::string kNotice = frame('A', std::string("\0\0\0\7chan\0released@@x\0", 21));

}  // namespace

class PushFilterTest : public QObject {
  Q_OBJECT
 private slots:
  void everythingPassesWhileNothingIsToBeDropped() {
    const std::string redis = kSubscribed + kMessage + "+PONG\r\n$-1\r\n*0\r\n:5\r\n-ERR no\r\n";
    const std::string postgres = "N" + frame('R', std::string(4, '\0')) + kNotice + kReady;
    for (std::size_t size = 1; size < 40; ++size) {
      QCOMPARE(QString::fromStdString(fed(StoreKind::kRedis, redis, size, false).out), QString::fromStdString(redis));
      QCOMPARE(fed(StoreKind::kPostgres, postgres, size, false).out, postgres);
    }
  }
  void onlyRedisMessagesAreDropped() {
    for (std::size_t size = 1; size < 60; ++size) {
      const Passed passed = fed(StoreKind::kRedis, kSubscribed + kMessage + "+PONG\r\n", size, true);
      QCOMPARE(passed.out, kSubscribed + "+PONG\r\n");
      QCOMPARE(passed.dropped.size(), std::size_t{1});
      QCOMPARE(passed.dropped.front(), "acquired@@0:1");
    }
  }
  void onlyPostgresNotificationsAreDropped() {
    const std::string greeting = "N" + frame('R', std::string(4, '\0'));
    for (std::size_t size = 1; size < 60; ++size) {
      const Passed passed = fed(StoreKind::kPostgres, greeting + kNotice + kReady, size, true);
      QCOMPARE(passed.out, greeting + kReady);
      QCOMPARE(passed.dropped.size(), std::size_t{1});
      QCOMPARE(passed.dropped.front(), "released@@x");
    }
  }
  // Lists in lists ended the program, announced lengths were waited for with everything kept.
  void whatIsNoProtocolPassesAndIsNotKept_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("lists in lists") << QByteArray("*1\r\n").repeated(300'000);
    QTest::newRow("a text of a gigabyte") << QByteArray("$999999999\r\n") + QByteArray(300'000, 'x');
    QTest::newRow("a list of 2^62") << QByteArray("*4611686018427387904\r\n") + QByteArray(":1\r\n").repeated(9);
    QTest::newRow("an endless line") << QByteArray(300'000, '+');
    QTest::newRow("PostgreSQL: a row of 4 GB") << QByteArray("D\xff\xff\xff\xff") + QByteArray(300'000, 'x');
    QTest::newRow("PostgreSQL: a notification of 4 GB") << QByteArray("A\xff\xff\xff\xff") + QByteArray(300'000, 'x');
    QTest::newRow("PostgreSQL: a length that is none") << QByteArray("D\0\0\0\0", 5) + QByteArray(1000, 'x');
  }
  void whatIsNoProtocolPassesAndIsNotKept() {
    QFETCH(QByteArray, bytes);
    for (const StoreKind kind : {StoreKind::kRedis, StoreKind::kPostgres})
      QVERIFY(fed(kind, bytes.toStdString(), 1000, true).out.size() + 70'000 > static_cast<std::size_t>(bytes.size()));
  }
  void aNotificationTooShortToHaveAPayloadIsOne() {
    const Passed passed = fed(StoreKind::kPostgres, frame('R', "") + frame('A', "") + kReady, 3, true);
    QCOMPARE(passed.out, frame('R', "") + kReady);
    QCOMPARE(passed.dropped, std::vector<std::string>{""});
  }
  void anEncryptedLinePassesUntouched() {
    const std::string secret = "S\x16\x03\x01 A and more";
    QCOMPARE(fed(StoreKind::kPostgres, secret, 3, true).out, secret);
  }
};

LEASESCOPE_SUITE(PushFilterTest)
#include "push_filter_test.moc"
