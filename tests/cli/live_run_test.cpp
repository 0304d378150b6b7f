// `leasescopectl run --store`: real servers in real time. One second of ttl keeps it short.
#include <csignal>
#include <future>
#include <map>

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <QFile>
#include <QTemporaryDir>

#include "tests/cli/program.h"
#include "tests/support/impostor.h"
#include "tests/support/places.h"
#include "tests/support/redis_program.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

class LiveRunTest : public QObject {
  Q_OBJECT
 private slots:
  void nothingGoesWrongOnAPrivateServer_data() { each_lease_store(); }
  void nothingGoesWrongOnAPrivateServer();
  void aPauseOverlapsAndTheStaleWriteIsRejected_data() { each_lease_store(); }
  void aPauseOverlapsAndTheStaleWriteIsRejected();
  void aLatchRunsOnAnEnsembleOfThree();
  void aStoreThatWantsAPasswordIsBadInput();
  void aStopUnderWayAtTheEndLeavesNoLease();
  void aStoreKilledInTheMiddleIsPartOfTheHistory();
  void aSignalWhileItPreparesEndsItWithNothingLeft_data();
  void aSignalWhileItPreparesEndsItWithNothingLeft();
  void aSignalWhileASilentStoreIsLookedAtEndsItAtOnce();
};

namespace {

QStringList quick(const QString& scenario, const QString& store, const QString& duration) {
  return {"run",     scenario,
          "--store", store,
          "--set",   "mutex.ttl=1s",
          "--set",   "mutex.transition=500ms",
          "--set",   "duration=" + duration,
          "--json"};
}

// A Redis of the test's own, on a free port, without files; gone with the object.
class OwnRedis {
 public:
  explicit OwnRedis(const QStringList& more = {}) {
    {
      QTcpServer server;
      if (server.listen(QHostAddress::LocalHost)) port_ = server.serverPort();
    }
    process_.start(redis_server_program(),
                   QStringList{"--port", QString::number(port_), "--bind", "127.0.0.1", "--save", ""} + more);
    for (int tries = 0; tries < 100 && !up_; ++tries) {
      QTcpSocket socket;
      socket.connectToHost(QHostAddress::LocalHost, port_);
      up_ = socket.waitForConnected(100);
      if (!up_) QThread::msleep(50);
    }
  }
  ~OwnRedis() { kill(); }
  OwnRedis(const OwnRedis&) = delete;
  OwnRedis& operator=(const OwnRedis&) = delete;

  bool up() const { return up_; }
  QString url(const QString& user = {}) const { return QString("redis://%1localhost:%2").arg(user).arg(port_); }
  void kill() {
    process_.kill();
    process_.waitForFinished();
  }

 private:
  QProcess process_;
  quint16 port_ = 0;
  bool up_ = false;
};

// What the rows of a test do, a store each, done at the same time: in seconds of real time they mostly wait.
class AtOnce {
 public:
  // That of the row that runs.
  Ran of_row(const QString& scenario, const QString& duration) {
    if (runs_.empty())
      for (const StoreType* type : lease_stores()) {
        const auto store = QString::fromUtf8(type->name().data());
        runs_[store] = std::async(std::launch::async, [=] { return leasescopectl(quick(scenario, store, duration)); });
      }
    return runs_.at(QTest::currentDataTag()).get();
  }

 private:
  std::map<QString, std::shared_future<Ran>> runs_;
};

}  // namespace

void LiveRunTest::nothingGoesWrongOnAPrivateServer() {
  static AtOnce runs;
  const Ran ran = runs.of_row("healthy", "4s");
  QVERIFY2(ran.exit == 0, ran.err + ran.out);
  const json out = ran.json();
  QCOMPARE(out["world"].get<std::string>(), std::string("live"));
  QVERIFY(out["trace_hash"].is_null());
  QCOMPARE(out["as_expected"].get<bool>(), true);
  QCOMPARE(out["double_grants"].get<int>(), 0);
  QVERIFY(out["acquisitions"].get<int>() >= 1);
  QVERIFY(out["renewals"].get<int>() >= 1);
  QCOMPARE(out["unobserved_seconds"].get<double>(), 0.0);
}

