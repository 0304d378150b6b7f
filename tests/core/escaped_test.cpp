// What others wrote is printed so that it cannot do anything to a terminal.
#include "core/base/escaped.h"

#include "tests/support/suite.h"

using namespace leasescope;

class EscapedTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsPlainStaysAsItIs() {
    for (const char* plain : {"", "0:4242@10.0.0.7", "naïve – 例え 🔒"}) QCOMPARE(escaped(plain), std::string(plain));
  }
  void whatMovesACursorIsSpelled() {
    QCOMPARE(escaped("\x1b[2Jgone\r\n\x7f"), std::string("\\x1b[2Jgone\\x0d\\x0a\\x7f"));
    QCOMPARE(escaped("\xc2\x9b"
                     "2J"),
             std::string("\\xc2\\x9b2J"));  // the same in one character
    QCOMPARE(escaped("\xe2\x80\xae"
                     "x"),
             std::string("\\xe2\\x80\\xaex"));  // from right to left
    QCOMPARE(escaped(std::string_view("a\0b", 3)), std::string("a\\x00b"));
  }
  void whatIsNoUtf8IsSpelled() {
    QCOMPARE(escaped("\xff"
                     "a\xc3"),
             std::string("\\xffa\\xc3"));
    QCOMPARE(escaped("\xed\xa0\x80"), std::string("\\xed\\xa0\\x80"));  // half of a pair
    QCOMPARE(escaped("\xc0\x80"), std::string("\\xc0\\x80"));           // longer than it must be
  }
  void whatIsTooLongIsCut() { QCOMPARE(escaped(std::string(300, 'x')), std::string(200, 'x') + "…"); }
  void linesStayLines() {
    QCOMPARE(escaped_lines("a\x1b[2J\n\nb\r\n"), std::string("a\\x1b[2J\n\nb\\x0d\n"));
    QCOMPARE(escaped_lines(std::string(9000, 'x')), std::string(9000, 'x'));
  }
};

LEASESCOPE_SUITE(EscapedTest)
#include "escaped_test.moc"
