// One is said as one, and several as several.
#include "ui/models/english_plurals.h"

#include "tests/support/suite.h"

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
  void whatIsNotCountedStaysAsItIs() {
    QCOMPARE(QCoreApplication::translate("Any", "name(s) of a mutex"), QString("name(s) of a mutex"));
    QCOMPARE(QCoreApplication::translate("Any", "and %n more", nullptr, 3), QString("and 3 more"));
  }
};

LEASESCOPE_SUITE(EnglishPluralsTest)
#include "english_plurals_test.moc"
