// `run --history`: the file grows with the run, the program does not.
#include <signal.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <QDateTime>
#include <QElapsedTimer>

#include "tests/cli/peak_memory.h"
#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class HistoryTest : public QObject {
  Q_OBJECT
 private slots:
  void aLongerRunTakesNoMoreMemory();
  void aKilledRunLeavesWholeLines();
  void anInterruptedRunEndsInOrderAndSaysWhere();
  void aFullDiskIsToldAndTheRunStillCounts();
  void whoeverReadsItFromTheStartReadsTheFileThatGrows();
  void aChartAndAHistoryGoTogether();
  void aHistoryBeginsWithWhatItIsAHistoryOf();
  void aForkedRunsHistorySaysWhatItRanUnder();
  void ofALiveRunItSaysWhenItsZeroWas();
  void onStandardOutputItIsAddedToWhatIsThere();
  void onStandardOutputItIsAlone();

 private:
  QTemporaryDir folder_;
};

namespace {

QByteArray long_scenario() {
  return "schema = 1\ntitle = \"long\"\nduration = \"30000s\"\n[mutex]\nname = \"orders\"\nttl = \"2s\"\n"
         "transition = \"1s\"\n[[contender]]\ncount = 5\n";
}

// A run of hours, once three megabytes of its history are on the disk.
void start_long_run(QProcess& process, const QTemporaryDir& folder, const QString& path) {
  const QString scenario = write_file(folder, "hours.toml", long_scenario().replace("30000s", "3000000s"));
  process.start(kLeasescopectl, {"run", scenario, "--history", path});
  QVERIFY(process.waitForStarted());
  QElapsedTimer waited;
  waited.start();
  while (QFile(path).size() < 3'000'000 && waited.elapsed() < 30'000) QTest::qWait(5);
}

}  // namespace

void HistoryTest::aLongerRunTakesNoMoreMemory() {
  const QString scenario = write_file(folder_, "long.toml", long_scenario());
  const QString file = folder_.filePath("long.jsonl");
  const long brief = peak_of({"run", scenario, "--json", "--history", file, "--until", "300s"});
  const qint64 small = QFile(file).size();
  const long lengthy = peak_of({"run", scenario, "--json", "--history", file});
  QVERIFY(brief > 0 && lengthy > 0);
  QVERIFY2(QFile(file).size() > 50 * small, "a hundred times the run");
  // Its 650 000 events would take 40 MB, held in memory.
  QVERIFY2(lengthy - brief < 6'000, QByteArray::number(qlonglong(lengthy - brief)) + " KB more");
}

void HistoryTest::aKilledRunLeavesWholeLines() {
  const QString path = folder_.filePath("killed.jsonl");
  QProcess process;
  start_long_run(process, folder_, path);
  process.kill();
  QVERIFY(process.waitForFinished());
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.size() >= 3'000'000);
  std::int64_t seq = 0;
  QVERIFY(file.readLine().startsWith("{\"format\":"));
  while (!file.atEnd()) {
    const QByteArray line = file.readLine();
    if (!line.endsWith('\n')) {
      QVERIFY2(file.atEnd(), "only the line that was being written");
      break;
    }
    const json event = json::parse(line.toStdString(), nullptr, false);
    QVERIFY2(event.is_object() && event["seq"].get<std::int64_t>() == ++seq, line);
  }
  QVERIFY(seq > 10'000);
}

void HistoryTest::anInterruptedRunEndsInOrderAndSaysWhere() {
  const QString path = folder_.filePath("interrupted.jsonl");
  QProcess process;
  start_long_run(process, folder_, path);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished());
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 1);
  QVERIFY(process.readAllStandardError().contains("interrupted at "));
  QVERIFY(process.readAllStandardOutput().contains("acquisitions"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().endsWith("}\n"));
}

void HistoryTest::aFullDiskIsToldAndTheRunStillCounts() {
  const QString path = folder_.filePath("full.jsonl");
  QVERIFY(QFile::link("/dev/full", path));
  const Ran ran = leasescopectl({"run", "gc-pause", "--json", "--history", path});
  QCOMPARE(ran.exit, 1);
  QVERIFY2(ran.err.contains(path.toUtf8()) && ran.err.contains("No space left on device"), ran.err);
  QCOMPARE(ran.json()["as_expected"].get<bool>(), true);
}

// A file that is made to see whether it can be, and taken away again, is the one that `tail -f` holds.
void HistoryTest::whoeverReadsItFromTheStartReadsTheFileThatGrows() {
  const QTemporaryDir folder;
  const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  QVERIFY(inotify_add_watch(watch, qPrintable(folder.path()), IN_CREATE | IN_DELETE) >= 0);
  QCOMPARE(leasescopectl({"run", "healthy", "--until", "5s", "--history", folder.filePath("seen.jsonl")}).exit, 0);
  alignas(inotify_event) char seen[4096];
  const ssize_t bytes = read(watch, seen, sizeof(seen));
  close(watch);
  QVERIFY(bytes > 0);
  const auto* first = reinterpret_cast<const inotify_event*>(seen);
  QCOMPARE(first->mask, std::uint32_t(IN_CREATE));
  QCOMPARE(bytes, ssize_t(sizeof(inotify_event) + first->len));  // and nothing else
}

void HistoryTest::aChartAndAHistoryGoTogether() {
  const QString history = folder_.filePath("both.jsonl"), alone = folder_.filePath("alone.jsonl");
  const QString chart = folder_.filePath("both.svg");
  QCOMPARE(leasescopectl({"run", "gc-pause", "--history", history, "--report", chart}).exit, 0);
  QCOMPARE(leasescopectl({"run", "gc-pause", "--history", alone}).exit, 0);
  QFile a(history), b(alone);
  QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
  QCOMPARE(a.readAll(), b.readAll());
  QVERIFY(QFile(chart).size() > 10'000);
}

void HistoryTest::aHistoryBeginsWithWhatItIsAHistoryOf() {
  const QString path = folder_.filePath("headed.jsonl"), again = folder_.filePath("again.toml");
  const Ran ran = leasescopectl({"run", "gc-pause", "--seed", "11", "--json", "--history", path});
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const json header = json::parse(file.readLine().toStdString());
  QCOMPARE(header["format"].get<std::string>(), "leasescope history");
  QCOMPARE(header["version"].get<int>(), 1);
  QCOMPARE(header["scenario"].get<std::string>(), "gc-pause");
  QCOMPARE(header["seed"].get<int>(), 11);
  QCOMPARE(header["world"].get<std::string>(), "virtual");
  QVERIFY(!header["program"].get<std::string>().empty());
  QVERIFY(header["epoch_unix_ns"].is_null());
  // The values that it carries run again to the same end.
  write_file(folder_, "again.toml", QByteArray::fromStdString(header["toml"].get<std::string>()));
  QCOMPARE(leasescopectl({"run", again, "--json"}).json()["trace_hash"].get<std::string>(),
           ran.json()["trace_hash"].get<std::string>());
}

// Whoever reads only the file knows what it shows: a run of the values before the fork is another one.
void HistoryTest::aForkedRunsHistorySaysWhatItRanUnder() {
  const QString path = folder_.filePath("forked.jsonl"), changed = folder_.filePath("changed.toml");
  const auto header_of = [&](const QStringList& more) {
    leasescopectl(QStringList{"run", "gc-pause", "--history", path} + more);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readLine().toStdString()) : json();
  };
  const json forked = header_of({"--until", "30s", "--fork-at", "15s", "--set", "resource.fencing=false"});
  QCOMPARE(forked["fork_at_ns"].get<std::int64_t>(), 15'000'000'000);
  QCOMPARE(forked["until_ns"].get<std::int64_t>(), 30'000'000'000);
  QVERIFY(forked["toml"].get<std::string>().find("fencing = false") == std::string::npos);
  const auto toml = QByteArray::fromStdString(forked["fork_toml"].get<std::string>());
  QVERIFY2(toml.contains("fencing = false"), toml);
  write_file(folder_, "changed.toml", toml);
  QCOMPARE(leasescopectl({"run", changed, "--until", "1s"}).exit, 0);
  const json plain = header_of({});
  for (const char* field : {"fork_at_ns", "fork_toml", "until_ns"})
    QVERIFY2(plain.contains(field) && plain[field].is_null(), field);
}

// Two processes' histories can be laid over each other.
void HistoryTest::ofALiveRunItSaysWhenItsZeroWas() {
  const QString path = folder_.filePath("live.jsonl");
  const auto now = [] { return QDateTime::currentMSecsSinceEpoch() * 1'000'000; };
  const qint64 before = now();
  leasescopectl({"run", "healthy", "--store", "redis", "--until", "1s", "--history", path});
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const json header = json::parse(file.readLine().toStdString());
  QCOMPARE(header["world"].get<std::string>(), "live");
  const auto epoch = header["epoch_unix_ns"].get<std::int64_t>();
  QVERIFY2(before < epoch && epoch < now(), std::to_string(epoch).c_str());
}

// `run … --history - >> all.jsonl`
void HistoryTest::onStandardOutputItIsAddedToWhatIsThere() {
  for (const auto mode : {QIODevice::Append, QIODevice::Truncate}) {
    const QString all = write_file(folder_, "all.jsonl", "what was there\n");
    const QString alone = folder_.filePath("by-name.jsonl");
    QProcess process;
    process.setStandardOutputFile(all, mode);
    process.start(kLeasescopectl, {"run", "gc-pause", "--history", "-"});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(leasescopectl({"run", "gc-pause", "--history", alone}).exit, 0);
    QFile a(all), b(alone);
    QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
    QCOMPARE(a.readAll(), (mode == QIODevice::Append ? "what was there\n" : "") + b.readAll());
  }
}

void HistoryTest::onStandardOutputItIsAlone() {
  const Ran ran = leasescopectl({"run", "gc-pause", "--history", "-", "--report", folder_.filePath("alone.svg")});
  QCOMPARE(ran.exit, 0);
  for (const QByteArray& line : ran.out.trimmed().split('\n')) QVERIFY2(json::accept(line.toStdString()), line);
  QVERIFY2(ran.err.contains("chart written to") && ran.err.contains("as expected"), ran.err);
}

LEASESCOPE_SUITE(HistoryTest)
#include "history_test.moc"
