// One is said as one, and several as several.
#include "ui/models/english_plurals.h"

#include "tests/support/suite.h"
#include "ui/models/words.h"

using namespace leasescope;

class EnglishPluralsTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsCountedIsSaidOfOneAndOfSeveral_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("said");
    QTest::newRow("none") << 0 << "0 incidents in 0 rows";
    QTest::newRow("one") << 1 << "1 incident in 1 row";
    QTest::newRow("several") << 21 << "21 incidents in 21 rows";
  }
  void whatIsCountedIsSaidOfOneAndOfSeveral() {
    QFETCH(int, count);
    QTEST(QCoreApplication::translate("Any", "%n incident(s) in %n row(s)", nullptr, count), "said");
  }
  void aMutexIsOneOfSeveralMutexes() {
    const auto said = [](int count) {
      return QCoreApplication::translate("Any", "%n mutex(es) of %n store(s)", nullptr, count);
    };
    QCOMPARE(said(0), QString("0 mutexes of 0 stores"));
    QCOMPARE(said(1), QString("1 mutex of 1 store"));
    QCOMPARE(said(2), QString("2 mutexes of 2 stores"));
  }
  // A count with signs between its thousands is put in by hand: it is counted all the same, however large.
  void aCountMayBeWrittenOtherwise() {
    const auto said = [](std::uint64_t count) {
      return QCoreApplication::translate("Any", "%1 mutex(es)", nullptr, howMany(count)).arg(countText(count));
    };
    QCOMPARE(said(1), QString("1 mutex"));
    QCOMPARE(said(12'345), QString::fromUtf8("12 345 mutexes"));
    QCOMPARE(said((std::uint64_t(1) << 32) + 1), QString::fromUtf8("4 294 967 297 mutexes"));
  }
  void whatIsNotCountedStaysAsItIs() {
    QCOMPARE(QCoreApplication::translate("Any", "name(s) of a mutex"), QString("name(s) of a mutex"));
    QCOMPARE(QCoreApplication::translate("Any", "and %n more", nullptr, 3), QString("and 3 more"));
  }
};

LEASESCOPE_SUITE(EnglishPluralsTest)
#include "english_plurals_test.moc"
