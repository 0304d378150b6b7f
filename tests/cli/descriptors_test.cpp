// Under `ulimit -n 1024` 130 live contenders failed with "no connection within 2s".
#include <QProcess>

#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;

class DescriptorsTest : public QObject {
  Q_OBJECT

  // Under a limit of the shell's.
  static Ran run_under(const QString& limits, const QString& scenario = "healthy") {
    QProcess process;
    process.start("sh", {"-c", limits + " && exec " + QStringLiteral(LEASESCOPECTL) + " run " + scenario +
                                   " --store redis --set contender.0.count=40 --until 500ms"});
    Ran ran;
    if (!process.waitForFinished(60'000)) process.kill();
    ran.exit = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    ran.out = process.readAllStandardOutput();
    ran.err = process.readAllStandardError();
    return ran;
  }

 private slots:
  void theSoftLimitIsRaisedToTheHardOne() {
    const Ran ran = run_under("ulimit -Sn 150");
    QVERIFY2(ran.exit != 2, ran.err);
    QVERIFY2(ran.out.contains("acquisitions"), ran.out);
  }
  void aHardLimitThatIsTooLowIsNamed() {
    const Ran ran = run_under("ulimit -n 150");
    QCOMPARE(ran.exit, 2);
    for (const char* word : {"descriptors", "ulimit -n", "150"}) QVERIFY2(ran.err.contains(word), ran.err);
  }
  void withoutAFaultOfTheNetworkThereIsNoProxyInBetween() {
    const Ran direct = run_under("ulimit -n 200");
    QVERIFY2(direct.exit != 2, direct.err);
    QCOMPARE(run_under("ulimit -n 200", "owner-partition").exit, 2);
  }
};

LEASESCOPE_SUITE(DescriptorsTest)
#include "descriptors_test.moc"
