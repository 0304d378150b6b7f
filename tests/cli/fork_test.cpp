// `run --until` and `--fork-at`: the past stays, the --sets apply from there on, and what cannot be is refused.
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class ForkTest : public QObject {
  Q_OBJECT
 private slots:
  void aForkWithNothingChangedIsTheSameRun();
  void whatIsSetAfterTheForkAppliesFromThere();
  void whatIsSetBeforeTheForkIsForTheWholeRun();
  void withNothingAfterItWhatIsSetBeforeAppliesFromThere();
  void theEventsBeforeTheForkAreTheSame();
  void whoeverSaysAnewWhatIsExpectedIsJudgedByThat();
  void aForkMayBeGivenInLeases();
  void anUnforkedRunSaysNull();
  void aForkedRunMayEndEarlier();
  void aForkMayLastLonger();
  void whatCannotBeIsRefused_data();
  void whatCannotBeIsRefused();

 private:
  QTemporaryDir folder_;
};

namespace {

json run(const QStringList& more) {
  const Ran ran = leasescopectl(QStringList{"run", "gc-pause"} + more + QStringList{"--json"});
  if (ran.exit != 0 && ran.exit != 3) qWarning("exit %d: %s", ran.exit, ran.err.constData());
  return ran.json();
}

QList<QByteArray> history_of(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  file.readLine();  // what it is a history of
  return file.readAll().split('\n');
}

}  // namespace

void ForkTest::aForkWithNothingChangedIsTheSameRun() {
  const json whole = run({}), forked = run({"--fork-at", "15s"});
  QVERIFY2(forked["trace_hash"] == whole["trace_hash"], forked.dump().c_str());
  QCOMPARE(forked["events"].get<int>(), whole["events"].get<int>());
  QCOMPARE(forked["forked_at_seconds"].get<double>(), 15.0);
  QCOMPARE(forked["as_expected"].get<bool>(), true);
}

void ForkTest::whatIsSetAfterTheForkAppliesFromThere() {
  const json out = run({"--fork-at", "15s", "--set", "resource.fencing=false"});
  QVERIFY(out["stale_writes_accepted"].get<int>() >= 1);
  QCOMPARE(out["stale_writes_rejected"].get<int>(), 0);
  // Later than the stale write, it changes nothing any more.
  const json late = run({"--fork-at", "30s", "--set", "resource.fencing=false"});
  QCOMPARE(late["stale_writes_accepted"].get<int>(), 0);
  QVERIFY(late["stale_writes_rejected"].get<int>() >= 1);
}

void ForkTest::whatIsSetBeforeTheForkIsForTheWholeRun() {
  const json out = run({"--set", "mutex.ttl=3s", "--fork-at", "11s", "--set", "resource.fencing=false"});
  QVERIFY(out.is_object());
  QVERIFY(out["stale_writes_accepted"].get<int>() >= 1);
  QVERIFY(out["renewals"].get<int>() > run({})["renewals"].get<int>());
}

void ForkTest::withNothingAfterItWhatIsSetBeforeAppliesFromThere() {
  const json before = run({"--set", "resource.fencing=false", "--fork-at", "15s"});
  const json after = run({"--fork-at", "15s", "--set", "resource.fencing=false"});
  QCOMPARE(before["trace_hash"].get<std::string>(), after["trace_hash"].get<std::string>());
}

void ForkTest::theEventsBeforeTheForkAreTheSame() {
  const QString whole = folder_.filePath("whole.jsonl"), forked = folder_.filePath("forked.jsonl");
  run({"--history", whole});
  run({"--history", forked, "--fork-at", "20s", "--set", "store.latency=40ms"});
  const QList<QByteArray> a = history_of(whole), b = history_of(forked);
  int before = 0;
  for (; before < a.size() && before < b.size() && a[before] == b[before]; ++before) {
  }
  QVERIFY(before < a.size() && before < b.size());
  const auto at = [](const QByteArray& line) { return json::parse(line.toStdString())["hi_ns"].get<std::int64_t>(); };
  QVERIFY(before > 100);
  QVERIFY(at(a[before]) >= 20'000'000'000 && at(b[before]) >= 20'000'000'000);
}

