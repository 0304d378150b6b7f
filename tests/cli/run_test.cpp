// `leasescopectl run` and `scenarios`: what they print, draw and write, and how they end.
#include <QRegularExpression>

#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class RunTest : public QObject {
  Q_OBJECT
 private slots:
  void gcPauseEndsAsExpectedWithEveryField();
  void withoutFencingTheStaleWriteIsAccepted();
  void sixtySimulatedSecondsTakeLessThanOne();
  void theSameSeedGivesTheSameTraceAndAnotherSeedAnother();
  void anotherFaultGivesAnotherTrace();
  void untilEndsTheRunEarlier();
  void anUnmetExpectationEndsWithThree();
  void aFileOfOnesOwnRuns();
  void anEvenNumberOfServersIsSaidToBeAWaste();
  void theSummaryNamesTheIncidents();
  void theChartIsDrawnAsSvgAndPng();
  void theHistoryIsJsonLinesInOrderOfTime();
  void everyBuiltInScenarioEndsAsExpected_data();
  void everyBuiltInScenarioEndsAsExpected();
  void scenariosListsThemWithTheirWorlds();
  void aWorldIsPromisedOnlyWhereAScenarioCanRun();
  void aRefusalNamesTheStoresOnWhichTheScenarioRuns();
  void whatHangsOnMessagesIsRefusedWhereNobodyIsToldAnything();
  void whatTheExpectationsDoNotSpeakOfIsNotJudged_data();
  void whatTheExpectationsDoNotSpeakOfIsNotJudged();
  void faultsAreListedWithTheirKeys();
  void theKeysOfAFileAreListedWithTheirDefaults();
  void helpIsNoError();

 private:
  QTemporaryDir folder_;
};

namespace {

#define ENDED(ran, code) \
  QVERIFY2((ran).exit == (code), "exit " + QByteArray::number((ran).exit) + ": " + (ran).err + (ran).out.left(400))

json run(const QStringList& more) {
  const Ran ran = leasescopectl(QStringList{"run"} + more + QStringList{"--json"});
  return ran.exit == 0 ? ran.json() : json();
}

}  // namespace

void RunTest::gcPauseEndsAsExpectedWithEveryField() {
  const Ran ran = leasescopectl({"run", "gc-pause", "--json"});
  ENDED(ran, 0);
  const json out = ran.json();
  QVERIFY2(out.is_object(), ran.out.left(200));
  for (const char* field : {"scenario",
                            "seed",
                            "store",
                            "world",
                            "simulated_seconds",
                            "wall_seconds",
                            "events",
                            "trace_hash",
                            "contenders",
                            "acquisitions",
                            "renewals",
                            "handoffs",
                            "leaderless_seconds",
                            "unobserved_seconds",
                            "belief_overlap_seconds",
                            "double_grants",
                            "stale_writes_rejected",
                            "stale_writes_accepted",
                            "fence_regressions",
                            "incidents",
                            "expected",
                            "as_expected"})
    QVERIFY2(out.contains(field), field);
  QCOMPARE(out["scenario"].get<std::string>(), std::string("gc-pause"));
  QCOMPARE(out["world"].get<std::string>(), std::string("virtual"));
  QVERIFY(QRegularExpression("^[0-9a-f]{16}$")
              .match(QString::fromStdString(out["trace_hash"].get<std::string>()))
              .hasMatch());
  QCOMPARE(out["as_expected"].get<bool>(), true);
  QCOMPARE(out["double_grants"].get<int>(), 0);
  QCOMPARE(out["stale_writes_accepted"].get<int>(), 0);
  QVERIFY(out["stale_writes_rejected"].get<int>() >= 1);
  QVERIFY(out["belief_overlap_seconds"].get<double>() > 0);
  bool overlap = false;
  for (const json& incident : out["incidents"]) {
    for (const char* field : {"kind", "mutex", "start_ns", "end_ns", "contenders", "tokens", "cause"})
      QVERIFY2(incident.contains(field), field);
    QVERIFY(incident["end_ns"].get<std::int64_t>() >= incident["start_ns"].get<std::int64_t>());
    QVERIFY(!incident["cause"].get<std::string>().empty());
    const json& margin = incident["margin"];
    QVERIFY(margin.is_object() && !margin["words"].get<std::string>().empty());
    if (incident["kind"] == "belief_overlap" && incident["contenders"].size() == 2) {
      QCOMPARE(margin["measure"].get<std::string>(), std::string("pause"));
      const auto ns = [&](const char* field) { return margin[field].get<std::int64_t>(); };
      QVERIFY(ns("had_ns") > 0 && ns("margin_ns") < 0);
      QCOMPARE(ns("margin_ns"), ns("had_ns") - ns("needed_ns"));
    }
    overlap = overlap || (incident["kind"] == "belief_overlap" && incident["contenders"].size() == 2);
  }
  QVERIFY(overlap);
}

