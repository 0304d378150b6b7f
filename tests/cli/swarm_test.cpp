// From many seeds to one small failing run, as the README tells it.
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;

class SwarmTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const Ran ran = leasescopectl({"swarm", "canary", "--seeds", "4..5", "--out", folder_.path()});
    QCOMPARE(ran.exit, 3);
    QVERIFY2(ran.out.contains("2 failed"), ran.out);
    QVERIFY2(ran.out.contains("make one small: leasescopectl shrink canary --seed 4"), ran.out);
  }

  void aFailingSeedLeavesAReplayThatIsTheSameRun() {
    const Ran ran = leasescopectl({"run", folder_.filePath("canary-5.toml")});
    QCOMPARE(ran.exit, 3);
    QVERIFY2(ran.out.contains("the same run"), ran.out);
  }
  void aReplayIsMadeSmallUnderItsOwnSeed() {
    const QString small = folder_.filePath("small.toml");
    const Ran ran = leasescopectl({"shrink", folder_.filePath("canary-5.toml"), "--out", small});
    QVERIFY2(ran.exit == 0, ran.err);
    QFile file(small);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY2(text.contains("\nseed = 5\n"), text);
    QCOMPARE(text.count("[[fault]]"), 1);
    QCOMPARE(leasescopectl({"run", small}).exit, 3);
  }
  // The swarm tells of them with that option.
  void aSeedOfAnotherSystemCanBeMadeSmallAndFollowed() {
    const Ran small = leasescopectl({"shrink", "swarm", "--seed", "1", "--system", "fenced"});
    QCOMPARE(small.exit, 2);
    QVERIFY2(small.err.contains("seed 1 of swarm does not fail"), small.err);
    const Ran trail = leasescopectl({"trail", "swarm", "--seed", "1", "--system", "fenced"});
    QVERIFY2(trail.exit == 0 && trail.out.contains("session_opened"), trail.err);
    QCOMPARE(leasescopectl({"shrink", "swarm", "--system", "fence"}).exit, 2);
  }
  void whatDoesNotFailCannotBeMadeSmall() {
    const Ran ran = leasescopectl({"shrink", "healthy", "--seed", "3"});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("seed 3 of healthy does not fail"), ran.err);
  }
  void whatCannotBeWrittenIsKnownBeforeTheWork() {
    const QString nowhere = folder_.filePath("no/such/file");
    QCOMPARE(leasescopectl({"shrink", "canary", "--out", nowhere}).exit, 2);
    QCOMPARE(leasescopectl({"trail", "canary", "--out", nowhere}).exit, 2);
    QCOMPARE(leasescopectl({"swarm", "--seeds", "1..2", "--hashes", nowhere}).exit, 2);
  }
  // It said so and left with the verdict's code, as if the replay were there.
  void aReplayThatCannotBeWrittenIsAFailureOfItsOwn() {
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir("canary-5.toml"));
    const Ran ran = leasescopectl({"swarm", "canary", "--seeds", "4..5", "--out", folder.path()});
    QCOMPARE(ran.exit, 1);
    QVERIFY2(ran.err.contains("canary-5.toml cannot be written: Is a directory"), ran.err);
    QVERIFY2(ran.out.contains("2 failed") && ran.out.contains("canary-4.toml"), ran.out);
  }
  void aFolderThatCannotTakeTheFirstReplayIsKnownBeforeTheWork() {
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir("canary-4.toml"));
    const Ran ran = leasescopectl({"swarm", "canary", "--seeds", "4..5", "--out", folder.path()});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("canary-4.toml is a folder: expected a file") && ran.out.isEmpty(), ran.err);
  }
  void aRangeOrAKindThatIsNoneIsBadInput() {
    QCOMPARE(leasescopectl({"swarm", "--seeds", "5..1"}).exit, 2);
    QCOMPARE(leasescopectl({"swarm", "--seeds", "1..2", "--without", "weather"}).exit, 2);
  }

 private:
  QTemporaryDir folder_;
};

LEASESCOPE_SUITE(SwarmTest)
#include "swarm_test.moc"
