// Histories in words, read back: what was written of them is written again to the byte, and incidents and summary are
// those of the same events. LEASESCOPE_RECORDING_MUTATED is how many are damaged; tests/recording_campaign sets it.
#include <random>

#include <QTemporaryDir>

#include "core/check/call_writer.h"
#include "core/check/run_calls.h"
#include "core/history/history_file.h"
#include "core/history/recorder.h"
#include "simulator/import/history_formats.h"
#include "simulator/run/recorded_run.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/scenario_legend.h"
#include "tests/support/recordings.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class ImportTest : public QObject {
  Q_OBJECT
 private slots:
  void everyRunInLinesComesBackTheSame_data() { scenarios(); }
  void everyRunInLinesComesBackTheSame();
  void everyRunsCallsComeBackTheSame_data() { scenarios(); }
  void everyRunsCallsComeBackTheSame();
  void linesOfAPartKeepTheirNumbers();
  void everyKindOfEventComesBack();
  void aLineThatIsCutShortIsLeftOutAndSaid();
  void whatIsWrongIsToldByItsLine_data();
  void whatIsWrongIsToldByItsLine();
  void whatCameBeforeAWrongLineIsRight();
  void callsOfOthersAreTakenAsTheyTellThem();
  void eachFormatIsKnownByItsBeginning();
  void whateverIsChangedInThemEndsInOrder();

 private:
  static void scenarios() {
    QTest::addColumn<QString>("name");
    for (const BuiltIn& built_in : built_in_scenarios())
      QTest::newRow(built_in.name.c_str()) << QString::fromStdString(built_in.name);
  }
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  std::string write(const char* name, const std::string& bytes) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0) return {};
    return path(name);
  }
  QTemporaryDir folder_;
};

namespace {

std::string in_lines(const HistoryHeader& header, const History& history) {
  HistoryLines lines;
  std::string out = header_line(header);
  for (std::size_t i = 0; i < history.events.size(); ++i) lines.add(history, history.number(i), out);
  return out;
}

// As run --history FILE.edn does it.
std::string in_edn(const HistoryHeader& header, const History& history) {
  check::RunCalls applications(false), grants(true);
  if (header.world == kToldCalls) applications.take_as_told();
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    applications.add(history, history.number(i));
    grants.add(history, history.number(i));
  }
  return check::edn((applications.called() ? applications : grants).calls());
}

struct Imported {
  std::string error;  // why it could not be opened, or read to its end
  HistoryHeader header;
  History history;
  std::vector<std::string> remarks;
  std::optional<RecordedOutcome> outcome;
};

Imported import(const std::string& path) {
  Imported out;
  const auto source = open_history(path);
  if (!source) return {source.error()};
  std::vector<Event> events;
  while ((*source)->read_page(events)) {
  }
  out.error = (*source)->error();
  out.header = (*source)->header();
  out.history = (*source)->frame();
  out.history.events = std::move(events);
  out.remarks = (*source)->remarks();
  out.outcome = (*source)->outcome();
  return out;
}

HistoryHeader header_of(const VirtualRun& run) {
  return history_header(run.scenario(), run.outcome(), TrueTime::max());
}

// What the first difference of two texts is near.
std::string apart(const std::string& a, const std::string& b) {
  if (a == b) return {};
  const std::size_t at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin()).first -
      a.begin());
  const std::size_t from = a.rfind('\n', at) == std::string::npos ? 0 : a.rfind('\n', at) + 1;
  return fmt::format("{} and {}", a.substr(from, 300), b.substr(from, 300));
}

}  // namespace

void ImportTest::everyRunInLinesComesBackTheSame() {
  QFETCH(QString, name);
  VirtualRun run(find_scenario(name.toStdString()).value());
  while (run.advance(TrueTime::max())) {
  }
  const std::string written = in_lines(header_of(run), run.history());
  const Imported read = import(write("run.jsonl", written));
  QCOMPARE(read.error, std::string());
  QCOMPARE(apart(in_lines(read.header, read.history), written), std::string());
  QVERIFY(same(read.history.legend, run.history().legend));
  // Judged as a run that ended with its last event.
  Recorder expected(run.history().names, run.scenario().terms(), run.history().legend);
  for (const Event& event : run.history().events) expected.append(event);
  expected.finish(read.history.now);
  QVERIFY(same(read.history.summary, expected.history().summary));
  QCOMPARE(read.history.incidents.size(), expected.history().incidents.size());
  for (std::size_t i = 0; i < read.history.incidents.size(); ++i) {
    const Incident &mine = read.history.incidents[i], &theirs = expected.history().incidents[i];
    QCOMPARE(mine.cause, theirs.cause);
    QVERIFY(mine.kind == theirs.kind && mine.start == theirs.start && mine.end == theirs.end);
  }
  QVERIFY(!read.outcome->as_expected);
}