void RunTest::withoutFencingTheStaleWriteIsAccepted() {
  const json out = run({"gc-pause", "--set", "resource.fencing=false"});
  QVERIFY(out.is_object());
  QVERIFY(out["stale_writes_accepted"].get<int>() >= 1);
  QCOMPARE(out["stale_writes_rejected"].get<int>(), 0);
}

void RunTest::sixtySimulatedSecondsTakeLessThanOne() {
  const json out = run({"gc-pause"});
  QVERIFY(out.is_object());
  QCOMPARE(out["simulated_seconds"].get<double>(), 60.0);
  QVERIFY(out["wall_seconds"].get<double>() < 1.0);
}

void RunTest::theSameSeedGivesTheSameTraceAndAnotherSeedAnother() {
  const json first = run({"gc-pause", "--seed", "11"});
  QVERIFY(first.is_object());
  QCOMPARE(first["seed"].get<int>(), 11);
  const std::string hash = first["trace_hash"].get<std::string>();
  for (int i = 0; i < 5; ++i) QCOMPARE(run({"gc-pause", "--seed", "11"})["trace_hash"].get<std::string>(), hash);
  QVERIFY(run({"gc-pause", "--seed", "12"})["trace_hash"] != first["trace_hash"]);
}

void RunTest::anotherFaultGivesAnotherTrace() {
  QVERIFY(run({"gc-pause"})["trace_hash"] != run({"gc-pause", "--set", "fault.0.duration=1 lease + 3s"})["trace_hash"]);
}

void RunTest::untilEndsTheRunEarlier() {
  const Ran ran = leasescopectl({"run", "healthy", "--until", "20s", "--json"});
  QVERIFY2(ran.json().is_object(), ran.err);
  QCOMPARE(ran.json()["simulated_seconds"].get<double>(), 20.0);
}

void RunTest::anUnmetExpectationEndsWithThree() {
  const QString file = write_file(folder_, "unmet.toml", good_scenario() + "[expect]\nacquisitions = \">= 1000\"\n");
  const Ran ran = leasescopectl({"run", file, "--json"});
  ENDED(ran, 3);
  QCOMPARE(ran.json()["as_expected"].get<bool>(), false);
  const Ran text = leasescopectl({"run", file});
  ENDED(text, 3);
  QVERIFY2(text.out.contains("NOT as expected") && text.out.contains("acquisitions"), text.out);
}

void RunTest::aFileOfOnesOwnRuns() {
  const QString file = write_file(folder_, "mine.toml", good_scenario());
  const Ran ran = leasescopectl({"run", file, "--json"});
  ENDED(ran, 0);
  QVERIFY2(ran.json()["as_expected"].is_null(), "nothing is expected of it");
  QCOMPARE(ran.json()["contenders"].get<int>(), 2);
}

void RunTest::anEvenNumberOfServersIsSaidToBeAWaste() {
  const Ran even = leasescopectl({"run", "quorum-healthy", "--set", "quorum.servers=4"});
  ENDED(even, 0);
  QVERIFY2(even.err.contains("one of them is wasted"), even.err);
  QVERIFY(!leasescopectl({"run", "quorum-healthy"}).err.contains("wasted"));
}

void RunTest::theSummaryNamesTheIncidents() {
  const Ran ran = leasescopectl({"run", "gc-pause"});
  ENDED(ran, 0);
  for (const char* words : {"gc-pause", "double grants 0", "seed 7", "as expected"})
    QVERIFY2(ran.out.contains(words), ran.out);
  QVERIFY2(!ran.out.contains("no incidents"), ran.out);
}