void ForkTest::whoeverSaysAnewWhatIsExpectedIsJudgedByThat() {
  const QStringList fork{"--fork-at", "15s", "--set", "resource.fencing=false"};
  QVERIFY(run(fork)["as_expected"].is_null());
  const char* field = "expect.unfenced.stale_writes_accepted=";
  QCOMPARE(run(fork + QStringList{"--set", QString(field) + "0"})["as_expected"].get<bool>(), false);
  const json good = run(fork + QStringList{"--set", QString(field) + "true"});
  QVERIFY2(good["as_expected"] == true, good["reasons"].dump().c_str());
}

void ForkTest::aForkMayBeGivenInLeases() {
  QCOMPARE(run({"--fork-at", "2 leases + 1s"})["forked_at_seconds"].get<double>(), 15.0);
}

void ForkTest::anUnforkedRunSaysNull() { QVERIFY(run({})["forked_at_seconds"].is_null()); }

void ForkTest::aForkedRunMayEndEarlier() {
  const json out = run({"--fork-at", "15s", "--until", "25s", "--set", "resource.fencing=false"});
  QCOMPARE(out["simulated_seconds"].get<double>(), 25.0);
  QVERIFY(out["stale_writes_accepted"].get<int>() >= 1);
}

void ForkTest::aForkMayLastLonger() {
  QCOMPARE(run({"--fork-at", "15s", "--set", "duration=90s"})["simulated_seconds"].get<double>(), 90.0);
}

void ForkTest::whatCannotBeIsRefused_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("words");
  const auto row = [](const char* name, const QStringList& arguments, const char* words) {
    QTest::newRow(name) << arguments << QByteArray(words);
  };
  row("no time", {"--fork-at", "soon"}, "\"soon\" is not a time: expected a time such as");
  row("nothing before it", {"--fork-at", "0s"}, "expected more than 0s");
  row("negative", {"--fork-at=-3s"}, "expected more than 0s");
  row("after the end", {"--fork-at", "60s"}, "expected a time before the end of the run at 1m");
  row("after --until", {"--fork-at", "20s", "--until", "20s"}, "expected a time before the end of the run at 20s");
  row("ttl", {"--fork-at", "20s", "--set", "mutex.ttl=1s"}, "mutex.ttl cannot change at a fork: expected changes of");
  row("contenders", {"--fork-at", "20s", "--set", "contender.0.count=9"}, "contender.0.count cannot change");
  row("seed", {"--fork-at", "20s", "--set", "seed=9"}, "seed cannot change at a fork");
  row("what has begun", {"--fork-at", "20s", "--set", "fault.0.duration=1s"}, "what has happened cannot be changed");
  row("into the past", {"--fork-at", "5s", "--set", "fault.0.at=3s"}, "lies before the fork at 5.000 s");
  row("over already", {"--fork-at", "20s", "--set", "duration=10s"}, "expected to end after the fork at 20.000 s");
  row("unknown key", {"--fork-at", "20s", "--set", "resource.fence=false"}, "fence is not a key");
  row("live", {"--fork-at", "20s", "--store", "redis"}, "expected a run in virtual time");
  row("until no time", {"--until", "later"}, "--until: \"later\" is not a time");
}

void ForkTest::whatCannotBeIsRefused() {
  QFETCH(QStringList, arguments);
  QFETCH(QByteArray, words);
  const Ran ran = leasescopectl(QStringList{"run", "gc-pause", "--json"} + arguments);
  QVERIFY2(ran.exit == 2, "exit " + QByteArray::number(ran.exit) + ": " + ran.err);
  QVERIFY2(ran.err.contains(words), ran.err);
  QVERIFY2(ran.out.isEmpty(), ran.out);
}

LEASESCOPE_SUITE(ForkTest)
#include "fork_test.moc"
