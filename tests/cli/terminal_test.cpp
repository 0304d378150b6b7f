// What people meet at a terminal: version, help, "did you mean", standard input and output, and writes that fail.
#include <signal.h>

#include <QRegularExpression>

#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class TerminalTest : public QObject {
  Q_OBJECT
 private slots:
  void theVersionNamesCommitAndBuild() {
    const Ran ran = leasescopectl({"--version"});
    QCOMPARE(ran.exit, 0);
    QVERIFY2(QString(ran.out).contains(QRegularExpression("^leasescopectl [0-9.]+ \\(commit [0-9a-z]+, \\w+, ")),
             ran.out);
  }
  void aMistypedWordIsAnsweredWithTheNearest_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("scenario") << QStringList{"run", "gc-paus"} << QByteArray("did you mean gc-pause?");
    QTest::newRow("command") << QStringList{"swram"} << QByteArray("did you mean swarm?");
    QTest::newRow("option") << QStringList{"run", "healthy", "--sede", "3"} << QByteArray("did you mean --seed?");
    QTest::newRow("key") << QStringList{"run", "healthy", "--set", "mutex.tlt=1s"} << QByteArray("did you mean ttl?");
    QTest::newRow("fault") << QStringList{"run", "gc-pause", "--set", "fault.0.kind=puase"}
                           << QByteArray("did you mean pause?");
  }
  void aMistypedWordIsAnsweredWithTheNearest() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, words);
    const Ran ran = leasescopectl(arguments);
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains(words), ran.err);
  }
  void aSeedBelowZeroIsRefused() {
    for (const QStringList& arguments :
         {QStringList{"run", "healthy", "--seed", "-1"}, QStringList{"run", "healthy", "--seed=-1"},
          QStringList{"shrink", "canary", "--seed=-1"}}) {
      const Ran ran = leasescopectl(arguments);
      QCOMPARE(ran.exit, 2);
      QVERIFY2(!ran.err.isEmpty(), ran.err);
    }
    QVERIFY(leasescopectl({"run", "healthy", "--seed=-1"}).err.contains("expected a whole number from 0"));
  }
  void aScenarioMayComeFromStandardInputAndAHistoryGoToStandardOutput() {
    QProcess process;
    process.start(kLeasescopectl, {"run", "-", "--history", "-", "--fork-at", "5s"});
    process.write(good_scenario());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(process.readAllStandardError().contains("acquisitions"));
    for (const QByteArray& line : process.readAllStandardOutput().trimmed().split('\n'))
      QVERIFY2(json::parse(line.toStdString(), nullptr, false).is_object(), line);
  }
  void whatDoesNotArriveOnStandardOutputEndsWithOne() {
    for (const QString arguments : {"run healthy --json", "run healthy", "scenarios", "--help", "swarm --seeds 1..2"}) {
      QProcess process;
      process.setStandardOutputFile("/dev/full");
      process.start(kLeasescopectl, arguments.split(' '));
      QVERIFY(process.waitForFinished());
      QCOMPARE(process.exitCode(), 1);
      const QByteArray said = process.readAllStandardError();
      QVERIFY2(said.contains("standard output could not be written"), said);
    }
  }
  void aReportThatDoesNotFitIsNoHalfReport() {
    for (const QString ending : {"svg", "html", "pdf", "csv"}) {
      const QString path = folder_.filePath("full." + ending);
      QVERIFY(QFile::link("/dev/full", path));
      const Ran ran = leasescopectl({"run", "gc-pause", "--report", path});
      QCOMPARE(ran.exit, 1);
      QVERIFY2(ran.err.contains("No space left on device"), ran.err);
      QVERIFY2(!ran.out.contains("written to"), ran.out);
    }
  }
  void theMeasuresOfEverySeedAreALineOfCsv() {
    const QString path = folder_.filePath("seeds.csv");
    QCOMPARE(leasescopectl({"swarm", "gc-pause", "--seeds", "3..5", "--csv", path}).exit, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY2(lines[0].startsWith("seed,simulated_seconds,inputs,failure,acquisitions,"), lines[0]);
    for (int i = 1; i < 4; ++i) {
      QVERIFY2(lines[i].startsWith(QByteArray::number(i + 2) + ",60.000000000,"), lines[i]);
      QCOMPARE(lines[i].count(','), lines[0].count(','));
    }
  }
  void theJsonTellsOfEveryContenderAndTheRunsValues() {
    const json out = leasescopectl({"run", "gc-pause", "--json"}).json();
    QVERIFY(out["schema"].get<int>() >= 2);
    QVERIFY(!out["version"].get<std::string>().empty());
    QCOMPARE(out["values"]["mutex"]["ttl"].get<std::string>(), std::string("5s"));
    QCOMPARE(out["values"]["fault"].size(), std::size_t{2});
    QCOMPARE(out["expected"]["double_grants"].get<int>(), 0);
    int acquisitions = 0;
    for (const json& contender : out["by_contender"]) acquisitions += contender["acquisitions"].get<int>();
    QCOMPARE(out["by_contender"].size(), std::size_t{3});
    QCOMPARE(acquisitions, out["acquisitions"].get<int>());
    QVERIFY(out["percentiles"]["handoff_seconds"]["count"].get<int>() >= 1);
    QVERIFY(out["percentiles"]["overlap_seconds"]["max"].get<double>() > 0);
  }
  void theListsFitTheWidthAndSayWhatGoesWrong() {
    for (const QStringList& arguments : {QStringList{"scenarios"}, QStringList{"scenarios", "--faults"}}) {
      const Ran ran = leasescopectl(arguments);
      for (const QByteArray& line : ran.out.split('\n')) QVERIFY2(QString::fromUtf8(line).size() <= 100, line);
    }
    const Ran faults = leasescopectl({"scenarios", "--faults"});
    QVERIFY2(faults.out.contains("two may believe they own it at once"), faults.out);
  }
  void completionAndManComeFromTheTableOfHelp() {
    const Ran completion = leasescopectl({"completion", "bash"});
    QCOMPARE(completion.exit, 0);
    const QString script = write_file(folder_, "completion", completion.out);
    QProcess bash;
    bash.start("bash", {"-c", "source " + script +
                                  "; COMP_WORDS=(leasescopectl run --f); COMP_CWORD=2; _leasescopectl; "
                                  "echo \"${COMPREPLY[*]}\""});
    QVERIFY(bash.waitForFinished());
    QCOMPARE(bash.readAllStandardOutput().trimmed(), QByteArray("--fork-at"));
    const Ran man = leasescopectl({"man"});
    for (const char* words : {".TH LEASESCOPECTL 1", ".SS run", "fork", "csv", ".SH EXIT STATUS"})
      QVERIFY2(man.out.contains(words), words);
  }
  void aHangUpEndsTheRunInOrder() {
    QProcess process;
    process.start(kLeasescopectl, {"run", "healthy", "--set", "duration=3000000s"});
    QVERIFY(process.waitForStarted());
    QTest::qWait(300);
    ::kill(static_cast<pid_t>(process.processId()), SIGHUP);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QVERIFY(process.readAllStandardError().contains("interrupted at "));
  }

 private:
  QTemporaryDir folder_;
};

LEASESCOPE_SUITE(TerminalTest)
#include "terminal_test.moc"