void LiveRunTest::aPauseOverlapsAndTheStaleWriteIsRejected() {
  static AtOnce runs;
  const Ran ran = runs.of_row("gc-pause", "9s");
  QVERIFY2(ran.exit == 0, ran.err + ran.out);
  const json out = ran.json();
  QVERIFY(out["belief_overlap_seconds"].get<double>() > 0);
  QVERIFY(out["stale_writes_rejected"].get<int>() >= 1);
  QCOMPARE(out["stale_writes_accepted"].get<int>(), 0);
  QCOMPARE(out["double_grants"].get<int>(), 0);
}

void LiveRunTest::aLatchRunsOnAnEnsembleOfThree() {
  const QStringList arguments{"run", "latch-healthy", "--store", "zookeeper?servers=3", "--until", "8s", "--json"};
  const Ran ran = leasescopectl(arguments, 120);
  QVERIFY2(ran.exit == 0, ran.err + ran.out);
  const json out = ran.json();
  QCOMPARE(out["store"].get<std::string>(), std::string("zookeeper?servers=3"));
  QCOMPARE(out["world"].get<std::string>(), std::string("live"));
  QVERIFY(out["acquisitions"].get<int>() >= 2);
  QCOMPARE(out["double_grants"].get<int>(), 0);
}

void LiveRunTest::aStoreThatWantsAPasswordIsBadInput() {
  const OwnRedis redis({"--requirepass", "secret"});
  QVERIFY(redis.up());
  for (const QString user : {"", ":wrong@"}) {
    const Ran ran = leasescopectl(quick("healthy", redis.url(user), "2s"));
    QVERIFY2(ran.exit == 2, ran.err + ran.out);
    QVERIFY2(ran.err.contains("password"), ran.err);
    QVERIFY2(!ran.err.contains("wrong@"), "a password is not repeated");
  }
  const Ran ran = leasescopectl(quick("healthy", redis.url(":secret@"), "2s"));
  QVERIFY2(ran.exit == 0, ran.err + ran.out);
}

// The work that the stop waits for ends with the run.
void LiveRunTest::aStopUnderWayAtTheEndLeavesNoLease() {
  const OwnRedis redis;
  const QTemporaryDir folder;
  const QString path = write_file(folder, "stop.toml",
                                  "schema = 1\ntitle = \"stop\"\nduration = \"2500ms\"\n"
                                  "[mutex]\nname = \"orders\"\nttl = \"20s\"\ntransition = \"5s\"\n"
                                  "[[contender]]\ncount = 2\n[[resource]]\ncompute = \"4s\"\nwrite_every = \"1ms\"\n"
                                  "[[fault]]\nat = \"1500ms\"\nkind = \"stop\"\n");
  for (const char* time : {"the first", "the next"}) {
    const Ran ran = leasescopectl({"run", path, "--store", redis.url()});
    QVERIFY2(ran.exit == 0, time + QByteArray(": ") + ran.err);
  }
}

