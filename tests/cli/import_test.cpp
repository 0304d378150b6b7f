// `recording import` and `recording merge`: histories in words as recordings, several recordings as one.
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <csignal>

#include "tests/cli/program.h"
#include "tests/support/merged.h"
#include "tests/support/observed.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class ImportCommandsTest : public QObject {
  Q_OBJECT
 private slots:
  void exportImportAndExportAreTheSameBytes_data();
  void exportImportAndExportAreTheSameBytes();
  void whatIsImportedIsReplayedWithoutAVerdict();
  void whatCannotBeImportedLeavesNothing_data();
  void whatCannotBeImportedLeavesNothing();
  void whatIsThereStays();
  void whoInterruptsItLeavesNothing();
  void aFullDiskIsSaidAndNothingIsLeft();
  void aLineThatIsCutShortIsSaid();
  void twoLiveRecordingsBecomeOne();
  void observersOfOneMutexBecomeOneAccount();
  void whatIsNoOffsetIsSaid();
  void oneMergedIsItself();
  void whatIsNotMergedSaysWhy();
  void theHelpKnowsThem();

 private:
  QString file(const char* name) const { return folder_.filePath(name); }
  QTemporaryDir folder_;
};

namespace {

QStringList fast_live() {
  return {"--store", "redis", "--set", "mutex.ttl=400ms", "--set", "mutex.transition=200ms", "--set", "duration=2s"};
}

}  // namespace

void ImportCommandsTest::exportImportAndExportAreTheSameBytes_data() {
  QTest::addColumn<QString>("ending");
  QTest::addColumn<QStringList>("run");
  for (const char* const ending : {"jsonl", "edn"}) {
    const auto row = [&](const char* name, const QStringList& run) {
      QTest::addRow("%s %s", ending, name) << ending << run;
    };
    row("leases", {"gc-pause"});
    row("calls", {"fenced-gc-pause"});
    row("forked", {"gc-pause", "--fork-at", "15s", "--set", "resource.fencing=false"});
    row("a part", {"gc-pause", "--until", "20s"});
    row("live", QStringList{"gc-pause"} + fast_live());
  }
}

void ImportCommandsTest::exportImportAndExportAreTheSameBytes() {
  QFETCH(QString, ending);
  QFETCH(QStringList, run);
  for (const char* const name : {"run", "imported"}) QFile::remove(file(name));
  const QString first = file("first.") + ending, again = file("again.") + ending;
  const Ran ran = leasescopectl(QStringList{"run"} + run + QStringList{"--record", file("run"), "--json"});
  QVERIFY2(ran.json().is_object(), ran.err);
  QCOMPARE(leasescopectl({"recording", "export", file("run"), first}).exit, 0);
  const Ran import = leasescopectl({"recording", "import", first, file("imported")});
  QVERIFY2(import.exit == 0, import.err);
  QCOMPARE(import.err, QByteArray());
  QCOMPARE(leasescopectl({"recording", "export", file("imported"), again}).exit, 0);
  QVERIFY(read_whole(first).size() > 500);
  QCOMPARE(read_whole(again), read_whole(first));
}

void ImportCommandsTest::whatIsImportedIsReplayedWithoutAVerdict() {
  const QString lines = file("said.jsonl"), recording = file("said");
  const Ran ran = leasescopectl({"run", "gc-pause", "--json", "--history", lines});
  QCOMPARE(leasescopectl({"recording", "import", lines, recording}).exit, 0);
  QVERIFY(!QFile::exists(recording + ".part"));
  const Ran replay = leasescopectl({"replay", recording, "--json"});
  QCOMPARE(replay.exit, 0);
  const json was = ran.json(), is = replay.json();
  for (const char* const field : {"scenario", "seed", "world", "acquisitions", "renewals", "handoffs", "double_grants",
                                  "stale_writes_rejected", "belief_overlap_seconds"})
    QCOMPARE(QByteArray::fromStdString(is[field].dump()), QByteArray::fromStdString(was[field].dump()));
  QCOMPARE(is["incidents"].size(), was["incidents"].size());
  QVERIFY(is["as_expected"].is_null());
  QCOMPARE(is["not_judged"].get<std::string>(), std::string("a history in words keeps no verdict"));
}

