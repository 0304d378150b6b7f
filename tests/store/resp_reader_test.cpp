#include "core/store/redis/resp_reader.h"

#include <rapidcheck.h>

#include "tests/support/suite.h"

using namespace leasescope;
using redis::RespReader;
using redis::RespValue;
using Kind = RespValue::Kind;

namespace {

std::string words(const RespValue& value) {
  switch (value.kind) {
    case Kind::kNil:
      return "nil";
    case Kind::kInteger:
      return std::to_string(value.integer);
    case Kind::kText:
      return "'" + value.text + "'";
    case Kind::kError:
      return "!" + value.text;
    case Kind::kList:
      break;
  }
  std::string out = "[";
  for (const RespValue& item : value.items) out += (out.size() > 1 ? " " : "") + words(item);
  return out + "]";
}

// All values, then the error if there is one. The bytes come in pieces of these sizes, in turns.
std::string read(const std::string& bytes, const std::vector<std::size_t>& sizes, RespReader reader = RespReader()) {
  std::string out;
  std::size_t turn = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = sizes[turn++ % sizes.size()];
    reader.feed(std::string_view(bytes).substr(at, size));
    at += size;
    for (;;) {
      const auto value = reader.next();
      if (!value) return out + "error: " + value.error();
      if (!*value) break;
      out += words(**value) + "\n";
    }
  }
  return out;
}

std::string read(const std::string& bytes) { return read(bytes, {bytes.size()}); }

// Any value of the protocol, as a server would write it.
std::string any_value(int depth) {
  const auto text = [] { return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab@\r\n\0$*", 8))); };
  const auto number = [] { return std::to_string(*rc::gen::arbitrary<std::int64_t>()); };
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 6)) {
    case 0:
      return "+OK\r\n";
    case 1:
      return "-ERR no\r\n";
    case 2:
      return ":" + number() + "\r\n";
    case 3:
      return "$-1\r\n";
    case 4:
      return "_\r\n";
    case 5: {
      const std::string body = text();
      return "$" + std::to_string(body.size()) + "\r\n" + body + "\r\n";
    }
    default: {
      const int count = *rc::gen::inRange(0, 5);
      std::string out = *rc::gen::elementOf(std::string("*~>")) + std::to_string(count) + "\r\n";
      for (int i = 0; i < count; ++i) out += any_value(depth - 1);
      return out;
    }
  }
}

}  // namespace

class RespReaderTest : public QObject {
  Q_OBJECT
 private slots:
  void everyKindOfAnswerIsRead() {
    QCOMPARE(read("+PONG\r\n-ERR no\r\n:42\r\n$5\r\na\r\nbc\r\n$-1\r\n*-1\r\n*0\r\n$0\r\n\r\n"),
             std::string("'PONG'\n!ERR no\n42\n'a\r\nbc'\nnil\nnil\n[]\n''\n"));
    QCOMPARE(read("*3\r\n$7\r\n0:1@abc\r\n:1500\r\n*2\r\n:7\r\n*0\r\n"), std::string("['0:1@abc' 1500 [7 []]]\n"));
    QCOMPARE(
        read("_\r\n#t\r\n,1.5\r\n(123\r\n=7\r\ntxt:abc\r\n!3\r\nbad\r\n%1\r\n+k\r\n:1\r\n~1\r\n:2\r\n>1\r\n:3\r\n"),
        std::string("nil\n't'\n'1.5'\n'123'\n'txt:abc'\n!bad\n['k' 1]\n[2]\n[3]\n"));
  }

