#include "core/store/postgres/store_type.h"
#include "core/store/redis/store_type.h"
#include "core/store/types/types.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

struct Passed {
  std::string out;
  std::vector<std::string> dropped;
};

// Fed in pieces of `size` bytes, as a network may deliver it.
Passed fed(const StoreType& type, const std::string& bytes, std::size_t size, bool drop) {
  const auto filter = type.push_filter();
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
      QCOMPARE(QString::fromStdString(fed(redis::store_type(), redis, size, false).out), QString::fromStdString(redis));
      QCOMPARE(fed(postgres::store_type(), postgres, size, false).out, postgres);
    }
  }
  void onlyRedisMessagesAreDropped() {
    for (std::size_t size = 1; size < 60; ++size) {
      const Passed passed = fed(redis::store_type(), kSubscribed + kMessage + "+PONG\r\n", size, true);
      QCOMPARE(passed.out, kSubscribed + "+PONG\r\n");
      QCOMPARE(passed.dropped.size(), std::size_t{1});
      QCOMPARE(passed.dropped.front(), "acquired@@0:1");
    }
  }
  void onlyPostgresNotificationsAreDropped() {
    const std::string greeting = "N" + frame('R', std::string(4, '\0'));
    for (std::size_t size = 1; size < 60; ++size) {
      const Passed passed = fed(postgres::store_type(), greeting + kNotice + kReady, size, true);
      QCOMPARE(passed.out, greeting + kReady);
      QCOMPARE(passed.dropped.size(), std::size_t{1});
      QCOMPARE(passed.dropped.front(), "released@@x");
    }
  }
  // Lists in lists ended the program, announced lengths were waited for with everything kept.
  void whatIsNoProtocolPassesAndIsNotKept_data() {
    QTest::addColumn<QString>("store");
    QTest::addColumn<QByteArray>("bytes");
    const auto redis = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << "redis" << bytes; };
    const auto postgres = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << "postgres" << bytes; };
    const QByteArray body(300'000, 'x');
    redis("lists in lists", QByteArray("*1\r\n").repeated(300'000));
    redis("a text of a gigabyte", "$999999999\r\n" + body);
    redis("a list of 2^62", "*4611686018427387904\r\n" + QByteArray(":1\r\n").repeated(30'000));
    redis("an endless line", QByteArray(300'000, '+'));
    postgres("a row of 4 GB", "D\xff\xff\xff\xff" + body);
    postgres("a notification of 4 GB", "A\xff\xff\xff\xff" + body);
    postgres("a length that is none", QByteArray("D\0\0\0\0", 5) + body);
  }
  // Of each, at most the longest line and a piece are held back while nothing can be told apart yet.
  void whatIsNoProtocolPassesAndIsNotKept() {
    QFETCH(QString, store);
    QFETCH(QByteArray, bytes);
    constexpr int kMostKept = 70'000;
    QVERIFY(bytes.size() > 1.5 * kMostKept);  // or nothing at all would do
    const std::string in = bytes.toStdString(), out = fed(*find_store_type(store.toStdString()), in, 1000, true).out;
    QVERIFY2(out.size() + kMostKept > in.size(), std::to_string(out.size()).c_str());
    QVERIFY(in.compare(0, out.size(), out) == 0);
  }
  void aNotificationTooShortToHaveAPayloadIsOne() {
    const Passed passed = fed(postgres::store_type(), frame('R', "") + frame('A', "") + kReady, 3, true);
    QCOMPARE(passed.out, frame('R', "") + kReady);
    QCOMPARE(passed.dropped, std::vector<std::string>{""});
  }
  void anEncryptedLinePassesUntouched() {
    const std::string secret = "S\x16\x03\x01 A and more";
    QCOMPARE(fed(postgres::store_type(), secret, 3, true).out, secret);
  }
};

LEASESCOPE_SUITE(PushFilterTest)
#include "push_filter_test.moc"