void ImportCommandsTest::whatCannotBeImportedLeavesNothing_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QByteArray>("told");
  const auto row = [](const char* name, const QByteArray& bytes, const char* told) {
    QTest::newRow(name) << bytes << QByteArray(told);
  };
  row("empty", "", "is empty: expected a recording");
  row("a later version", "{\"format\":\"leasescope history\",\"version\":2,\"program\":\"9.9\"}\n",
      "words:1: expected \"version\": 1, and leasescope 9.9 wrote another: read it with that");
  row("no scenario", "{\"format\":\"leasescope history\",\"version\":1,\"toml\":\"schema = 1\"}\n",
      "words, its scenario");
  row("calls that end before", "{:process 0, :type :ok, :f :acquire, :time 5}",
      "words:1:1: process 0 has no open call");
  row("no calls", "[{}]", "words:1:2: expected \"type\"");
  row("a picture", QByteArray("\x89PNG\r\n") + QByteArray(5'000, 'x'), "words is no recording");
}

void ImportCommandsTest::whatCannotBeImportedLeavesNothing() {
  QFETCH(QByteArray, bytes);
  QFETCH(QByteArray, told);
  QVERIFY(overwrite(file("words"), bytes));
  const Ran ran = leasescopectl({"recording", "import", file("words"), file("out")});
  QVERIFY2(ran.exit == 2, ran.err);
  SAYS(ran, told);
  for (const char* const left : {"out", "out.part", "out.part-wal"}) QVERIFY(!QFile::exists(file(left)));
}

void ImportCommandsTest::whatIsThereStays() {
  const QString lines = file("healthy.jsonl");
  QCOMPARE(leasescopectl({"run", "healthy", "--history", lines}).exit, 0);
  const QByteArray good = read_whole(lines);
  QVERIFY(overwrite(lines, QByteArray(good).replace("{\"seq\":300,", "{\"seq\":3000,")));
  const Ran middle = leasescopectl({"recording", "import", lines, file("out")});
  QCOMPARE(middle.exit, 2);
  SAYS(middle, "healthy.jsonl:301:1: expected the event of \"seq\" 300, not 3000");
  for (const char* const left : {"out", "out.part", "out.part-wal"}) QVERIFY(!QFile::exists(file(left)));
  QVERIFY(overwrite(lines, good));
  QVERIFY(overwrite(file("there"), "mine"));
  SAYS(leasescopectl({"recording", "import", lines, file("there")}), "there is there already and is not written over");
  QCOMPARE(read_whole(file("there")), QByteArray("mine"));
  QCOMPARE(leasescopectl({"recording", "import", lines, file("made")}).exit, 0);
  const Ran twice = leasescopectl({"recording", "import", file("made"), file("out")});
  QCOMPARE(twice.exit, 2);
  SAYS(twice,
       "made is a recording already: expected the history of a run, in JSON lines; a history of calls, in EDN or JSON");
}

void ImportCommandsTest::whoInterruptsItLeavesNothing() {
  QCOMPARE(leasescopectl({"run", "gc-pause", "--set", "duration=60000s", "--history", file("long.jsonl")}).exit, 0);
  QProcess process;
  process.start(kLeasescopectl, {"recording", "import", file("long.jsonl"), file("half")});
  QVERIFY(process.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file("half.part")).size() > 0, 20'000);
  QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
  QVERIFY(process.waitForFinished());
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 1);
  const QByteArray said = process.readAllStandardError();
  QVERIFY2(said.contains("interrupted: nothing is left of"), said);
  for (const char* const left : {"half", "half.part", "half.part-wal", "half.part-shm"})
    QVERIFY2(!QFile::exists(file(left)), left);
}

// A limit on the size of files (in blocks of 512 bytes) fails a write as a full disk does.
void ImportCommandsTest::aFullDiskIsSaidAndNothingIsLeft() {
  QProcess process;
  process.start("sh", {"-c", QString("ulimit -f 1000; exec %1 recording import %2 %3")
                                 .arg(kLeasescopectl, file("long.jsonl"), file("full"))});
  QVERIFY(process.waitForFinished());
  QCOMPARE(process.exitCode(), 1);
  const QByteArray said = process.readAllStandardError();
  QVERIFY2(said.contains("make room, or write elsewhere. Nothing is left of it"), said);
  QVERIFY2(!said.contains("before are in it"), said);
  for (const char* const left : {"full", "full.part", "full.part-wal"}) QVERIFY2(!QFile::exists(file(left)), left);
}

