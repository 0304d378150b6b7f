// `trail --against`: two builds whose runs are not the same are told apart at the first input or event that differs.
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;

class TrailTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void aRunIsTheSameAsItsOwnTrail();
  void aPlantedMismatchIsToldAtTheFirstEventThatDiffers();
  void aTrailThatStopsEarlyIsToldWhereItDoes();
  void aTrailThatCannotBeReadIsBadInput();

 private:
  Ran against(const QList<QByteArray>& lines) {
    return leasescopectl(
        {"trail", "swarm", "--seed", "5", "--against", write_file(folder_, "other", lines.join('\n'))});
  }

  QTemporaryDir folder_;
  QList<QByteArray> lines_;  // of the trail that this build tells
};

namespace {

constexpr int kPlace = 499;  // from 0

// What a build that went another way at `place` would have told: from there on no hash is the same.
QList<QByteArray> parted_at(QList<QByteArray> lines, int place) {
  for (int i = place; i < lines.size() && !lines[i].isEmpty(); ++i)
    lines[i].replace(lines[i].size() - 16, 16, "0123456789abcdef");
  return lines;
}

}  // namespace

void TrailTest::initTestCase() {
  const QString path = folder_.filePath("trail");
  QCOMPARE(leasescopectl({"trail", "swarm", "--seed", "5", "--out", path}).exit, 0);
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  lines_ = file.readAll().split('\n');
  QVERIFY(lines_.size() > 2 * kPlace);
}

void TrailTest::aRunIsTheSameAsItsOwnTrail() {
  const Ran ran = against(lines_);
  QCOMPARE(ran.exit, 0);
  QCOMPARE(ran.out, QByteArray("the same to the end\n"));
}

void TrailTest::aPlantedMismatchIsToldAtTheFirstEventThatDiffers() {
  const QList<QByteArray> planted = parted_at(lines_, kPlace);
  const Ran ran = against(planted);
  QCOMPARE(ran.exit, 3);
  const QList<QByteArray> told = ran.out.split('\n');
  QCOMPARE(told.value(0), QByteArray("they part at line 500"));
  QVERIFY2(told.value(1).endsWith(lines_[kPlace - 1]), ran.out);
  QVERIFY2(told.value(2).endsWith(lines_[kPlace]), ran.out);
  QVERIFY2(told.value(3).endsWith(planted[kPlace]), ran.out);
}

void TrailTest::aTrailThatStopsEarlyIsToldWhereItDoes() {
  const Ran ran = against(lines_.mid(0, kPlace));
  QCOMPARE(ran.exit, 3);
  QVERIFY2(ran.out.contains("they part at line 500"), ran.out);
  QVERIFY2(ran.out.contains("there   (has ended)"), ran.out);
}

void TrailTest::aTrailThatCannotBeReadIsBadInput() {
  const Ran ran = leasescopectl({"trail", "swarm", "--seed", "5", "--against", folder_.filePath("none")});
  QCOMPARE(ran.exit, 2);
  QVERIFY2(ran.err.contains("cannot be read"), ran.err);
}

LEASESCOPE_SUITE(TrailTest)
#include "trail_test.moc"
