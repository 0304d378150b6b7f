// `run --record`, `replay` and `recording`: what a run said is said again, whatever became of its program.
#include <csignal>

#include <QDir>
#include <QElapsedTimer>
#include <QRegularExpression>

#include "tests/cli/peak_memory.h"
#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class RecordingCommandsTest : public QObject {
  Q_OBJECT
 private slots:
  void replaySaysWhatRunSaid_data();
  void replaySaysWhatRunSaid();
  void ofALiveRunToo();
  void theEventsInWordsAreThoseOfTheRun();
  void aPartIsWhatItsEventsComeTo();
  void aPartsChartIsDrawn();
  void theEventsAsRowsAreThoseOfTheRun();
  void aTraceIsThatOfTheRun();
  void aReportIsThatOfTheRun_data();
  void aReportIsThatOfTheRun();
  void aRangeThatIsNoneIsBadInput_data();
  void aRangeThatIsNoneIsBadInput();
  void whatIsThereIsNotWrittenOver();
  void whatCannotBeRecordedIsKnownBeforeTheRun_data();
  void whatCannotBeRecordedIsKnownBeforeTheRun();
  void aLongerRunTakesNoMoreMemory();
  void aFullDiskIsToldAndTheRunStillCounts();
  void aRecordingIsReadWhileItIsWritten();
  void aKilledRunIsReadAndCompacted();
  void anInterruptedRunIsOneThatStopped();
  void infoTellsWhatItIs();
  void whatIsNoRecordingIsToldSo_data();
  void whatIsNoRecordingIsToldSo();
  void aLaterFormNamesTheVersionThatReadsIt();
  void aDamagedRecordingGivesWhatLiesBefore();
  void theHelpAndTheCompletionKnowThem();

 private:
  QString recorded(const char* name, const QStringList& more = {}) {
    const QString file = folder_.filePath(name);
    QFile::remove(file);
    last_ = leasescopectl(QStringList{"run", "gc-pause", "--json", "--record", file} + more);
    return file;
  }
  QTemporaryDir folder_;
  Ran last_;
};