void ImportCommandsTest::aLineThatIsCutShortIsSaid() {
  leasescopectl({"run", "healthy", "--history", file("cut.jsonl")});
  QVERIFY(overwrite(file("cut.jsonl"), read_whole(file("cut.jsonl")).chopped(9)));
  const Ran ran = leasescopectl({"recording", "import", file("cut.jsonl"), file("cut")});
  QCOMPARE(ran.exit, 0);
  SAYS(ran, "is cut short and was left out");
}

void ImportCommandsTest::twoLiveRecordingsBecomeOne() {
  for (const char* const name : {"a", "b"}) {
    QFile::remove(file(name));
    leasescopectl(QStringList{"run", "gc-pause", "--json", "--record", file(name)} + fast_live());
  }
  const Ran ran = leasescopectl({"recording", "merge", file("a"), file("b"), file("both")});
  QVERIFY2(ran.exit == 0, ran.err);
  SAYS(ran, "/b: c1 is c1 (2), c2 is c2 (2), c3 is c3 (2), ledger is ledger (2), orders is orders (2)");
  const auto info = [&](const char* name) { return leasescopectl({"recording", "info", file(name), "--json"}).json(); };
  const json a = info("a"), b = info("b"), both = info("both");
  QCOMPARE(both["events"].get<int>(), a["events"].get<int>() + b["events"].get<int>());
  QCOMPARE(both["epoch_unix_ns"].get<std::int64_t>(), a["epoch_unix_ns"].get<std::int64_t>());
  const double apart =
      static_cast<double>(b["epoch_unix_ns"].get<std::int64_t>() - a["epoch_unix_ns"].get<std::int64_t>());
  QVERIFY(std::abs(both["covered_seconds"].get<double>() - b["covered_seconds"].get<double>() - apart / 1e9) < 0.001);
  QCOMPARE(both["mutexes"].size(), std::size_t{2});
  QCOMPARE(both["contenders"].size(), std::size_t{6});
  const Ran replay = leasescopectl({"replay", file("both"), "--json", "--report", file("both.png")});
  QVERIFY2(replay.exit == 0, replay.err);
  QVERIFY(replay.json()["as_expected"].is_null());
  QVERIFY(read_whole(file("both.png")).size() > 10'000);
}

// Each looks every 100 ms, and the clock of the second is 120 ms ahead.
void ImportCommandsTest::observersOfOneMutexBecomeOneAccount() {
  constexpr std::int64_t kMs = 1'000'000, kBegin = 1'700'000'000'000'000'000;
  std::vector<TrueTerm> truth;
  for (int i = 0; i < 10; ++i)
    truth.push_back({i % 2 == 0 ? "api-1" : "api-2", static_cast<leasescope::Token>(i + 1), kBegin + i * 5'000 * kMs,
                     kBegin + (i + 1) * 5'000 * kMs});
  const auto watched = [&](const char* name, std::int64_t from, std::int64_t ahead) {
    std::vector<Look> looks;
    for (std::int64_t at = from; at < 48'000; at += 100)
      looks.push_back({kBegin + at * kMs, kBegin + (at + 2) * kMs, kBegin + (at + 4) * kMs});
    Recorded out;
    const Seen of = seen(truth, looks, ahead * kMs, out.history.names);
    out.header = told_header();
    out.header.scenario = "watch";
    out.header.fork.reset();
    out.header.until_ns.reset();
    out.header.epoch_ns = of.epoch_ns;
    out.history.events = of.events;
    out.history.now = of.now;
    out.outcome.emplace();
    QFile::remove(file(name));
    return record(file(name).toStdString(), out);
  };
  QCOMPARE(watched("watch-a", 1'000, 0), std::string());
  QCOMPARE(watched("watch-b", 2'050, 120), std::string());
  const auto granted = [&](const char* name) {
    return leasescopectl({"recording", "export", file(name), "-"}).out.count("\"granted\"");
  };
  const Ran ran = leasescopectl({"recording", "merge", file("watch-a"), file("watch-b"), file("watched")});
  QVERIFY2(ran.exit == 0, ran.err);
  SAYS(ran, "watch-b: its clock is 1");
  SAYS(ran, "'s by 18 grants and ends that both saw");
  QCOMPARE(granted("watched"), granted("watch-a"));
  const json info = leasescopectl({"recording", "info", file("watched"), "--json"}).json();
  QVERIFY(info["title"].get<std::string>().find("its clock is 1") != std::string::npos);
  const Ran apart =
      leasescopectl({"recording", "merge", "--no-offsets", file("watch-a"), file("watch-b"), file("apart")});
  QVERIFY2(apart.exit == 0, apart.err);
  SAYS(apart, "orders is orders (2)");
  QCOMPARE(granted("apart"), granted("watch-a") * 2);
  const Ran given = leasescopectl(
      {"recording", "merge", "--offset", file("watch-b") + "=120ms", file("watch-a"), file("watch-b"), file("given")});
  QVERIFY2(given.exit == 0, given.err);
  SAYS(given, "its clock is taken to be 120ms ahead of");
  QCOMPARE(granted("given"), granted("watch-a"));
}

void ImportCommandsTest::whatIsNoOffsetIsSaid() {
  const auto refused = [&](const QStringList& how, const QByteArray& why) {
    const Ran ran = leasescopectl(QStringList{"recording", "merge"} + how + QStringList{"a", "b", file("never")});
    QVERIFY2(ran.exit == 2 && ran.err.contains(why), ran.err);
    QVERIFY(!QFile::exists(file("never")));
  };
  refused({"--offset", "120ms"},
          "--offset 120ms: expected one of the recordings, = and by how much its clock is ahead");
  refused({"--offset", "b=soon"}, "--offset b=soon: \"soon\" is not a duration");
  refused({"--offset", "b=9000h"}, "--offset b=9000h: expected a year at most");
  refused({"--offset", "b=1s", "--offset", "b=2s"}, "--offset b=2s: one was given of it before");
  refused({"--offset", "b=1s", "--no-offsets"}, "expected --offset or --no-offsets, not both");
  refused({"--offset", "c=1s"}, "c: an offset is given of it, and it is none of the recordings");
}

void ImportCommandsTest::oneMergedIsItself() {
  QVERIFY(leasescopectl({"run", "gc-pause", "--json", "--record", file("one")}).json().is_object());
  QCOMPARE(leasescopectl({"recording", "merge", file("one"), file("itself")}).exit, 0);
  QCOMPARE(leasescopectl({"replay", file("itself"), "--json"}).out,
           leasescopectl({"replay", file("one"), "--json"}).out);
  QCOMPARE(leasescopectl({"recording", "export", file("itself"), "-"}).out,
           leasescopectl({"recording", "export", file("one"), "-"}).out);
}

void ImportCommandsTest::whatIsNotMergedSaysWhy() {
  const auto run = [&](const char* name, const QStringList& more) {
    QFile::remove(file(name));
    leasescopectl(QStringList{"run", "gc-pause", "--json", "--record", file(name)} + more);
  };
  run("seven", {});
  run("eight", {"--seed", "8"});
  run("live", fast_live());
  const auto refused = [&](const QStringList& of, const QByteArray& why) {
    const Ran ran = leasescopectl(QStringList{"recording", "merge"} + of + QStringList{file("never")});
    QVERIFY2(ran.exit == 2 && ran.err.contains(why), ran.err);
    QVERIFY(!QFile::exists(file("never")) && !QFile::exists(file("never.part")));
  };
  refused({file("seven"), file("eight")},
          "are two runs of gc-pause (seeds 7 and 8), each of which begins at 0: compare them");
  refused({file("seven"), file("seven")}, "are recordings of the same run: name it once");
  refused({file("seven"), file("live")}, "are of the virtual and the live world");
  refused({file("seven"), file("missing")}, "missing: No such file or directory");
  const Ran alone = leasescopectl({"recording", "merge", file("seven")});
  QCOMPARE(alone.exit, 2);
  SAYS(alone, "seven: expected recordings, and at last the one to be made of them");
  SAYS(leasescopectl({"recording", "merge", file("seven"), file("live")}), "is there already and is not written over");
}

void ImportCommandsTest::theHelpKnowsThem() {
  const QByteArray help = leasescopectl({"recording", "--help"}).out;
  QVERIFY2(help.contains("import") && help.contains("merge"), help);
  const QByteArray man = leasescopectl({"man"}).out;
  for (const char* const part : {".SS recording import", ".SS recording merge"}) QVERIFY2(man.contains(part), man);
}

LEASESCOPE_SUITE(ImportCommandsTest)
#include "import_test.moc"
