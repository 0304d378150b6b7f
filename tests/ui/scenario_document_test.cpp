// The edited scenario without a window: text and values in step, steps back over all of it, its file, its other forms.
#include "ui/lab/scenario_document.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/differences.h"
#include "tests/support/ui_suite.h"
#include "ui/lab/scenario_forms.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

std::uint64_t hash_of(const Scenario& scenario) {
  VirtualRun run(scenario);
  run.advance(TrueTime::max());
  return run.outcome().trace_hash.value();
}

// What a shell makes of the line: the words behind `leasescopectl`, and what the command would read.
struct Parsed {
  QStringList words;
  QByteArray input;
};
Parsed parsed(const std::string& line) {
  QProcess shell;
  shell.start(
      QStringLiteral("/bin/sh"),
      {QStringLiteral("-c"),
       QString::fromStdString("leasescopectl() { for word in \"$@\"; do printf '%s\\0' \"$word\"; done; printf '\\0'; "
                              "case \" $* \" in *' - '*) cat;; esac; }\n" +
                              line)});
  shell.waitForFinished();
  const QByteArray all = shell.readAllStandardOutput();
  const qsizetype end = all.indexOf(QByteArray("\0\0", 2));
  Parsed out;
  for (const QByteArray& word : all.left(end).split('\0')) out.words << QString::fromUtf8(word);
  out.input = all.mid(end + 2);
  return out;
}

// As `leasescopectl run` reads them.
tl::expected<Scenario, InputError> scenario_of(const Parsed& line) {
  std::vector<std::string> settings;
  for (qsizetype i = 0; i + 1 < line.words.size(); ++i)
    if (line.words[i] == QLatin1String("--set")) settings.push_back(line.words[i + 1].toStdString());
  const std::string name = line.words.value(1).toStdString();
  if (name == "-") return read_scenario(line.input.toStdString(), "-", settings);
  for (const BuiltIn& built_in : built_in_scenarios())
    if (built_in.name == name) return read_scenario(built_in.toml, name, settings);
  return read_scenario_file(name, settings);
}

}  // namespace

