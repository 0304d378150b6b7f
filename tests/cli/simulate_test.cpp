// `simulate`: from a recording or a store in use to a scenario that runs, and what is said where that cannot be.
#include <QFile>
#include <QTemporaryDir>

#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "simulator/scenario/reader.h"
#include "tests/cli/program.h"
#include "tests/cli/watched_recording.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class SimulateTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString night_ = folder_.filePath(QStringLiteral("night.recording"));

 private slots:
  void initTestCase();
  void aRecordingComesToAScenarioThatRuns();
  void aFileThatIsNamedHasIt();
  void onlyAPartIsTaken();
  void ofSeveralMutexesOneIsToBeNamed();
  void whatIsWrongIsSaidWithARemedy_data();
  void whatIsWrongIsSaidWithARemedy();
  void ofOtherFormsTheTitleTellsWhich();
  void theNumberOfAMergedTitleIsNoMaker();
  void aRunIsObservedToo();
  void aStoreInUseIsWatchedMeanwhile();
  void aLockOfAnotherMakerIsChosenByItsNameAndByItsTitle();
};

namespace {

Event renewed(Name node, Name mutex, Duration when) {
  Event event = told(EventKind::kRenewed, node, mutex, when - 1s, when);
  event.a = Duration(10s).count();
  return event;
}

Scenario read(const QByteArray& toml) {
  auto out = read_scenario(toml.toStdString(), "simulated.toml");
  if (!out) qFatal("%s\n%s", out.error().text().c_str(), toml.constData());
  return *out;
}

}  // namespace