void RunTest::theChartIsDrawnAsSvgAndPng() {
  for (const QString name : {"chart.svg", "chart.png"}) {
    const QString file = folder_.filePath(name);
    const Ran ran = leasescopectl({"run", "gc-pause", "--report", file});
    ENDED(ran, 0);
    QVERIFY2(ran.out.contains(file.toUtf8()), ran.out);
    QFile picture(file);
    QVERIFY(picture.open(QIODevice::ReadOnly));
    const QByteArray bytes = picture.readAll();
    QVERIFY(bytes.size() > 10'000);
    QVERIFY(name.endsWith("svg") ? bytes.contains("<svg") && bytes.contains("</svg>") : bytes.startsWith("\x89PNG"));
  }
}

void RunTest::theHistoryIsJsonLinesInOrderOfTime() {
  const QString file = folder_.filePath("history.jsonl");
  const Ran ran = leasescopectl({"run", "gc-pause", "--history", file});
  ENDED(ran, 0);
  QFile history(file);
  QVERIFY(history.open(QIODevice::ReadOnly));
  int lines = 0;
  while (!history.atEnd()) {
    const QByteArray line = history.readLine();
    QVERIFY2(line.endsWith('\n'), "the last line is whole");
    QVERIFY2(json::parse(line.toStdString(), nullptr, false).is_object(), line);
    ++lines;
  }
  QVERIFY(lines > 100);
}

void RunTest::everyBuiltInScenarioEndsAsExpected_data() {
  QTest::addColumn<QString>("scenario");
  QTest::addColumn<QString>("fencing");
  QTest::addColumn<QString>("ttl");
  for (const char* name :
       {"healthy", "gc-pause", "owner-partition", "store-clock-forward", "no-transition", "lost-notification"})
    for (const char* fencing : {"true", "false"})
      for (const char* ttl : {"1s", "5s", "30s"})
        QTest::addRow("%s, fencing %s, ttl %s", name, fencing, ttl)
            << QString(name) << QString(fencing) << QString(ttl);
}

void RunTest::everyBuiltInScenarioEndsAsExpected() {
  QFETCH(QString, scenario);
  QFETCH(QString, fencing);
  QFETCH(QString, ttl);
  const Ran ran = leasescopectl({"run", scenario, "--set", "resource.fencing=" + fencing, "--set", "mutex.ttl=" + ttl});
  ENDED(ran, 0);
  QVERIFY2(ran.out.contains("\nas expected\n"), ran.out);
}

void RunTest::scenariosListsThemWithTheirWorlds() {
  const Ran ran = leasescopectl({"scenarios", "--json"});
  ENDED(ran, 0);
  const json list = ran.json();
  QVERIFY(list.is_array());
  QVERIFY(list.size() >= 6);
  for (const json& scenario : list) {
    QVERIFY(!scenario["title"].get<std::string>().empty());
    QVERIFY(std::find(scenario["worlds"].begin(), scenario["worlds"].end(), "virtual") != scenario["worlds"].end());
    // It happens live, or there is a reason why not.
    QCOMPARE(scenario["not_live"].is_null(), scenario["worlds"].size() > 1);
    if (scenario["not_live"].is_string()) QVERIFY(!scenario["not_live"].get<std::string>().empty());
  }
  QVERIFY(leasescopectl({"scenarios"}).out.contains("gc-pause"));
}

// What is promised is what `run --store` does. A store that nobody started is refused later, with its address.
void RunTest::aWorldIsPromisedOnlyWhereAScenarioCanRun() {
  int live = 0;
  for (const json& scenario : leasescopectl({"scenarios", "--json"}).json()) {
    const auto worlds = scenario["worlds"].get<std::vector<std::string>>();
    const bool promised = std::find(worlds.begin(), worlds.end(), "live:redis") != worlds.end();
    const QString name = QString::fromStdString(scenario["name"].get<std::string>());
    const Ran ran = leasescopectl({"run", name, "--store", "unix:/nowhere/redis.sock"});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("runs in these worlds: virtual") != promised, name.toUtf8() + ": " + ran.err);
    live += promised;
  }
  QVERIFY(live >= 5);
}