void ImportTest::everyRunsCallsComeBackTheSame() {
  QFETCH(QString, name);
  VirtualRun run(find_scenario(name.toStdString()).value());
  while (run.advance(TrueTime::max())) {
  }
  const std::string written = in_edn(header_of(run), run.history());
  if (written.empty()) return;
  const Imported read = import(write("run.edn", written));
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.remarks.size(), std::size_t{0});
  QCOMPARE(apart(in_edn(read.header, read.history), written), std::string());
  // The calls go into lines as well, and come back.
  const Imported again = import(write("calls.jsonl", in_lines(read.header, read.history)));
  QCOMPARE(again.error, std::string());
  QCOMPARE(apart(in_edn(again.header, again.history), written), std::string());
}

void ImportTest::linesOfAPartKeepTheirNumbers() {
  VirtualRun run(find_scenario("gc-pause").value());
  while (run.advance(TrueTime::max())) {
  }
  History part = run.history();
  part.events.erase(part.events.begin(), part.events.begin() + 500);
  part.forgotten = 500;
  const std::string written = in_lines(header_of(run), part);
  const Imported read = import(write("part.jsonl", written));
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.history.forgotten, Sequence{500});
  QCOMPARE(apart(in_lines(read.header, read.history), written), std::string());
}

void ImportTest::everyKindOfEventComesBack() {
  VirtualRun run(find_scenario("gc-pause").value());
  ToldHistory told;
  told.grow(20'000);
  const std::string written = in_lines(header_of(run), told.history());
  const Imported read = import(write("all.jsonl", written));
  QCOMPARE(read.error, std::string());
  QCOMPARE(apart(in_lines(read.header, read.history), written), std::string());
  for (std::size_t i = 0; i < read.history.events.size(); ++i) {
    const Event &mine = read.history.events[i], &theirs = told.history().events[i];
    QVERIFY(mine.kind == theirs.kind && mine.lo == theirs.lo && mine.token == theirs.token &&
            mine.cause == theirs.cause);
    const bool fault = mine.kind == EventKind::kFaultBegan || mine.kind == EventKind::kFaultEnded;
    QVERIFY(fault || mine.detail == theirs.detail);
  }
}

void ImportTest::aLineThatIsCutShortIsLeftOutAndSaid() {
  VirtualRun run(find_scenario("healthy").value());
  while (run.advance(TrueTime::max())) {
  }
  std::string written = in_lines(header_of(run), run.history());
  written.resize(written.size() - 20);
  const Imported read = import(write("cut.jsonl", written));
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.history.events.size(), run.history().events.size() - 1);
  QCOMPARE(read.remarks.size(), std::size_t{1});
  QCOMPARE(read.remarks[0], fmt::format("line {} is cut short and was left out", run.history().events.size() + 1));
}

void ImportTest::whatIsWrongIsToldByItsLine_data() {
  QTest::addColumn<QString>("lines");  // after a good header
  QTest::addColumn<QString>("told");
  const QString good = R"({"seq":1,"lo_ns":5,"hi_ns":5,"kind":"started","node":"c1","mutex":"m"})"
                       "\n";
  const auto row = [&](const char* name, const char* line, const char* told) {
    QTest::newRow(name) << good + line + "\n" << told;
  };
  row("no JSON", "nonsense", ":3:1: expected");
  row("no event", "[1]", ":3:1: expected an event, not a list");
  row("two", R"({"seq":2} {"seq":3})", ":3:1: expected one event a line");
  row("a gap", R"({"seq":3,"lo_ns":5,"hi_ns":5,"kind":"started","node":"c1","mutex":"m"})",
      ":3:1: expected the event of \"seq\" 2, not 3: each has a line, in their order");
  row("backwards", R"({"seq":2,"lo_ns":5,"hi_ns":4,"kind":"started","node":"c1","mutex":"m"})",
      ":3:28: expected \"hi_ns\": its \"lo_ns\" or later");
  row("a kind of later", R"({"seq":2,"lo_ns":5,"hi_ns":5,"kind":"teleported","node":"c1","mutex":"m"})",
      "expected \"kind\": a kind of event that this program knows, not teleported: the leasescope that wrote it reads "
      "it");
  row("no word", R"({"seq":2,"lo_ns":5,"hi_ns":5,"kind":"disbelieved","node":"c1","mutex":"m","reason":"whim"})",
      "expected \"reason\": what disbelieved can be, not whim");
  row("no number", R"({"seq":2,"lo_ns":5,"hi_ns":5,"kind":"renewed","node":"c1","mutex":"m","lease_ns":"long"})",
      "expected \"lease_ns\": a whole number");
  row("no name", R"({"seq":2,"lo_ns":5,"hi_ns":5,"kind":"started","mutex":"m"})", ":3:1: expected \"node\": a text");
  row("too late", R"({"seq":2,"lo_ns":5,"hi_ns":9223372036854775807,"kind":"started","node":"c1","mutex":"m"})",
      "expected \"hi_ns\": a time from");
}

