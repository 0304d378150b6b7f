// A live run before its time 0: what it does, that it never holds the event loop, and that nothing of it is left when
// it fails, is cancelled or is destroyed, at whatever moment.
#include <QProcess>
#include <QTest>
#include <optional>

#include "core/store/redis/store_type.h"
#include "simulator/live/live_run.h"
#include "simulator/live/private_server.h"
#include "tests/live/runs.h"
#include "tests/support/heartbeat.h"
#include "tests/support/impostor.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr int kPatience = 60'000;  // ms
constexpr double kFrame = 50;      // ms: three of the screen's, on a machine that has other work too

Scenario healthy(const StoreType& type, const Settings& more = {}) {
  Settings settings = more;
  settings.emplace_back("duration=2s");
  if (!type.carries(Family::kLease)) return scenario("latch-healthy", settings);
  settings.insert(settings.end(), {"mutex.ttl=1s", "mutex.transition=500ms"});
  return scenario("healthy", settings);
}

// Each store, and each step of its preparation by the first word that is told of it.
void each_store_and_step() {
  QTest::addColumn<QString>("step");
  for (const StoreType* type : store_types())
    for (const char* step : {"at once", "starting", "made", "looking", "connecting", "prepared"})
      QTest::addRow("%s, %s", type->name().data(), step) << step;
}
const StoreType& store_of_row() {
  return *find_store_type(QString(QTest::currentDataTag()).section(u',', 0, 0).toStdString());
}

// A run, and what it told.
struct Watched {
  LiveRun run;
  QStringList steps;
  int prepared = 0, cancelled = 0;
  QStringList failures;

  Watched(const Scenario& what, const std::string& store) : run(what, store) {
    QObject::connect(&run, &LiveRun::preparing, [this](const PreparationStep& step) { steps << step.words.c_str(); });
    QObject::connect(&run, &LiveRun::prepared, [this] { ++prepared; });
    QObject::connect(&run, &LiveRun::cancelled, [this] { ++cancelled; });
    QObject::connect(&run, &LiveRun::failed, [this](const std::string& why) { failures << why.c_str(); });
  }
  bool told() const { return prepared + cancelled + failures.size() > 0; }
  // Does it once the preparation has come to that step: within its signal; "made": when a first command of the server
  // runs.
  template <class Do>
  void at(const QString& step, const TemporaryFolder& temporary, Do what) {
    if (step == "at once") return what();
    if (step == "made") {
      auto* tick = new QTimer(&run);
      tick->callOnTimeout([&temporary, tick, what] {
        if (temporary.processes().isEmpty()) return;
        tick->stop();
        what();
      });
      return tick->start(1);
    }
    if (step == "prepared") return void(QObject::connect(&run, &LiveRun::prepared, what));
    QObject::connect(&run, &LiveRun::preparing, [step, what, done = false](const PreparationStep& now) mutable {
      if (done || !QString(now.words.c_str()).startsWith(step)) return;
      done = true;
      what();
    });
  }
};

}  // namespace

class PreparationTest : public QObject {
  Q_OBJECT

  static Impostor::Manner silence() {
    return [](Peer& peer, int) { peer.be_silent(); };
  }