// MySQL tells nobody anything: whoever waits there comes by its timer, and there is no overlap of milliseconds.
void RunTest::whatHangsOnMessagesIsRefusedWhereNobodyIsToldAnything() {
  for (const char* name : {"late-packet", "stop-while-acquiring", "store-clock-forward"}) {
    const Ran ran = leasescopectl({"run", name, "--store", "mysql"});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("its outcome hangs on hearing of grants and releases, of which nobody is told on mysql"),
             ran.err);
    QVERIFY2(ran.err.contains("virtual, live:redis, live:postgres;"), ran.err);
  }
}

void RunTest::aRefusalNamesTheStoresOnWhichTheScenarioRuns() {
  const Ran ran = leasescopectl({"run", "redis-failover", "--store", "postgres"});
  QCOMPARE(ran.exit, 2);
  QVERIFY2(ran.err.contains("leave --store out or say --store redis"), ran.err);
}

// Before, exit 3 for what the scenario had never said. A cut run has not come to its verdict.
void RunTest::whatTheExpectationsDoNotSpeakOfIsNotJudged_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("words");
  QTest::newRow("count") << QStringList{"--set", "contender.0.count=1"} << QByteArray("contender.0.count below 2");
  QTest::newRow("edited") << QStringList{"--set", "fault.0.duration=10ms"} << QByteArray("edited (fault.0.duration)");
  QTest::newRow("stopped") << QStringList{"--until", "20s"} << QByteArray("stopped");
}

void RunTest::whatTheExpectationsDoNotSpeakOfIsNotJudged() {
  QFETCH(QStringList, arguments);
  QFETCH(QByteArray, words);
  const Ran text = leasescopectl(QStringList{"run", "gc-pause"} + arguments);
  ENDED(text, 0);
  QVERIFY2(text.out.contains("\nnot judged: " + words + "\n"), text.out);
  const json out = run(QStringList{"gc-pause"} + arguments);
  QVERIFY(out["as_expected"].is_null());
  QCOMPARE(out["not_judged"].get<std::string>(), words.toStdString());
}

void RunTest::theKeysOfAFileAreListedWithTheirDefaults() {
  const Ran ran = leasescopectl({"scenarios", "--keys", "--json"});
  QCOMPARE(ran.exit, 0);
  const auto keys = nlohmann::json::parse(ran.out.toStdString());
  const auto of = [&](const char* table, const char* key) {
    for (const auto& row : keys)
      if (row["table"] == table && row["key"] == key) return row;
    return nlohmann::json();
  };
  QVERIFY(of("", "schema")["required"].get<bool>());
  QVERIFY(of("replay", "hash")["required"].get<bool>());
  QVERIFY(of("mutex", "ttl")["required"].get<bool>());
  QVERIFY(of("mutex", "ttl")["default"].is_null());
  QCOMPARE(of("contender", "count")["default"].get<std::string>(), std::string("1"));
  QCOMPARE(of("store.sql", "pool")["default"].get<std::string>(), std::string("10"));
  QVERIFY(of("resource", "fencing")["may_change_at_a_fork"].get<bool>());
  QVERIFY(!of("store", "timeout")["may_change_at_a_fork"].get<bool>());
  const Ran both = leasescopectl({"scenarios", "--keys", "--faults"});
  QCOMPARE(both.exit, 2);
}

void RunTest::faultsAreListedWithTheirKeys() {
  const Ran ran = leasescopectl({"scenarios", "--faults", "--json"});
  ENDED(ran, 0);
  QVERIFY(ran.json().is_array());
  for (const char* kind : {"pause", "partition", "crash"}) QVERIFY2(ran.out.contains(kind), kind);
}

void RunTest::helpIsNoError() {
  for (const QStringList& arguments : {QStringList{"--help"}, QStringList{"run", "--help"}}) {
    const Ran ran = leasescopectl(arguments);
    ENDED(ran, 0);
    QVERIFY(ran.out.contains("leasescopectl"));
  }
}

LEASESCOPE_SUITE(RunTest)
#include "run_test.moc"