// orders: a@host from 1 s on, renewed every 6 s, once 700 ms late; billing: c@host. A minute is known.
void SimulateTest::initTestCase() {
  Recorder recorder({}, LeaseTerms{});
  const Name orders = recorder.intern("orders"), billing = recorder.intern("billing");
  const Name a = recorder.intern("a@host"), c = recorder.intern("c@host"), store = recorder.intern("redis://host:6379");
  recorder.append(told(EventKind::kUnobservedBegan, store, orders, 0s, 10ms));
  recorder.append(told(EventKind::kUnobservedEnded, store, orders, 10ms, 14ms));
  recorder.append(told(EventKind::kGranted, a, orders, 1s, 1s, 33));
  recorder.append(told(EventKind::kGranted, c, billing, 2s, 2s, 7));
  for (const Duration when : {7'000ms, 13'000ms, 19'700ms, 25'700ms, 31'700ms})
    recorder.append(renewed(a, orders, when));
  record(night_, recorder, 60s);
}

void SimulateTest::aRecordingComesToAScenarioThatRuns() {
  const Ran ran = leasescopectl({"simulate", night_, "--mutex", "orders"});
  QVERIFY2(ran.exit == 0 && ran.err.isEmpty(), ran.err);
  const Scenario scenario = read(ran.out);
  QVERIFY(scenario.terms().ttl == 6s && scenario.terms().transition == 4s);
  QCOMPARE(scenario.store.model, std::string("redis"));
  QVERIFY(scenario.store.latency == Distribution::constant(2ms));
  QCOMPARE(scenario.contender_names(), std::vector<std::string>{"a@host"});
  QCOMPARE(scenario.faults.size(), std::size_t{1});
  QVERIFY(scenario.faults[0].duration.under(scenario.terms()) == 700ms);
  const QString file = write_file(folder_, "printed.toml", ran.out);
  const Ran run = leasescopectl({"run", file, "--json"});
  QVERIFY2(run.exit == 0, run.err);
  QVERIFY(run.json()["acquisitions"].get<int>() >= 1);
}

void SimulateTest::aFileThatIsNamedHasIt() {
  const QString file = folder_.filePath("orders.toml");
  const Ran ran = leasescopectl({"simulate", night_, "--mutex", "ord*", "--output", file});
  QVERIFY2(ran.exit == 0 && ran.out.isEmpty() && ran.err.contains("orders.toml: written"), ran.out + ran.err);
  QCOMPARE(read_whole(file), leasescopectl({"simulate", night_, "--mutex", "orders"}).out);
  QCOMPARE(leasescopectl({"run", file}).exit, 0);
}

void SimulateTest::onlyAPartIsTaken() {
  const Ran ran = leasescopectl({"simulate", night_, "--mutex", "orders", "--from", "03:12:20", "--to", "40s"});
  QVERIFY2(ran.exit == 0, ran.err);
  QVERIFY2(ran.out.contains("# from one renewal to the next: 2 observed"), ran.out);
  QVERIFY(ran.out.contains("# pauses: not observed\n") && ran.out.contains("# latency: not observed; the default\n"));
  QVERIFY2(ran.out.contains("# observed for 20s\n"), ran.out);
}

void SimulateTest::ofSeveralMutexesOneIsToBeNamed() {
  const Ran ran = leasescopectl({"simulate", night_});
  QCOMPARE(ran.exit, 2);
  SAYS(ran, "expected --mutex and the name of one of its mutexes: billing, orders");
  QVERIFY(ran.out.isEmpty());
}

void SimulateTest::whatIsWrongIsSaidWithARemedy_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("said");
  const auto row = [](const char* what, const QStringList& arguments, const char* said) {
    QTest::newRow(what) << arguments << QByteArray(said);
  };
  row("no such mutex", {night_, "--mutex", "taxes"}, "--mutex taxes: no such mutex is seen in ");
  row("no such file", {folder_.filePath("none.recording")}, "none.recording");
  row("a range without anything", {night_, "--mutex", "billing", "--to", "1s"},
      "nobody was seen to hold billing, or to want it: expected other moments");
  row("a range that is none", {night_, "--mutex", "orders", "--from", "2h"}, "--from 2h: expected");
  row("how long a recording is watched", {night_, "--for", "3s"}, "--for 3s: goes with a store");
  row("a part of a store", {"redis://127.0.0.1:1", "--from", "1s"}, "--from and --to: go with a recording");
  row("a store of nobody's", {"redis"}, "expected the URL of a store that is in use");
  row("no length", {"redis://127.0.0.1:1", "--for", "long"}, "--for long: expected a length of time");
  row("nobody answers", {"redis://127.0.0.1:1", "--for", "1s"}, "redis://127.0.0.1:1: ");
  row("a password of a recording", {night_, "--password-file", "x"}, "expected the URL of a store");
  row("nowhere to write", {night_, "--mutex", "orders", "--output", "/nowhere/at/all.toml"}, "--output ");
}

void SimulateTest::whatIsWrongIsSaidWithARemedy() {
  QFETCH(QStringList, arguments);
  QFETCH(QByteArray, said);
  const Ran ran = leasescopectl(QStringList{"simulate"} + arguments);
  QCOMPARE(ran.exit, 2);
  SAYS(ran, said);
  QVERIFY(ran.out.isEmpty());
}

// The name in it is the mutex's at its store; a fenced lock of ours is one, and another maker's is said to be that.
void SimulateTest::ofOtherFormsTheTitleTellsWhich() {
  Recorder recorder({}, LeaseTerms{});
  const Name a = recorder.intern("a@host");
  for (const char* title : {"till (leasescope)", "job (Redisson)"})
    recorder.append(told(EventKind::kGranted, a, recorder.intern(title), 1s, 1s, 33));
  const QString path = folder_.filePath("forms.recording");
  record(path, recorder, 60s);
  const Ran fenced = leasescopectl({"simulate", path, "--mutex", "till (leasescope)"});
  QVERIFY2(fenced.exit == 0, fenced.err);
  const Scenario ours = read(fenced.out);
  QCOMPARE(ours.mutex.system, std::string("fenced"));
  QCOMPARE(ours.mutex_names(), std::vector<std::string>{"till"});
  QVERIFY2(!fenced.out.contains("as Simba does"), fenced.out);
  QCOMPARE(leasescopectl({"run", write_file(folder_, "till.toml", fenced.out)}).exit, 0);
  const Ran foreign = leasescopectl({"simulate", path, "--mutex", "job (Redisson)"});
  QVERIFY2(foreign.exit == 0 && foreign.out.contains("It is a lock of Redisson: here it"), foreign.out + foreign.err);
  QCOMPARE(read(foreign.out).mutex_names(), std::vector<std::string>{"job"});
  const Ran by_name = leasescopectl({"simulate", path, "--mutex", "job"});
  QVERIFY2(by_name.exit == 0, by_name.err);
  QCOMPARE(by_name.out, foreign.out);
}

// As `recording merge` calls those of the second recording.
void SimulateTest::theNumberOfAMergedTitleIsNoMaker() {
  Recorder recorder({}, LeaseTerms{});
  const Name a = recorder.intern("a@host");
  const QStringList titles{"orders (2)", "job (Redisson) (2)", "bills @ redis://other:6379 (2)"};
  for (const QString& title : titles)
    recorder.append(told(EventKind::kGranted, a, recorder.intern(title.toStdString()), 1s, 1s, 33));
  const QString path = folder_.filePath("merged.recording");
  record(path, recorder, 60s);
  const auto simulated = [&](const QString& title) { return leasescopectl({"simulate", path, "--mutex", title}); };
  for (const QString& title : titles) {
    const Ran ran = simulated(title);
    QVERIFY2(ran.exit == 0 && !ran.out.contains("(2)") && !ran.out.contains("lock of 2"), ran.out + ran.err);
    QCOMPARE(read(ran.out).mutex_names().front(), title.section(u' ', 0, 0).toStdString());
    QCOMPARE(ran.out.contains("It is a lock of Redisson: "), title.contains("Redisson"));
    QVERIFY2(ran.out.contains("model = \"redis\"\n"), ran.out);
  }
}

// A history that has what its contenders heard, so that the ways of the answers are known.
void SimulateTest::aRunIsObservedToo() {
  const QString scenario = write_file(folder_, "run.toml", good_scenario().replace("\"20s\"", "\"200s\""));
  const QString recording = folder_.filePath("run.recording");
  QCOMPARE(leasescopectl({"run", scenario, "--record", recording}).exit, 0);
  const Ran ran = leasescopectl({"simulate", recording});
  QVERIFY2(ran.exit == 0, ran.err);
  const Scenario found = read(ran.out);
  QVERIFY(found.terms().ttl == 2s && found.terms().transition == 1s);
  QCOMPARE(found.contender_names().size(), std::size_t{2});
  QVERIFY2(ran.out.contains("# latency, one way: log-normal, of answers; "), ran.out);
}

void SimulateTest::aStoreInUseIsWatchedMeanwhile() {
  PrivateServer server(redis::store_type());
  const auto started = server.start();
  QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  const QString url = QString::fromStdString(printable(server.url()));
  QProcess owner;
  owner.start(kLeasescopectl, {"contend", url, "orders", "--ttl", "1s", "--transition", "1s", "--", "sleep", "60"});
  QVERIFY(owner.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(leasescopectl({"who", "orders", url}).out.contains(" holds it, for "), 8000);
  const Ran ran = leasescopectl({"simulate", url, "--mutex", "orders", "--for", "6s"});
  owner.terminate();
  owner.waitForFinished();
  QVERIFY2(ran.exit == 0, ran.err);
  const Scenario scenario = read(ran.out);
  QVERIFY2(scenario.terms().lease() >= 1s && scenario.terms().lease() <= 2s, ran.out);
  QVERIFY2(!ran.out.contains("# latency: not observed") && ran.out.contains("the observer's own questions"), ran.out);
  QVERIFY(!scenario.contenders.front().names.empty());  // who holds it
  const Ran none = leasescopectl({"simulate", url, "--mutex", "bills", "--for", "1s"});
  QCOMPARE(none.exit, 2);
}

// Two of Redisson's, as they lie there.
void SimulateTest::aLockOfAnotherMakerIsChosenByItsNameAndByItsTitle() {
  PrivateServer server(redis::store_type());
  const auto started = server.start();
  QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  redis::Asker admin(5000ms);
  QVERIFY(admin.connect(server.url()).has_value());
  for (const char* name : {"job", "jobs"}) {
    QVERIFY(admin.ask({"HSET", name, "b9a1c2d3-0f1e-4a5b-8c7d-112233445566:1", "1"}).has_value());
    QVERIFY(admin.ask({"PEXPIRE", name, "60000"}).has_value());
  }
  const QString url = QString::fromStdString(printable(server.url()));
  const auto simulated = [&](const char* mutex) {
    return leasescopectl({"simulate", url, "--mutex", mutex, "--for", "3s"});
  };
  for (const char* called : {"job", "job (Redisson)", "job (*)"}) {
    const Ran ran = simulated(called);
    QVERIFY2(ran.exit == 0, ran.err);
    QVERIFY2(ran.out.contains("It is a Redisson lock: "), ran.out);
    QCOMPARE(read(ran.out).mutex_names(), std::vector<std::string>{"job"});
  }
  for (const char* called : {"job*", "job (Curator)"}) {
    const Ran ran = simulated(called);
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("job (Redisson)") && ran.err.contains("jobs (Redisson)"), ran.err);
  }
  const Ran none = simulated("bills");
  QCOMPARE(none.exit, 2);
  SAYS(none, "--mutex bills: no such mutex is seen in ");
}

LEASESCOPE_SUITE(SimulateTest)
#include "simulate_test.moc"
