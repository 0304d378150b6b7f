#include "core/store/mysql/store_type.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/store_type.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// Fed in pieces of `size` bytes, as a network may deliver it.
std::vector<bool> read(const StoreType& type, const std::string& bytes, std::size_t size) {
  const auto answers = type.late_answers();
  std::vector<bool> out;
  for (std::size_t at = 0; at < bytes.size(); at += size)
    for (const bool freed : answers->releases(bytes.substr(at, size))) out.push_back(freed);
  return out;
}

std::string frame(char type, const std::string& body) {
  const std::size_t length = body.size() + 4;
  std::string out(1, type);
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(length >> shift & 0xff);
  return out + body;
}

std::string row(const std::string& value) {
  return frame('D', std::string("\0\1\0\0\0", 5) + static_cast<char>(value.size()) + value);
}

std::string packet(const std::string& body) {
  std::string out;
  for (int shift = 0; shift < 24; shift += 8) out += static_cast<char>(body.size() >> shift & 0xff);
  return out + '\1' + body;
}

// A row of one column, as MySQL describes it: the catalogue, no database, no table twice, the name twice, its kind.
std::string mysql_row(const std::string& column, const std::string& value) {
  const auto text = [](const std::string& words) { return static_cast<char>(words.size()) + words; };
  const std::string end = packet(std::string("\xfe\0\0\2\0", 5));
  return packet("\1") + packet(text("def") + text("") + text("") + text("") + text(column) + text("") + "\xc") + end +
         packet(text(value)) + end;
}

const std::string kDone = packet(std::string("\0\0\0\xa\0\0\0", 7));

}  // namespace

class LateAnswersTest : public QObject {
  Q_OBJECT
 private slots:
  void anAnswerToAReleaseSaysWhetherTheLeaseWasFreed() {
    const std::string redis = "*4\r\n$1\r\na\r\n:1\r\n:5\r\n:1\r\n:0\r\n-ERR no\r\n:1\r\n";
    const std::string postgres =
        frame('1', "") + frame('T', "released") + row("f") + frame('C', "SELECT 1") + frame('Z', "I") + row("t");
    const std::string mysql = kDone + mysql_row("owner", "1") + mysql_row("released", "0") + kDone +
                              mysql_row("token", "1") + mysql_row("released", "1");
    for (std::size_t size = 1; size < 60; ++size) {
      QCOMPARE(read(mysql::store_type(), mysql, size), (std::vector<bool>{false, true}));
      QCOMPARE(read(redis::store_type(), redis, size), (std::vector<bool>{false, true}));
      QCOMPARE(read(postgres::store_type(), postgres, size), (std::vector<bool>{false, true}));
    }
  }
  void otherAnswersSayNothing() {
    QCOMPARE(read(redis::store_type(), "+OK\r\n$-1\r\n*0\r\n", 3), std::vector<bool>{});
    QCOMPARE(read(postgres::store_type(), row("a.1@x") + frame('E', "no"), 3), std::vector<bool>{});
    QCOMPARE(read(mysql::store_type(), mysql_row("owner", "1") + packet("\xff no") + kDone, 3), std::vector<bool>{});
  }
  void whatMakesNoSenseEndsIt() {
    QCOMPARE(read(redis::store_type(), ":0\r\n?\r\n:1\r\n", 100), std::vector<bool>{false});
    QCOMPARE(read(postgres::store_type(), row("f") + std::string("D\xff\xff\xff\xff") + row("t"), 100),
             std::vector<bool>{false});
    QCOMPARE(read(mysql::store_type(), mysql_row("released", "0") + "\xff\xff\xff" + mysql_row("released", "1"), 100),
             std::vector<bool>{false});
  }
};

LEASESCOPE_SUITE(LateAnswersTest)
#include "late_answers_test.moc"