class ScenarioDocumentTest : public UiSuite {
  Q_OBJECT
 private slots:
  void oneKeyChangesOneLineAndCommentsStay() {
    ScenarioDocument document;
    open(document, "# mine\n" + gcPause() + "# the end\n");
    const QByteArray before = document.text();
    QVERIFY(document.edit("mutex.ttl", "3s").has_value());
    QCOMPARE(document.scenario().terms().ttl, Duration(3s));
    QByteArray wanted = before;
    wanted.replace("ttl = \"5s\"", "ttl = \"3s\"");
    QCOMPARE(document.text(), wanted);
    document.undo().undo();
    QCOMPARE(document.text(), before);
    QCOMPARE(document.scenario().terms().ttl, Duration(5s));
    QVERIFY(!document.modified());
  }
  void everyBuiltInCanBeEditedInItsPlace() {
    for (const BuiltIn& built_in : built_in_scenarios()) {
      ScenarioDocument document;
      QVERIFY(document.open({built_in.name, built_in.toml}).has_value());
      QSignalSpy lost(&document, &ScenarioDocument::commentsLost);
      for (const auto& [key, value] : std::map<std::string, std::string>{{"seed", "99"},
                                                                         {"mutex.ttl", "7s"},
                                                                         {"mutex.name", "other"},
                                                                         {"store.timeout", "900ms"},
                                                                         {"contender.0.count", "4"},
                                                                         {"resource.fencing", "false"},
                                                                         {"title", "say \"so\""}}) {
        const auto done = document.edit(key, value);
        if (!done) continue;  // not every one may have every value
        QVERIFY2(!document.error(), built_in.name.c_str());
      }
      QCOMPARE(document.scenario().seed, 99u);
      QCOMPARE(document.scenario().mutex.name, std::string("other"));
      QCOMPARE(lost.count(), 0);
      while (document.undo().canUndo()) document.undo().undo();
      QVERIFY(!document.modified());
    }
  }
  void aTextThatIsNoScenarioKeepsTheLastOneAndSaysWhere() {
    ScenarioDocument document;
    open(document, gcPause());
    QByteArray broken = document.text();
    broken.replace("ttl = \"5s\"", "ttl = \"5 sec\"");
    document.type(broken);
    QVERIFY(document.error().has_value());
    QCOMPARE(document.text(), broken);
    const int line = static_cast<int>(broken.left(broken.indexOf("5 sec")).count('\n')) + 1;
    QCOMPARE(document.error()->line, line);
    QCOMPARE(document.error()->column, 7);
    QCOMPARE(document.scenario().terms().ttl, Duration(5s));
    QVERIFY(!document.edit("seed", "3").has_value());
    QCOMPARE(document.text(), broken);
    // The field mends it, where it is the field's.
    QVERIFY(document.edit("mutex.ttl", "6s").has_value());
    QVERIFY(!document.error());
    QCOMPARE(document.scenario().terms().ttl, Duration(6s));
    document.undo().undo();
    QVERIFY(document.error().has_value());
    document.undo().undo();
    QVERIFY(!document.error());
    QVERIFY(!document.modified());
  }
  void whatIsTypedInOneStretchIsOneStepBack() {
    ScenarioDocument document;
    open(document, gcPause());
    const QByteArray before = document.text();
    for (const char* each : {"# a", "# ab", "# abc"}) document.type(each + QByteArray("\n") + before);
    QCOMPARE(document.undo().count(), 1);
    document.type("# abc\n#\n" + before);
    QCOMPARE(document.undo().count(), 2);
    document.undo().undo();
    document.undo().undo();
    QCOMPARE(document.text(), before);
  }
  void faultsAreAddedChangedAndTakenOut() {
    ScenarioDocument document;
    open(document, gcPause());
    const auto rows = document.scenario().faults.size();
    for (const std::string& kind : fault_kind_names()) {
      if (!can_have(document.scenario().store, *find_fault_kind(kind))) continue;
      const auto row = document.addFault(kind, 3s, 500ms, "c1");
      QVERIFY2(row.has_value(), kind.c_str());
      QCOMPARE(document.scenario().faults.size(), rows + 1);
      QCOMPARE(document.scenario().faults[static_cast<std::size_t>(*row)].kind, kind);
      QVERIFY(document.setFaultKind(*row, "pause").has_value());
      QCOMPARE(document.scenario().faults.back().kind, std::string("pause"));
      QVERIFY2(document.setFaultKind(*row, kind).has_value(), kind.c_str());
      QVERIFY(document.moveFault(*row, 4s, std::nullopt).has_value());
      QCOMPARE(document.scenario().faults.back().at.fixed, Duration(4s));
      QVERIFY(document.removeFault(*row).has_value());
      QCOMPARE(document.scenario().faults.size(), rows);
      QVERIFY(!document.modified());
    }
    QVERIFY(document.removeFault(0).has_value());
    QCOMPARE(document.scenario().faults.size(), rows - 1);
    document.undo().undo();
    QVERIFY(!document.modified());
  }
  void contendersAreAddedAndTakenOut() {
    ScenarioDocument document;
    open(document, gcPause());
    QVERIFY(document.addContender().has_value());
    QCOMPARE(document.scenario().contenders.size(), std::size_t{2});
    QVERIFY(document.edit("contender.1.behaviour", "3.0").has_value());
    QCOMPARE(document.scenario().contenders[1].behaviour, Behaviour::k30);
    QVERIFY(document.removeContender(1).has_value());
    QVERIFY(!document.modified());
    // Where none is told of there are three.
    QVERIFY(document.open({"few",
                           "schema = 1\ntitle = \"few\"\nduration = \"9s\"\n[mutex]\nname = \"m\"\nttl = "
                           "\"1s\"\ntransition = \"1s\"\n"}));
    const int there = document.scenario().contender_count();
    QVERIFY(document.addContender().has_value());
    QCOMPARE(document.scenario().contender_count(), there + 1);
  }
  void aFileIsWrittenAndReadBackAsItWas() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.toml"));
    ScenarioDocument document;
    open(document, "# comment\r\n" + QByteArray(gcPause()).replace("\n", "\r\n"));
    QVERIFY(document.edit("seed", "12").has_value());
    QVERIFY(document.modified());
    QVERIFY(document.save(path).has_value());
    QVERIFY(!document.modified());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    QCOMPARE(written, document.text());
    QCOMPARE(written.count("\r\n"), written.count('\n'));
    ScenarioDocument again;
    QVERIFY(again.open(*findSource(path.toStdString())));
    QVERIFY(same_run(again.scenario(), document.scenario()));
    // It can still be gone back to before, which is a change again.
    document.undo().undo();
    QVERIFY(document.modified());
    const auto failed = document.save(folder.filePath(QStringLiteral("no/such/folder/x.toml")));
    QVERIFY(!failed.has_value());
    QVERIFY(document.modified());
    QCOMPARE(QFileInfo(path).size(), qint64(written.size()));
  }
  void theRunKnowsWhatWasEdited() {
    ScenarioDocument document;
    open(document, gcPause());
    QVERIFY(document.edit("seed", "3").has_value());
    QVERIFY(document.edit("mutex.ttl", "6s").has_value());
    QVERIFY(document.scenario().edits.empty());
    QVERIFY(document.edit("store.loss", "0.01").has_value());
    QCOMPARE(document.scenario().edits, std::vector<std::string>{"store.loss"});
    QVERIFY(document.edit("fault.0.enabled", "false").has_value());
    QCOMPARE(document.scenario().edits, (std::vector<std::string>{"store.loss", "fault.0.enabled"}));
  }
  void theCommandLineRunsTheSame_data() {
    QTest::addColumn<int>("edits");
    QTest::addColumn<bool>("written");
    for (int edits = 0; edits < 6; ++edits)
      for (const bool written : {true, false})
        QTest::addRow("%d edits, %s", edits, written ? "known" : "new") << edits << written;
  }
  void theCommandLineRunsTheSame() {
    QFETCH(int, edits);
    QFETCH(bool, written);
    ScenarioDocument document;
    LabSource source{"gc-pause", gcPause().toStdString()};
    source.written = written;
    QVERIFY(document.open(source));
    if (edits > 0) QVERIFY(document.edit("mutex.ttl", "3s").has_value());
    if (edits > 1) QVERIFY(document.edit("title", "it's \"$HOME\" `no`").has_value());
    if (edits > 2) QVERIFY(document.addFault("partition", 9s, 2s, "c2").has_value());
    if (edits > 3) QVERIFY(document.edit("store.latency", "{ uniform = [\"1ms\", \"5ms\"] }").has_value());
    if (edits > 4) QVERIFY(document.edit("heal", "40s").has_value());
    const auto line = commandLine(document);
    QVERIFY(line.has_value());
    const Parsed words = parsed(*line);
    QCOMPARE(words.words.value(0), QStringLiteral("run"));
    const auto read = scenario_of(words);
    QVERIFY2(read.has_value(), read ? "" : (read.error().text() + "\n" + *line).c_str());
    QVERIFY2(same_run(*read, document.scenario()), line->c_str());
    QCOMPARE(hash_of(*read), hash_of(document.scenario()));
    QCOMPARE(line->find("<<") == std::string::npos, written);
  }
  void aStoreIsNamedWithoutItsPassword() {
    ScenarioDocument document;
    open(document, gcPause());
    document.setStore("redis://me:secret@host:6379/0", QStringLiteral("store"));
    const auto line = commandLine(document);
    QVERIFY(line && line->find("--store ") != std::string::npos && line->find("host:6379") != std::string::npos);
    QVERIFY(line->find("secret") == std::string::npos);
  }
  void simbasPropertiesAreThoseOfItsStarter() {
    ScenarioDocument document;
    open(document, gcPause());
    QVERIFY(document.edit("mutex.ttl", "1500ms").has_value());
    const std::string redis = *springProperties(document.scenario());
    for (const char* line : {"simba.redis.enabled=true\n", "simba.jdbc.enabled=false\n", "simba.redis.ttl=1500ms\n",
                             "simba.redis.transition=2s\n"})
      QVERIFY2(redis.find(line) != std::string::npos, redis.c_str());
    QVERIFY(document.edit("store.model", "sql").has_value());
    QVERIFY(document.edit("mutex.initial_delay", "2s").has_value());
    QVERIFY(document.edit("mutex.jitter", "[\"0ms\", \"5ms\"]").has_value());
    const std::string sql = *springProperties(document.scenario());
    for (const char* line : {"simba.jdbc.enabled=true\n", "simba.jdbc.ttl=1500ms\n", "simba.jdbc.initial-delay=2s\n",
                             "# Simba's jitter is -200ms to 1s and no property; here it is 0s to 5ms\n"})
      QVERIFY2(sql.find(line) != std::string::npos, sql.c_str());
    for (const BuiltIn& built_in : built_in_scenarios())
      if (built_in.name == "fenced-gc-pause")
        QVERIFY(!springProperties(*read_scenario(built_in.toml, "x")).has_value());
  }

 private:
  static QByteArray gcPause() {
    for (const BuiltIn& built_in : built_in_scenarios())
      if (built_in.name == "gc-pause") return QByteArray::fromStdString(std::string(built_in.toml));
    return {};
  }
  static void open(ScenarioDocument& document, const QByteArray& text) {
    QVERIFY(document.open({"gc-pause", text.toStdString()}).has_value());
  }
};

LEASESCOPE_SUITE(ScenarioDocumentTest)
#include "scenario_document_test.moc"
