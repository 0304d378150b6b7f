// Under `ulimit -n 1024` 130 live contenders failed with "no connection within 2s".
#include <QProcess>

#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;

class DescriptorsTest : public QObject {
  Q_OBJECT

  // Under a limit of the shell's.
  static Ran run_under(const QString& limits, const QString& scenario = "healthy") {
    QProcess process;
    process.start("sh", {"-c", limits + " && exec " + kLeasescopectl + " run " + scenario +
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
  // Nobody listens there: who is not refused for descriptors is told that.
  void contendersThatShareTheirLinesAreCountedAsTheFewLinesTheyAre() {
    const auto run = [](const QString& options) {
      QProcess process;
      process.start(
          "sh", {"-c", QString("ulimit -n 2000 && exec ") + kLeasescopectl +
                           " run healthy --set contender.0.count=12000 --store 'redis://127.0.0.1:1" + options + "'"});
      if (!process.waitForFinished(60'000)) process.kill();
      return std::pair(process.exitCode(), process.readAllStandardError());
    };
    const auto [exit, said] = run("?lines=shared");
    QCOMPARE(exit, 2);
    QVERIFY2(said.contains("cannot use redis://127.0.0.1:1") && !said.contains("descriptors"), said);
    const auto [exit_own, said_own] = run("?lines=own");
    QCOMPARE(exit_own, 2);
    QVERIFY2(said_own.contains("12000 live contenders need about 24100 open descriptors"), said_own);
  }
};

LEASESCOPE_SUITE(DescriptorsTest)
#include "descriptors_test.moc"
