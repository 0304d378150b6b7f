// What a store said when it refused, as a history and a terminal are given it.
#include "simulator/live/error_words.h"

#include "tests/support/suite.h"

using namespace leasescope;

class ErrorWordsTest : public QObject {
  Q_OBJECT
 private slots:
  void whatMovesATerminalsCursorIsSpelledOut() {
    ErrorWords words;
    QCOMPARE(words.kept("a\x1b[2Jb"), std::string("a\\x1b[2Jb"));
    QCOMPARE(words
                 .kept("a\xc2\x9b"
                       "2Jb")
                 .find('\xc2'),
             std::string::npos);                                    // the same in one character
    QCOMPARE(words.kept("a\xff").find('\xff'), std::string::npos);  // no UTF-8
  }
  void aLongErrorIsCutBetweenCharacters() {
    std::string error = "x";
    for (int i = 0; i < 200; ++i) error += "ü";
    const QString kept = QString::fromStdString(ErrorWords().kept(error));
    QVERIFY2(kept.endsWith("ü…"), qPrintable(kept.right(5)));
  }
  void itIsOneLine() { QCOMPARE(ErrorWords().kept("first\r\nsecond"), std::string("first")); }
};

LEASESCOPE_SUITE(ErrorWordsTest)
#include "error_words_test.moc"