void ImportTest::whatIsWrongIsToldByItsLine() {
  QFETCH(QString, lines);
  QFETCH(QString, told);
  VirtualRun run(find_scenario("gc-pause").value());
  const std::string file = write("wrong.jsonl", header_line(header_of(run)) + lines.toStdString());
  const Imported read = import(file);
  QVERIFY2(read.error.find(file + ':') == 0 && read.error.find(told.toStdString()) != std::string::npos,
           read.error.c_str());
  for (const char* const header : {R"({"format":"leasescope history","version":2,"program":"9.9"})",
                                   R"({"format":"leasescope history","version":1,"seed":-1})"}) {
    const Imported wrong = import(write("header.jsonl", std::string(header) + "\n"));
    QVERIFY2(wrong.error.find(path("header.jsonl") + ":1: expected \"") == 0, wrong.error.c_str());
  }
}

void ImportTest::whatCameBeforeAWrongLineIsRight() {
  VirtualRun run(find_scenario("healthy").value());
  while (run.advance(TrueTime::max())) {
  }
  std::string written = in_lines(header_of(run), run.history());
  std::size_t at = 0;
  for (int line = 0; line < 101; ++line) at = written.find('\n', at) + 1;
  written.insert(at, "?\n");
  const Imported read = import(write("part.jsonl", written));
  QVERIFY2(read.error.find(":102:1: expected") != std::string::npos, read.error.c_str());
  QCOMPARE(read.history.events.size(), std::size_t{100});
  QVERIFY(!read.outcome);
}

void ImportTest::callsOfOthersAreTakenAsTheyTellThem() {
  const Imported read = import(write("jepsen.edn", R"(; of a test
[{:process 0 :type :invoke :f :acquire :value nil :time 10 :node "n1"}
 {:process 0 :type :ok :f :acquire :value {:fence 7} :time 20}
 {:process :nemesis :type :info :f :start :value "partition n1" :time 25}
 {:process 1 :type :invoke :f :acquire :value nil :time 30}
 {:process 1 :type :info :f :acquire :value :timed-out :time 40}
 {:process 0 :type :invoke :f :release :value nil :time 50}
 {:process 0 :type :fail :f :release :value :not-held :time 60}])"));
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.header.world, std::string(kToldCalls));
  QCOMPARE(read.history.legend.contenders, (std::vector<std::string>{"0", "1"}));
  std::string kinds;
  for (const Event& event : read.history.events)
    kinds += fmt::format("{} {} {};", text(event.kind), read.history.names.text(event.node),
                         event.hi.time_since_epoch().count());
  QCOMPARE(kinds, std::string("invoked 0 10;returned 0 20;fault_began  25;invoked 1 30;invoked 0 50;returned 0 60;"));
  QCOMPARE(read.history.events[1].token, Token{7});
  QVERIFY(read.history.incidents.empty());
}

void ImportTest::eachFormatIsKnownByItsBeginning() {
  const auto about = [](std::string_view begin) {
    const HistoryFormat* const format = history_format(begin);
    return format == nullptr ? std::string("none") : std::string(format->about);
  };
  QCOMPARE(about("SQLite format 3\0"), std::string("a recording"));
  QCOMPARE(about("{\"format\":\"leasescope history\",\"version\":1}\n"),
           std::string("the history of a run, in JSON lines"));
  for (const char* const begin : {"{:index 0", "[{:process", "; by hand\n{:type", "  [ {\"process\"", "{\"process\":0"})
    QCOMPARE(about(begin), std::string("a history of calls, in EDN or JSON"));
  for (const char* const begin : {"", "schema = 1", "[mutex]\nname", "# a\n[[contender]]"})
    QCOMPARE(about(begin), std::string("none"));
}

void ImportTest::whateverIsChangedInThemEndsInOrder() {
  const int files = qEnvironmentVariableIntValue("LEASESCOPE_RECORDING_MUTATED");
  std::mt19937 random(qEnvironmentVariableIsSet("LEASESCOPE_RECORDING_SEED")
                          ? qEnvironmentVariableIntValue("LEASESCOPE_RECORDING_SEED")
                          : 1);
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  VirtualRun run(find_scenario("fenced-gc-pause", {"duration=20s"}).value());
  while (run.advance(TrueTime::max())) {
  }
  const std::string texts[]{in_lines(header_of(run), run.history()), in_edn(header_of(run), run.history())};
  constexpr const char* kOdd[]{"\"", "{", "}", "[", ":", ",", "\n", "-1", "99999999999999999999", "null", "\xff", ""};
  int whole = 0, told = 0;
  for (int i = 0; i < (files > 0 ? files : 300); ++i) {
    std::string text = texts[i % 2];
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      text.replace(at, below(6), kOdd[below(std::size(kOdd))]);
      if (below(4) == 0) text[below(text.size())] = static_cast<char>(below(256));
      if (below(20) == 0) text.resize(below(text.size()) + 1);
    }
    const Imported read = import(write("changed", text));
    QVERIFY2(read.error.empty() || read.error.find(path("changed")) == 0, read.error.c_str());
    ++(read.error.empty() ? whole : told);
    in_lines(read.header, read.history);  // each name and word is there
  }
  QVERIFY2(whole > 0 && told > 0, qPrintable(QStringLiteral("%1 read, %2 refused").arg(whole).arg(told)));
  qInfo("%d read, %d refused", whole, told);
}

LEASESCOPE_SUITE(ImportTest)
#include "import_test.moc"