  // What a server sends is bounded in depth, length and number, and said so.
  void whatGoesBeyondTheLimitsIsRefusedBeforeItIsKept_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("a text of a gigabyte") << QByteArray("$999999999\r\nabc") << QByteArray("999999999 bytes");
    QTest::newRow("an endless line") << QByteArray("+") + QByteArray(100'000, 'a') << QByteArray("a line of more than");
    QTest::newRow("an endless length") << QByteArray("$") + QByteArray(100'000, '1')
                                       << QByteArray("a line of more than");
    QTest::newRow("a list of a milliard") << QByteArray("*1000000000\r\n:1\r\n") << QByteArray("a list of 1000000000");
    QTest::newRow("a map of 2^63-1") << QByteArray("%9223372036854775807\r\n") << QByteArray("a list of");
    QTest::newRow("lists in lists") << QByteArray("*1\r\n").repeated(100'000) << QByteArray("deep");
    QTest::newRow("many lists, each allowed")
        << QByteArray("*4000\r\n") + QByteArray("*4000\r\n") << QByteArray("a list");
    QTest::newRow("texts that add up") << QByteArray("*4\r\n") +
                                              ("$60000\r\n" + QByteArray(60'000, 'x') + "\r\n").repeated(3)
                                       << QByteArray("a text of 60000");
    QTest::newRow("a negative length") << QByteArray("$-5\r\n") << QByteArray("-5 bytes");
    QTest::newRow("a number that is none") << QByteArray(":12x\r\n") << QByteArray("\"12x\"");
    QTest::newRow("a number beyond 64 bits") << QByteArray(":99999999999999999999\r\n") << QByteArray("a number");
    QTest::newRow("a text longer than announced") << QByteArray("$3\r\nabcdef\r\n") << QByteArray("announced");
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n")
                          << QByteArray("not the protocol of Redis: \"H");
    QTest::newRow("a line with a bare end") << QByteArray("+OK\n") << QByteArray("not the protocol");
    QTest::newRow("an empty line") << QByteArray("\r\n") << QByteArray("not the protocol of Redis: \"\\x0d");
    QTest::newRow("zeros") << QByteArray(20, '\0') << QByteArray("\\x00");
  }
  void whatGoesBeyondTheLimitsIsRefusedBeforeItIsKept() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, says);
    for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, std::size_t{1'000'000}}) {
      const std::string out = read(bytes.toStdString(), {size});
      QVERIFY2(out.find("error: ") != std::string::npos, out.c_str());
      QVERIFY2(out.find(says.constData()) != std::string::npos, out.c_str());
      QVERIFY(out.size() < 400);
    }
  }

  void afterAnErrorNothingIsReadOrKept() {
    RespReader reader;
    reader.feed("?\r\n+OK\r\n");
    const auto first = reader.next();
    QVERIFY(!first);
    reader.feed("+OK\r\n");
    const auto second = reader.next();
    QVERIFY(!second);
    QCOMPARE(second.error(), first.error());
    QCOMPARE(reader.kept(), std::size_t{0});
  }

  void anySplitOfTheBytesGivesTheSameValues() {
    QVERIFY(rc::check("pieces of any size, values of any shape, sound or spoilt", [] {
      std::string bytes;
      for (int values = *rc::gen::inRange(1, 6); values > 0; --values) bytes += any_value(3);
      if (*rc::gen::arbitrary<bool>())
        bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
      const auto sizes =
          *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 9)));
      const std::string whole = read(bytes), pieces = read(bytes, sizes);
      // An error may quote less when less has come.
      const std::size_t error = whole.find("error: ");
      RC_ASSERT(pieces.substr(0, error) == whole.substr(0, error));
      RC_ASSERT((pieces.find("error: ") == std::string::npos) == (error == std::string::npos));
    }));
  }

  void randomBytesNeverCrashAndLittleIsKept() {
    QVERIFY(rc::check("bytes of the protocol's own letters", [] {
      RespReader reader;
      const redis::RespLimits limits;
      for (int rounds = 20; rounds > 0; --rounds) {
        reader.feed(*rc::gen::container<std::string>(
            rc::gen::elementOf(std::string("+-:$*%>~_#,(!=0123456789\r\n\r\n\r\nab"))));
        for (auto value = reader.next(); value && *value; value = reader.next()) {
        }
        RC_ASSERT(reader.kept() <= limits.bulk + limits.line);
      }
    }));
  }
};

LEASESCOPE_SUITE(RespReaderTest)
#include "resp_reader_test.moc"