 private slots:
  void itReturnsAtOnceAndTellsItsStepsInTheirOrder_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types()) QTest::newRow(type->name().data()) << true;
  }
  void itReturnsAtOnceAndTellsItsStepsInTheirOrder() {
    const StoreType& type = store_of_row();
    const TemporaryFolder temporary;
    Heartbeat heart;
    {
      Watched it(healthy(type), std::string(type.name()));
      std::vector<int> shares;
      QObject::connect(&it.run, &LiveRun::preparing,
                       [&](const PreparationStep& now) { shares.push_back(now.permille); });
      it.run.prepare();
      QVERIFY(it.steps.isEmpty() && !it.told());
      QCOMPARE(temporary.left(), QStringList());  // it has done nothing yet
      QTRY_VERIFY_WITH_TIMEOUT(it.told(), kPatience);
      QCOMPARE(it.failures, QStringList());
      QCOMPARE(it.prepared, 1);
      it.steps.removeDuplicates();
      QCOMPARE(it.steps[0], QString("starting a private %1").arg(type.title.data()));
      QCOMPARE(it.steps[1], QString("looking at the store"));
      QCOMPARE(it.steps[2], QString("connecting 0 of 3 contenders"));
      QVERIFY2(it.steps.last().startsWith("connecting "), qPrintable(it.steps.last()));
      QVERIFY(std::is_sorted(shares.begin(), shares.end()));
      QVERIFY(shares.front() >= 0 && shares.back() <= 1000);
      QCOMPARE(temporary.folders().size(), 1);
      QVERIFY(!it.run.running());
      heart.longest();
    }
    QTRY_COMPARE_WITH_TIMEOUT(temporary.left(), QStringList(), kPatience);
  }

  void theEventLoopIsNeverHeld_data() { itReturnsAtOnceAndTellsItsStepsInTheirOrder_data(); }
  void theEventLoopIsNeverHeld() {
    const StoreType& type = store_of_row();
    const TemporaryFolder temporary;
    std::optional<Watched> it;
    it.emplace(healthy(type), std::string(type.name()));
    Heartbeat heart;
    it->run.prepare();
    QTRY_VERIFY_WITH_TIMEOUT(it->told(), kPatience);
    QCOMPARE(it->prepared, 1);
    Heartbeat::Silence silence = heart.longest();
    QVERIFY2(silence.own_ms < kFrame, qPrintable(QString("preparing: %1 ms").arg(silence.own_ms)));
    bool finished = false;
    QObject::connect(&it->run, &LiveRun::finished, [&] { finished = true; });
    it->run.start();
    QTest::qWait(300);
    heart.longest();
    it->run.stop();
    QTRY_VERIFY_WITH_TIMEOUT(finished, kPatience);
    QCOMPARE(temporary.left(), QStringList());  // finished: the server has gone
    silence = heart.longest();
    QVERIFY2(silence.own_ms < kFrame, qPrintable(QString("ending: %1 ms").arg(silence.own_ms)));
  }

  void aCancelLeavesNeitherServerNorFolder_data() { each_store_and_step(); }
  void aCancelLeavesNeitherServerNorFolder() {
    QFETCH(QString, step);
    const TemporaryFolder temporary;
    Watched it(healthy(store_of_row()), std::string(store_of_row().name()));
    QStringList left;
    QObject::connect(&it.run, &LiveRun::cancelled, [&] { left = temporary.left(); });
    it.run.prepare();
    it.at(step, temporary, [&] { it.run.cancel(); });
    QTRY_COMPARE_WITH_TIMEOUT(it.cancelled, 1, kPatience);
    QCOMPARE(left, QStringList());  // when it is told, nothing is left
    QTest::qWait(50);
    QCOMPARE(it.cancelled, 1);
    QCOMPARE(it.prepared, step == "prepared" ? 1 : 0);
    QCOMPARE(it.failures, QStringList());
    // And again, to its end: a cancelled run is as new.
    if (step != "starting") return;
    it.run.prepare();
    QTRY_COMPARE_WITH_TIMEOUT(it.prepared, 1, kPatience);
    it.run.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(it.cancelled, 2, kPatience);
    QCOMPARE(left, QStringList());
  }

  void aRunDestroyedWhileItPreparesLeavesNothing_data() { each_store_and_step(); }
  void aRunDestroyedWhileItPreparesLeavesNothing() {
    QFETCH(QString, step);
    const TemporaryFolder temporary;
    auto it = std::make_unique<Watched>(healthy(store_of_row()), std::string(store_of_row().name()));
    it->run.prepare();
    bool gone = false;
    Heartbeat heart;
    it->at(step, temporary, [&] {
      QTimer::singleShot(0, this, [&] {
        heart.longest();
        it.reset();
        gone = true;
      });
    });
    QTRY_VERIFY_WITH_TIMEOUT(gone, kPatience);
    const Heartbeat::Silence silence = heart.longest();
    QVERIFY2(silence.own_ms < kFrame, qPrintable(QString("%1 ms").arg(silence.own_ms)));
    QTRY_COMPARE_WITH_TIMEOUT(temporary.left(), QStringList(), kPatience);
  }

  // This program is that one too, when it is told so: it leaves a run behind that nobody destroys.
  void aProgramThatEndsMeanwhileTakesItsServerWithIt_data() { itReturnsAtOnceAndTellsItsStepsInTheirOrder_data(); }
  void aProgramThatEndsMeanwhileTakesItsServerWithIt() {
    constexpr const char* kLeaves = "LEASESCOPE_TEST_LEAVES";
    const StoreType& type = store_of_row();
    if (qEnvironmentVariableIsSet(kLeaves)) {
      auto* const left = new Watched(healthy(type), std::string(type.name()));
      bool made = false;
      left->run.prepare();
      QObject::connect(&left->run, &LiveRun::preparing, [&](const PreparationStep&) { made = true; });
      QTRY_VERIFY_WITH_TIMEOUT(made, kPatience);
      return QTest::qWait(100);
    }
    const TemporaryFolder temporary;
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(kLeaves, "1");
    program.setProcessEnvironment(environment);
    program.start(QCoreApplication::applicationFilePath(),
                  {"preparation", QString("%1:%2").arg(QTest::currentTestFunction(), QTest::currentDataTag())});
    QTRY_VERIFY_WITH_TIMEOUT(!temporary.folders().isEmpty(), kPatience);
    QVERIFY(program.waitForFinished(kPatience));
    QCOMPARE(temporary.left(), QStringList());
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QVERIFY2(program.exitCode() == 0, program.readAllStandardOutput());
  }

  // The look waits for seconds for a server that says nothing.
  void aCancelOfALookAtASilentStoreIsHeardAtOnce_data() {
    QTest::addColumn<QString>("scheme");
    for (const StoreType* type : store_types())
      QTest::newRow(type->name().data()) << QString::fromUtf8(type->schemes.front().data());
  }
  void aCancelOfALookAtASilentStoreIsHeardAtOnce() {
    QFETCH(QString, scheme);
    const Impostor silent(silence());
    const QString user = store_of_row().carries(Family::kLease) ? "me:hush@" : "";
    const QString url = scheme + user + "127.0.0.1:" + QString::number(silent.port()) + "/0";
    Watched it(healthy(store_of_row()), url.toStdString());
    it.run.prepare();
    QTRY_VERIFY_WITH_TIMEOUT(silent.met() > 0 || it.told(), kPatience);
    QCOMPARE(it.failures, QStringList());
    QCOMPARE(it.steps, QStringList{"looking at the store"});
    it.run.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(it.cancelled, 1, 1500);
    QCOMPARE(it.failures, QStringList());
  }

  void aStoreThatFailsIsToldAndCanBePreparedAgain() {
    auto it = std::make_unique<Watched>(healthy(redis::store_type()), "redis://127.0.0.1:1");
    for (int times = 1; times <= 2; ++times) {
      it->run.prepare();
      QVERIFY(it->failures.size() < times);  // it is told later
      QTRY_COMPARE_WITH_TIMEOUT(it->failures.size(), times, kPatience);
      QVERIFY2(it->failures.last().contains("127.0.0.1:1"), qPrintable(it->failures.last()));
    }
    QCOMPARE(it->prepared + it->cancelled, 0);
  }

  // Its lines are refused where the look was not: the server takes one client, and the look has gone.
  void contendersThatCannotConnectLeaveNothingBehind() {
    const TemporaryFolder temporary;
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    Watched it(healthy(redis::store_type()), printable(server.url()));
    it.run.prepare();
    it.at("connecting", temporary, [&] { server.kill(); });
    QTRY_COMPARE_WITH_TIMEOUT(it.failures.size() + it.prepared, 1, kPatience);
    QVERIFY2(it.failures.value(0).contains("cannot connect"), qPrintable(it.failures.value(0)));
    QVERIFY(it.run.history().events.empty());
  }

  void aPasswordIsAskedForBetweenTwoLooks() {
    PrivateServer server(redis::store_type(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const std::string url = "unix:" + server.url().endpoint.unix_path;
    QStringList asked;
    Watched it(healthy(redis::store_type()), url);
    it.run.ask_password_with([&](const std::string& store) -> std::optional<std::string> {
      asked << store.c_str();
      return "hush-hush";
    });
    it.run.prepare();
    QTRY_VERIFY_WITH_TIMEOUT(it.told(), kPatience);
    QCOMPARE(it.failures, QStringList());
    QCOMPARE(it.prepared, 1);
    QCOMPARE(asked, QStringList{url.c_str()});
  }
  void aPasswordThatNobodyKnowsIsTheStoresRefusal() {
    PrivateServer server(redis::store_type(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    for (const bool asks : {false, true}) {
      Watched it(healthy(redis::store_type()), "unix:" + server.url().endpoint.unix_path);
      if (asks) it.run.ask_password_with([](const std::string&) { return std::nullopt; });
      it.run.prepare();
      QTRY_VERIFY_WITH_TIMEOUT(it.told(), kPatience);
      QVERIFY2(it.failures.value(0).contains("it wants a password"), qPrintable(it.failures.value(0)));
    }
  }
  void aCancelWhileThePasswordIsAskedForIsHeard() {
    PrivateServer server(redis::store_type(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    Watched it(healthy(redis::store_type()), "unix:" + server.url().endpoint.unix_path);
    it.run.ask_password_with([&](const std::string&) -> std::optional<std::string> {
      it.run.cancel();
      return "hush-hush";
    });
    it.run.prepare();
    QTRY_COMPARE_WITH_TIMEOUT(it.cancelled, 1, kPatience);
    QTest::qWait(50);
    QCOMPARE(it.prepared + it.failures.size(), 0);
  }

  void aCancelOfWhatDoesNotPrepareIsNothing() {
    Watched it(healthy(redis::store_type()), "redis");
    it.run.cancel();
    it.run.prepare();
    QTRY_COMPARE_WITH_TIMEOUT(it.prepared, 1, kPatience);
    it.run.start();
    it.run.cancel();
    QVERIFY(it.run.running());
    QCOMPARE(it.cancelled, 0);
  }
};

LEASESCOPE_SUITE(PreparationTest)
#include "preparation_test.moc"