namespace {

// A run of hours that is recorded, once so many events are in it.
void start_long_run(QProcess& process, const QTemporaryDir& folder, const QString& file) {
  const QString scenario = write_file(folder, "hours.toml", good_scenario().replace("20s", "30000000s"));
  process.start(kLeasescopectl, {"run", scenario, "--record", file});
  QVERIFY(process.waitForStarted());
  QElapsedTimer waited;
  waited.start();
  json info;
  while (waited.elapsed() < 30'000) {
    info = leasescopectl({"recording", "info", file, "--json"}).json();
    if (info.is_object() && info["events"].get<int>() > 50'000) return;
    QTest::qWait(20);
  }
  QFAIL("it did not come to fifty thousand events");
}

}  // namespace

void RecordingCommandsTest::replaySaysWhatRunSaid_data() {
  QTest::addColumn<QStringList>("run");
  QTest::newRow("as expected") << QStringList{"gc-pause"};
  QTest::newRow("not as expected") << QStringList{"canary"};
  QTest::newRow("stopped") << QStringList{"gc-pause", "--until", "20s"};
  QTest::newRow("forked") << QStringList{"gc-pause", "--fork-at", "15s", "--set", "resource.fencing=false"};
  QTest::newRow("another seed") << QStringList{"redis-failover", "--seed", "9223372036854775807"};
  QTest::newRow("other terms") << QStringList{"gc-pause", "--set", "mutex.ttl=3s"};
}

void RecordingCommandsTest::replaySaysWhatRunSaid() {
  QFETCH(QStringList, run);
  const QString file = folder_.filePath("said");
  QFile::remove(file);
  const Ran ran = leasescopectl(QStringList{"run"} + run + QStringList{"--json", "--record", file});
  QVERIFY2(ran.json().is_object(), ran.err);
  const Ran again = leasescopectl({"replay", file, "--json"});
  QCOMPARE(again.exit, ran.exit);
  QCOMPARE(again.out, ran.out);
  QFile::remove(file);
  const Ran text = leasescopectl(QStringList{"run"} + run + QStringList{"--record", file});
  QCOMPARE(leasescopectl({"replay", file}).out, text.out);
  QVERIFY(!QFile::exists(file + "-wal"));
}

void RecordingCommandsTest::ofALiveRunToo() {
  const QString file = recorded("live", {"--store", "redis", "--set", "mutex.ttl=400ms", "--set",
                                         "mutex.transition=200ms", "--set", "duration=2s"});
  QVERIFY2(last_.json().is_object(), last_.err);
  const Ran again = leasescopectl({"replay", file, "--json"});
  QCOMPARE(again.exit, last_.exit);
  QCOMPARE(again.out, last_.out);
  const json info = leasescopectl({"recording", "info", file, "--json"}).json();
  QVERIFY(info["epoch_unix_ns"].get<std::int64_t>() > 1'500'000'000'000'000'000);
  QCOMPARE(info["store"].get<std::string>(), std::string("redis"));
}

void RecordingCommandsTest::theEventsInWordsAreThoseOfTheRun() {
  for (const char* const ending : {"jsonl", "edn"}) {
    const QString mine = folder_.filePath(QString("mine.") + ending);
    const QString file = recorded("events", {"--history", mine});
    const QString theirs = folder_.filePath(QString("theirs.") + ending);
    QCOMPARE(leasescopectl({"recording", "export", file, theirs}).exit, 0);
    QVERIFY(read_whole(mine).size() > 500);
    QCOMPARE(read_whole(theirs), read_whole(mine));
    QFile::remove(theirs);
    QCOMPARE(leasescopectl({"replay", file, "--history", theirs}).exit, 0);
    QCOMPARE(read_whole(theirs), read_whole(mine));
  }
  const QString file = recorded("events");
  QCOMPARE(leasescopectl({"recording", "export", file, "-"}).out, read_whole(folder_.filePath("mine.jsonl")));
}

void RecordingCommandsTest::aPartIsWhatItsEventsComeTo() {
  const QString file = recorded("part");
  const Ran whole = leasescopectl({"replay", file, "--json"});
  const json all = leasescopectl({"replay", file, "--json", "--from", "0s"}).json();
  for (const char* const field : {"acquisitions", "renewals", "handoffs", "stale_writes_rejected", "incidents",
                                  "by_contender", "percentiles", "belief_overlap_seconds", "leaderless_seconds"})
    QVERIFY2(all[field] == whole.json()[field], field);
  QVERIFY(all["trace_hash"].is_null() && all["as_expected"].is_null() && all["events"].is_null());

  const QString lines = folder_.filePath("part.jsonl");
  const Ran ran = leasescopectl({"replay", file, "--json", "--from", "17s", "--to", "4 lease", "--history", lines});
  QCOMPARE(ran.exit, 0);
  const json part = ran.json();
  QCOMPARE(part["simulated_seconds"].get<double>(), 3.0 + 4 * 7 - 20.0);
  QCOMPARE(part["not_judged"].get<std::string>().substr(0, 13), std::string("a part of a r"));
  QVERIFY(part["belief_overlap_seconds"].get<double>() > 3);
  int count = 0;
  QFile text(lines);
  QVERIFY(text.open(QIODevice::ReadOnly));
  QVERIFY(text.readLine().startsWith("{\"format\":"));
  while (!text.atEnd()) {
    const json event = json::parse(text.readLine().toStdString());
    const auto at = event["hi_ns"].get<std::int64_t>();
    QVERIFY2(at >= 17'000'000'000 && at <= 28'000'000'000, event.dump().c_str());
    ++count;
  }
  QVERIFY(count > 20);
  const QString exported = folder_.filePath("exported.jsonl");
  QCOMPARE(leasescopectl({"recording", "export", file, exported, "--from", "17s", "--to", "28s"}).exit, 0);
  QCOMPARE(read_whole(exported), read_whole(lines));
}

void RecordingCommandsTest::aPartsChartIsDrawn() {
  const QString file = recorded("chart");
  const QString whole = folder_.filePath("whole.svg"), part = folder_.filePath("part.svg");
  const Ran ran = leasescopectl({"replay", file, "--report", whole});
  QCOMPARE(ran.exit, 0);
  QVERIFY2(ran.out.contains("chart written to"), ran.out);
  QCOMPARE(leasescopectl({"replay", file, "--report", part, "--from", "16s", "--to", "22s"}).exit, 0);
  QVERIFY(read_whole(whole).startsWith("<?xml") && read_whole(part).startsWith("<?xml"));
  QVERIFY(read_whole(whole) != read_whole(part));
  const QString of_the_run = folder_.filePath("run.svg");
  QCOMPARE(leasescopectl({"run", "gc-pause", "--report", of_the_run}).exit, 0);
  QCOMPARE(read_whole(whole), read_whole(of_the_run));
}

// ".events.csv" is an ending of its own, and not the leases of ".csv".
void RecordingCommandsTest::theEventsAsRowsAreThoseOfTheRun() {
  const QString file = recorded("rows");
  const QString replayed = folder_.filePath("replayed.events.csv"), run = folder_.filePath("run.events.csv");
  const QString leases = folder_.filePath("leases.csv");
  QCOMPARE(leasescopectl({"replay", file, "--report", replayed}).exit, 0);
  QCOMPARE(leasescopectl({"run", "gc-pause", "--report", run}).exit, 0);
  QCOMPARE(leasescopectl({"run", "gc-pause", "--report", leases}).exit, 0);
  QVERIFY2(read_whole(run).startsWith("number,time_ns,"), read_whole(run).left(80));
  QVERIFY2(read_whole(leases).startsWith("mutex,lane,"), read_whole(leases).left(80));
  QCOMPARE(read_whole(replayed), read_whole(run));
  QVERIFY(read_whole(run).count('\n') > 100);
}

void RecordingCommandsTest::aTraceIsThatOfTheRun() {
  const QString file = recorded("trace");
  const QString theirs = folder_.filePath("theirs.json"), mine = folder_.filePath("mine.json");
  QCOMPARE(leasescopectl({"replay", file, "--trace", theirs}).exit, 0);
  QCOMPARE(leasescopectl({"run", "gc-pause", "--trace", mine}).exit, 0);
  const json trace = json::parse(read_whole(theirs).toStdString(), nullptr, false);
  QVERIFY(trace.is_object() && trace["traceEvents"].size() > 20);
  QCOMPARE(read_whole(theirs), read_whole(mine));
  const QString part = folder_.filePath("part.json");
  QCOMPARE(leasescopectl({"replay", file, "--trace", part, "--from", "16s", "--to", "22s"}).exit, 0);
  QVERIFY(read_whole(part).size() < read_whole(mine).size());
  const Ran wrong = leasescopectl({"run", "gc-pause", "--trace", folder_.filePath("trace.txt")});
  QCOMPARE(wrong.exit, 2);
  SAYS(wrong, "trace.txt: expected a file ending in .json");
}

void RecordingCommandsTest::aReportIsThatOfTheRun_data() {
  QTest::addColumn<QString>("option");
  for (const char* option : {"--html", "--pdf", "--csv"}) QTest::newRow(option) << option;
}

void RecordingCommandsTest::aReportIsThatOfTheRun() {
  QFETCH(QString, option);
  const QString ending = '.' + option.mid(2);
  const QString file = recorded(qPrintable("report of " + ending));
  const QString theirs = folder_.filePath("theirs" + ending), mine = folder_.filePath("mine" + ending);
  const Ran ran = leasescopectl({"replay", file, option, theirs});
  QCOMPARE(ran.exit, 0);
  QCOMPARE(ran.out.contains("report written to " + theirs.toUtf8()), option != "--csv");
  QCOMPARE(leasescopectl({"run", "gc-pause", option, mine}).exit, 0);
  QVERIFY(read_whole(mine).size() > 1000);
  QVERIFY(read_whole(theirs) == read_whole(mine));
  // By its ending too, and beside another one.
  const QString again = folder_.filePath("again" + ending), part = folder_.filePath("part" + ending);
  QCOMPARE(leasescopectl({"replay", file, "--report", again, option, part, "--from", "16s", "--to", "22s"}).exit, 0);
  QVERIFY(read_whole(part).size() > 100 && read_whole(part) == read_whole(again));
  QVERIFY(read_whole(part) != read_whole(mine));
  const Ran wrong = leasescopectl({"run", "gc-pause", option, folder_.filePath("report.txt")});
  QCOMPARE(wrong.exit, 2);
  SAYS(wrong, ("report.txt: expected a file ending in " + ending).toUtf8());
}

void RecordingCommandsTest::aRangeThatIsNoneIsBadInput_data() {
  QTest::addColumn<QStringList>("range");
  QTest::addColumn<QByteArray>("words");
  const auto row = [](const char* name, const QStringList& range, const char* words) {
    QTest::newRow(name) << range << QByteArray(words);
  };
  row("no time", {"--from", "soon"}, "--from: ");
  row("backwards", {"--from", "20s", "--to", "10s"}, "--to 10s: expected more than --from 20s");
  row("nothing", {"--to", "0s"}, "--to 0s: expected more than 0s");
  row("before it", {"--from", "-1s"}, "--from -1s: expected 0s or more");
  row("behind its end", {"--from", "61s"}, "--from 61s: expected a time before the recording's end at 1m");
}

void RecordingCommandsTest::aRangeThatIsNoneIsBadInput() {
  QFETCH(QStringList, range);
  QFETCH(QByteArray, words);
  const QString file = recorded("range");
  const Ran replay = leasescopectl(QStringList{"replay", file} + range);
  QCOMPARE(replay.exit, 2);
  SAYS(replay, words);
  const Ran exported = leasescopectl(QStringList{"recording", "export", file, "-"} + range);
  QCOMPARE(exported.exit, 2);
  SAYS(exported, words);
}

void RecordingCommandsTest::whatIsThereIsNotWrittenOver() {
  const QString file = write_file(folder_, "mine.txt", "a week of it");
  const Ran ran = leasescopectl({"run", "healthy", "--record", file});
  QCOMPARE(ran.exit, 2);
  SAYS(ran, "mine.txt is there already and is not written over: take it away, or name another file");
  QVERIFY(ran.out.isEmpty());
  QCOMPARE(read_whole(file), QByteArray("a week of it"));
}

void RecordingCommandsTest::whatCannotBeRecordedIsKnownBeforeTheRun_data() {
  QTest::addColumn<QStringList>("where");
  QTest::addColumn<QByteArray>("words");
  QTest::newRow("standard output") << QStringList{"-"} << QByteArray("--record -: expected the name of a file");
  QTest::newRow("a folder") << QStringList{folder_.path()} << QByteArray("is no plain file");
  QTest::newRow("a device") << QStringList{"/dev/full"} << QByteArray("/dev/full is no plain file");
  QTest::newRow("nowhere") << QStringList{folder_.filePath("no/such/file")} << QByteArray("does not exist");
  const QString twice = folder_.filePath("twice.jsonl");
  QTest::newRow("twice") << QStringList{twice, "--history", twice} << QByteArray("expected two files");
}

void RecordingCommandsTest::whatCannotBeRecordedIsKnownBeforeTheRun() {
  QFETCH(QStringList, where);
  QFETCH(QByteArray, words);
  const Ran ran = leasescopectl(QStringList{"run", "healthy", "--record"} + where);
  QCOMPARE(ran.exit, 2);
  SAYS(ran, words);
  QVERIFY(ran.out.isEmpty());
}

void RecordingCommandsTest::aLongerRunTakesNoMoreMemory() {
  const QString scenario = write_file(folder_, "long.toml", good_scenario().replace("20s", "200000s"));
  const QString half = folder_.filePath("half"), whole = folder_.filePath("long");
  const long brief = peak_of({"run", scenario, "--json", "--record", half, "--until", "100000s"});
  const long lengthy = peak_of({"run", scenario, "--json", "--record", whole});
  QVERIFY(brief > 0 && lengthy > 0);
  const json info = leasescopectl({"recording", "info", whole, "--json"}).json();
  // The second half, held in memory, would take 56 bytes an event.
  const double more = 1024.0 * static_cast<double>(lengthy - brief);
  QVERIFY2(info["events"].get<double>() > 1'000'000, info.dump().c_str());
  QVERIFY2(more < 20 * info["events"].get<double>() / 2, QByteArray::number(more) + " bytes more");
  QVERIFY2(info["bytes"].get<double>() < 25 * info["events"].get<double>(), info.dump().c_str());
  // Who reads it holds a page of it.
  const long read = peak_of({"replay", whole, "--json"});
  const double read_more = 1024.0 * static_cast<double>(read - peak_of({"replay", half, "--json"}));
  QVERIFY2(read > 0 && read_more < 20 * info["events"].get<double>() / 2,
           QByteArray::number(read_more) + " bytes more");
}

// A limit on the size of files (in blocks of 512 bytes) fails a write as a full disk does.
void RecordingCommandsTest::aFullDiskIsToldAndTheRunStillCounts() {
  const QString scenario = write_file(folder_, "full.toml", good_scenario().replace("20s", "20000s"));
  const QString file = folder_.filePath("full");
  QProcess process;
  process.start(
      "sh", {"-c", QString("ulimit -f 2000; exec %1 run %2 --json --record %3").arg(kLeasescopectl, scenario, file)});
  QVERIFY(process.waitForFinished(60'000));
  QCOMPARE(process.exitCode(), 1);
  const QByteArray err = process.readAllStandardError();
  QVERIFY2(err.contains("full could not be written any further: File too large: make room, or write elsewhere"), err);
  const auto told = QRegularExpression("The ([0-9]+) events before are in it").match(err);
  QVERIFY2(told.hasMatch() && told.captured(1).toInt() > 0, err);
  QVERIFY(json::parse(process.readAllStandardOutput().toStdString(), nullptr, false)["acquisitions"].is_number());
  const json info = leasescopectl({"recording", "info", file, "--json"}).json();
  QCOMPARE(info["events"].get<int>(), told.captured(1).toInt());
  QCOMPARE(info["finished"].get<bool>(), false);
}

void RecordingCommandsTest::aRecordingIsReadWhileItIsWritten() {
  const QString file = folder_.filePath("growing");
  QProcess process;
  start_long_run(process, folder_, file);
  const json info = leasescopectl({"recording", "info", file, "--json"}).json();
  QCOMPARE(info["finished"].get<bool>(), false);
  const Ran replay = leasescopectl({"replay", file, "--json"});
  QCOMPARE(replay.exit, 0);
  QCOMPARE(replay.json()["not_judged"].get<std::string>(), std::string("the recording ends before the run did"));
  const Ran compact = leasescopectl({"recording", "compact", file});
  QCOMPARE(compact.exit, 2);
  SAYS(compact, "is held by another program: let that end, and try again");
  process.kill();
  QVERIFY(process.waitForFinished());
}

void RecordingCommandsTest::aKilledRunIsReadAndCompacted() {
  const QString file = folder_.filePath("killed");
  QProcess process;
  start_long_run(process, folder_, file);
  process.kill();
  QVERIFY(process.waitForFinished());
  const json before = leasescopectl({"recording", "info", file, "--json"}).json();
  QVERIFY(before["events"].get<int>() > 50'000);
  const Ran compact = leasescopectl({"recording", "compact", file});
  QVERIFY2(compact.exit == 0, compact.err);
  QVERIFY2(QRegularExpression("killed: [0-9]+ bytes, [0-9]+ before\n").match(compact.out).hasMatch(), compact.out);
  QVERIFY(!QFile::exists(file + "-wal"));
  const json after = leasescopectl({"recording", "info", file, "--json"}).json();
  QCOMPARE(after["events"].get<int>(), before["events"].get<int>());
  QVERIFY(after["bytes"].get<int>() <= before["bytes"].get<int>());
}

void RecordingCommandsTest::anInterruptedRunIsOneThatStopped() {
  const QString file = folder_.filePath("interrupted");
  QProcess process;
  start_long_run(process, folder_, file);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished());
  QCOMPARE(process.exitCode(), 1);
  const Ran replay = leasescopectl({"replay", file});
  QCOMPARE(replay.exit, 0);
  QCOMPARE(replay.out, process.readAllStandardOutput());
  QVERIFY2(replay.out.contains("not judged: "), replay.out);
}

void RecordingCommandsTest::infoTellsWhatItIs() {
  const QString file = recorded("info");
  const Ran text = leasescopectl({"recording", "info", file});
  QCOMPARE(text.exit, 0);
  for (const char* const part : {"gc-pause · A pause outlives the lease · virtual world, model:redis, seed 7",
                                 "in form 3", "the run has ended", "60.000 s, ", "contenders 3: c1, c2, c3"})
    QVERIFY2(text.out.contains(part), text.out);
  const json info = leasescopectl({"recording", "info", file, "--json"}).json();
  QCOMPARE(info["finished"].get<bool>(), true);
  QCOMPARE(info["trace_hash"].get<std::string>(), last_.json()["trace_hash"].get<std::string>());
  QCOMPARE(info["incidents"]["belief_overlap"].get<int>(), 1);
  QCOMPARE(info["bytes"].get<qint64>(), QFile(file).size());
  QVERIFY(info["epoch_unix_ns"].is_null());
  QVERIFY(info["alerts"].is_null());  // of a run: nobody watched it
}

void RecordingCommandsTest::whatIsNoRecordingIsToldSo_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QByteArray>("words");
  const auto row = [](const char* name, const QByteArray& bytes, const char* words) {
    QTest::newRow(name) << bytes << QByteArray(words);
  };
  row("empty", "", "it is empty: expected a recording");
  row("a history", "{\"format\":\"leasescope history\",\"version\":1}\n", "it is a history in words");
  row("calls for Knossos", "[{:process 0, :type :invoke, :f :acquire}]", "it is a history in words");
  row("a picture", QByteArray("\x89PNG\r\n") + QByteArray(5'000, 'x'), "it is no recording: expected a file");
  row("a beginning", QByteArray("SQLite format 3\0\x10\0", 18), "it is ");
}

void RecordingCommandsTest::whatIsNoRecordingIsToldSo() {
  QFETCH(QByteArray, bytes);
  QFETCH(QByteArray, words);
  QVERIFY(overwrite(folder_.filePath("it"), bytes));
  const QString file = folder_.filePath("it");
  for (const QStringList& command :
       {QStringList{"replay", file}, QStringList{"recording", "info", file}, QStringList{"recording", "compact", file},
        QStringList{"recording", "export", file, folder_.filePath("out.jsonl")}}) {
    const Ran ran = leasescopectl(command);
    QVERIFY2(ran.exit == 2, ran.err);
    SAYS(ran, words);
    QVERIFY(ran.out.isEmpty());
    QCOMPARE(read_whole(file), bytes);
  }
  const Ran missing = leasescopectl({"replay", folder_.filePath("missing")});
  QCOMPARE(missing.exit, 2);
  SAYS(missing, "missing: No such file or directory");
}

void RecordingCommandsTest::aLaterFormNamesTheVersionThatReadsIt() {
  const QString file = recorded("later");
  QByteArray bytes = read_whole(file);
  constexpr int kUserVersion = 60;  // where SQLite keeps it, with its lowest byte last
  bytes[kUserVersion + 3] = 4;
  QVERIFY(overwrite(file, bytes));
  const std::string program = last_.json()["version"].get<std::string>();
  for (const QStringList& command : {QStringList{"replay", file}, QStringList{"recording", "compact", file}}) {
    const Ran ran = leasescopectl(command);
    QCOMPARE(ran.exit, 2);
    SAYS(ran,
         QByteArray("later is a recording of form 4, and this program reads none above 3: read it with leasescope ") +
             program.c_str());
  }
}

void RecordingCommandsTest::aDamagedRecordingGivesWhatLiesBefore() {
  const QString scenario = write_file(folder_, "blocks.toml", good_scenario().replace("20s", "2000s"));
  const QString file = folder_.filePath("damaged"), mine = folder_.filePath("whole.jsonl");
  QCOMPARE(leasescopectl({"run", scenario, "--record", file, "--history", mine}).exit, 0);
  QByteArray bytes = read_whole(file);
  // In the middle of it lie events, in pages of 4096 bytes, of which the first lead to the next page.
  const qsizetype page = bytes.size() / 2 / 4096 * 4096;
  for (qsizetype at = page + 1'000; at < page + 3'000; ++at) bytes[at] = static_cast<char>(at);
  QVERIFY(overwrite(file, bytes));
  const QString out = folder_.filePath("before.jsonl");
  const Ran ran = leasescopectl({"recording", "export", file, out});
  QCOMPARE(ran.exit, 2);
  SAYS(ran, "damaged is damaged: its events ");
  SAYS(ran, "cannot be read (they were changed); those before can");
  QVERIFY2(read_whole(mine).startsWith(read_whole(out)), "what there is, is true");
  QVERIFY2(read_whole(out).count('\n') >= 4'096, "the blocks before");
  const Ran replay = leasescopectl({"replay", file});
  QCOMPARE(replay.exit, 2);
  QVERIFY(replay.out.isEmpty());
}

void RecordingCommandsTest::theHelpAndTheCompletionKnowThem() {
  QVERIFY(leasescopectl({"run", "--help"}).out.contains("--record"));
  QVERIFY(leasescopectl({"recording", "--help"}).out.contains("compact"));
  const QByteArray completion = leasescopectl({"completion", "bash"}).out;
  QVERIFY2(completion.contains("recording) words=\"info export merge import compact compare retain\""), completion);
  const QByteArray man = leasescopectl({"man"}).out;
  for (const char* const part : {".SS replay", ".SS recording export", ".SS recording info"})
    QVERIFY2(man.contains(part), man);
  const Ran unknown = leasescopectl({"recording", "inof", "file"});
  QCOMPARE(unknown.exit, 2);
  SAYS(unknown, "did you mean info?");
}

LEASESCOPE_SUITE(RecordingCommandsTest)
#include "recording_test.moc"