void LiveRunTest::aStoreKilledInTheMiddleIsPartOfTheHistory() {
  OwnRedis redis;
  QVERIFY(redis.up());
  QProcess run;
  const QTemporaryDir folder;
  const QString history = folder.filePath(QStringLiteral("history.jsonl"));
  run.start(kLeasescopectl, quick("healthy", redis.url(), "7s") << QStringLiteral("--history") << history);
  QTest::qWait(3000);
  QCOMPARE(run.state(), QProcess::Running);
  redis.kill();
  QVERIFY2(run.waitForFinished(30'000), "the run goes on and ends");
  const json out = json::parse(run.readAllStandardOutput().toStdString(), nullptr, false);
  QVERIFY2(out.is_object(), run.readAllStandardError());
  // Whether the outcome is as expected is for the scenario to say; that it is told truthfully is for us.
  QVERIFY(run.exitCode() == 0 || run.exitCode() == 3);
  QCOMPARE(run.exitCode() == 0, out["as_expected"].get<bool>());
  QVERIFY(out["simulated_seconds"].get<double>() >= 6.9);
  QVERIFY(out["acquisitions"].get<int>() >= 1);
  QCOMPARE(out["double_grants"].get<int>(), 0);
  // Nobody can see who leads while the store is gone, and nothing is said of it.
  QVERIFY2(out["leaderless_seconds"].get<double>() < 1, out["leaderless_seconds"].dump().c_str());
  QFile lines(history);
  QVERIFY(lines.open(QIODevice::ReadOnly));
  QVERIFY(lines.readAll().contains("\"kind\":\"unobserved_began\""));
  // ... but that, and for how long: the lease that was there when it was killed lasted for 1.5 s at most.
  const double unobserved = out["unobserved_seconds"].get<double>();
  QVERIFY2(unobserved > 1.5 && unobserved < 4.5, QByteArray::number(unobserved));
}

void LiveRunTest::aSignalWhileItPreparesEndsItWithNothingLeft_data() {
  QTest::addColumn<int>("signal");
  QTest::addColumn<int>("after_ms");
  for (const StoreType* type : store_types()) {
    QTest::addRow("%s, SIGINT", type->name().data()) << SIGINT << 0;
    QTest::addRow("%s, SIGTERM", type->name().data()) << SIGTERM << 40;
    QTest::addRow("%s, SIGHUP", type->name().data()) << SIGHUP << 200;
  }
}

// It ends as by that signal, but not before its server has.
void LiveRunTest::aSignalWhileItPreparesEndsItWithNothingLeft() {
  QFETCH(int, signal);
  QFETCH(int, after_ms);
  const QString store = QString(QTest::currentDataTag()).section(u',', 0, 0);
  const TemporaryFolder temporary;
  QProcess run;
  const bool leases = find_store_type(store.toStdString())->carries(Family::kLease);
  run.start(kLeasescopectl, {"run", leases ? "healthy" : "latch-healthy", "--store", store, "--set", "duration=20s"});
  QTRY_VERIFY(!temporary.folders().isEmpty());
  QTest::qWait(after_ms);
  ::kill(static_cast<pid_t>(run.processId()), signal);
  QVERIFY2(run.waitForFinished(10'000), "it does not end");
  QCOMPARE(temporary.left(), QStringList());
  // Where it was faster, the run had begun.
  const QByteArray said = run.readAllStandardError();
  if (run.exitStatus() == QProcess::NormalExit) QVERIFY2(said.contains("interrupted at"), said);
  if (run.exitStatus() == QProcess::CrashExit) QCOMPARE(run.exitCode(), signal);
  if (store == "mysql") QCOMPARE(run.exitStatus(), QProcess::CrashExit);  // that takes longer
}

void LiveRunTest::aSignalWhileASilentStoreIsLookedAtEndsItAtOnce() {
  const Impostor silent([](Peer& peer, int) { peer.be_silent(); });
  QProcess run;
  run.start(kLeasescopectl, {"run", "healthy", "--store", QString("redis://127.0.0.1:%1").arg(silent.port())});
  QTRY_VERIFY(silent.met() > 0);
  QElapsedTimer spent;
  spent.start();
  ::kill(static_cast<pid_t>(run.processId()), SIGINT);
  QVERIFY2(run.waitForFinished(10'000), "it does not end");
  QVERIFY2(spent.elapsed() < 1500, qPrintable(QString::number(spent.elapsed())));
  QCOMPARE(run.exitStatus(), QProcess::CrashExit);
  QCOMPARE(run.exitCode(), SIGINT);
}

LEASESCOPE_SUITE(LiveRunTest)
#include "live_run_test.moc"
