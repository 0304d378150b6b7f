// A command under a mutex: it runs while the mutex is owned, and only then, whatever happens to the store, to us or to
// the command.
#include <fcntl.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <array>
#include <csignal>
#include <functional>
#include <memory>
#include <random>

#include "simulator/live/private_server.h"
#include "tests/cli/contend_process.h"
#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const QStringList kShort{"--ttl", "1s", "--transition", "600ms", "--timeout", "300ms", "--jitter=0ms..100ms"};

// One that has ended and that nobody has asked about yet is not.
bool alive(pid_t process) {
  const QByteArray state = content(QString("/proc/%1/stat").arg(process));
  return process > 0 && !state.isEmpty() && !state.contains(") Z ");
}

}  // namespace

class ContendTest : public QObject {
  Q_OBJECT

  std::unique_ptr<PrivateServer> server_;
  QString store_;
  QTemporaryDir folder_;
  int files_ = 0;

  QString file() { return folder_.filePath(QString::number(++files_)); }
  void serve(const StoreType& type) {
    server_ = std::make_unique<PrivateServer>(type);
    const auto started = server_->start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    store_ = QString::fromStdString(printable(server_->url()));
  }
  // Somebody takes the key away, and gives it to another for so many ms.
  void give_to_another(const char* ms) {
    const QString socket = QString::fromStdString(server_->url().endpoint.unix_path);
    QCOMPARE(QProcess::execute("redis-cli", {"-s", socket, "set", "simba:{orders}", "another", "PX", ms}), 0);
  }
  static QElapsedTimer started() {
    QElapsedTimer out;
    out.start();
    return out;
  }
  static void check_tokens(const QByteArray& log, int killed, int stopped) {
    quint64 highest = 0;
    int terms = 0, wrong = 0;
    const QList<QByteArray> lines = log.split('\n');
    for (const QByteArray& line : lines) {
      const quint64 token = line.left(line.indexOf(' ')).toULongLong();
      if (line.isEmpty()) continue;
      wrong += token < highest;
      terms += token > highest;
      highest = std::max(highest, token);
    }
    qInfo("%d lines in %d terms, %d killed, %d stopped, %d lines under an older token", static_cast<int>(lines.size()),
          terms, killed, stopped, wrong);
    QCOMPARE(wrong, 0);
    QVERIFY(terms >= 2);
  }
  // Writes its process's number there, then stays.
  static QStringList stays(const QString& file) {
    return {"sh", "-c", QString("echo $$ >%1; exec sleep 60").arg(file)};
  }
  pid_t number_in(const QString& path) {
    return soon([&] { return content(path).endsWith('\n'); }) ? content(path).trimmed().toInt() : 0;
  }

 private slots:
  void init() { serve(*find_store_type("redis")); }
  void cleanup() { server_.reset(); }

  void itsExitCodeIsTheCommandsAndTheCommandFindsItsTermInItsEnvironment() {
    const Ran ran = leasescopectl({"contend", store_, "orders", "--", "sh", "-c",
                                   "echo $LEASESCOPE_MUTEX $LEASESCOPE_FENCE $LEASESCOPE_OWNER; exit 7"});
    QCOMPARE(ran.exit, 7);
    QVERIFY2(QRegularExpression("^orders 1 [0-9a-f]{8}\\.\\d+:\\d+@\\S+\\n$").match(ran.out).hasMatch(), ran.out);
    QCOMPARE(ran.err, QByteArray());
    QCOMPARE(leasescopectl({"contend", store_, "orders", "--", "sh", "-c", "kill -TERM $$"}).exit, 128 + SIGTERM);
    const Ran next = leasescopectl({"contend", store_, "orders", "--", "printenv", "LEASESCOPE_FENCE"});
    QCOMPARE(next.out, QByteArray("3\n"));  // each run is a term of its own
  }
  void aCommandThatCannotBeRunIsSaidAndGivesTheMutexBack() {
    const Ran none = leasescopectl({"contend", store_, "orders", "--", "there-is-no-such-program"});
    QCOMPARE(none.exit, 127);
    QCOMPARE(none.err, QByteArray("leasescopectl: there-is-no-such-program: No such file or directory\n"));
    QCOMPARE(leasescopectl({"contend", store_, "orders", "--", "/etc/passwd"}).exit, 126);
    QCOMPARE(leasescopectl({"contend", store_, "orders", "--fixed-delay", "1ms", "--", "/nowhere/at-all"}).exit, 127);
    QCOMPARE(leasescopectl({"contend", store_, "orders", "--wait", "0s", "--", "true"}).exit, 0);
  }
  void onlyOneCommandRunsAtATimeAndTheNextBeginsAtOnce() {
    const QString log = file();
    const QStringList works{"sh", "-c", QString("echo + >>%1; sleep 0.2; echo - >>%1").arg(log)};
    std::vector<std::unique_ptr<Contend>> all;
    QElapsedTimer took;
    took.start();
    for (int i = 0; i < 5; ++i) all.push_back(std::make_unique<Contend>(store_, QStringList{}, works));
    for (const auto& each : all) QVERIFY(each->ended());
    QCOMPARE(content(log), QByteArray("+\n-\n").repeated(5));
    for (const auto& each : all) QCOMPARE(each->exit(), 0);
    QVERIFY2(took.elapsed() < 8000, "a release wakes the next: nobody waited for the end of a lease of 16 s");
  }
  void whoWaitsInVainIsToldWhoHoldsItAndLeavesWith124() {
    const QString log = file();
    Contend owner(store_, {}, stays(log));
    QVERIFY(number_in(log) > 0);
    for (const char* wait : {"0s", "300ms"}) {
      const Ran ran = leasescopectl({"contend", store_, "orders", "--wait", wait, "--", "true"});
      QCOMPARE(ran.exit, 124);
      QVERIFY2(ran.err.contains("orders could not be had") && ran.err.contains("it is held by "), ran.err);
    }
    owner.signal(SIGTERM);
    QVERIFY(owner.ended());
  }

  // ---- signals and ends

  void signalsGoToTheCommand() {
    const QString log = file();
    Contend run(store_, {},
                {"sh", "-c",
                 QString("trap 'echo usr >>%1' USR1; trap 'echo term >>%1; exit 9' TERM; echo on "
                         ">>%1; while :; do sleep 0.05; done")
                     .arg(log)});
    QVERIFY(soon([&] { return content(log) == "on\n"; }));
    run.signal(SIGUSR1);
    QVERIFY(soon([&] { return content(log) == "on\nusr\n"; }));
    run.signal(SIGTERM);
    QVERIFY(run.ended());
    QCOMPARE(content(log), QByteArray("on\nusr\nterm\n"));
    QCOMPARE(run.exit(), 9);
    QCOMPARE(leasescopectl({"contend", store_, "orders", "--wait", "0s", "--", "true"}).exit, 0);
  }
  void whoIsAskedToEndWhileItWaitsEndsByThatSignal() {
    const QString log = file();
    Contend owner(store_, {}, stays(log));
    QVERIFY(number_in(log) > 0);
    Contend waits(store_, {}, {"true"});
    QVERIFY(!waits.ended(300));
    waits.signal(SIGTERM);
    QVERIFY(waits.ended());
    QCOMPARE(waits.exit(), -SIGTERM);
    owner.signal(SIGINT);  // its command ends by it, and so does it: a shell's loop around it sees that
    QVERIFY(owner.ended());
    QCOMPARE(owner.exit(), -SIGINT);
  }
  void whatTheCommandLeavesBehindKeepsTheMutex() {
    const QString log = file();
    Contend run(store_, {}, {"sh", "-c", QString("(sleep 1; echo done >>%1) & echo began >>%1; exit 4").arg(log)});
    QVERIFY(soon([&] { return content(log) == "began\n"; }));
    QCOMPARE(leasescopectl({"contend", store_, "orders", "--wait", "0s", "--", "true"}).exit, 124);
    QVERIFY(run.ended());
    QCOMPARE(run.exit(), 4);
    QCOMPARE(content(log), QByteArray("began\ndone\n"));
  }
  void itsOwnDeathIsItsCommands() {
    const QString log = file(), child = file();
    Contend run(store_, kShort,
                {"sh", "-c", QString("sh -c 'echo $$ >%2; sleep 60' & echo $$ >%1; wait").arg(log, child)});
    const pid_t command = number_in(log), grandchild = number_in(child);
    QVERIFY(alive(command) && alive(grandchild));
    run.signal(SIGKILL);
    QVERIFY(run.ended());
    QVERIFY(soon([&] { return !alive(command) && !alive(grandchild); }, 1000));
    // Its lease ends by itself.
    QCOMPARE(
        leasescopectl(QStringList{"contend", store_, "orders"} + kShort + QStringList{"--wait", "5s", "--", "true"})
            .exit,
        0);
  }
  void itsCommandDoesNotOutliveTheLeaseOfWhoIsStopped() {
    const QString log = file();
    Contend run(store_, kShort, stays(log));
    const pid_t command = number_in(log);
    QVERIFY(alive(command));
    QElapsedTimer since;
    since.start();
    run.signal(SIGSTOP);
    QVERIFY(soon([&] { return !alive(command); }, 3000));
    QVERIFY2(since.elapsed() < 1600 + 200, qPrintable(QString::number(since.elapsed())));
    run.signal(SIGCONT);
    QVERIFY(run.ended());
    QCOMPARE(run.exit(), 125);
  }

  // ---- the store goes

  void aCommandIsAskedToEndBeforeItsLeaseDoesAndKilledWhenItHas() {
    const QString log = file();
    Contend run(
        store_, kShort + QStringList{"--grace", "400ms"},
        {"sh", "-c", QString("trap 'date +%s%3N >>%1' TERM; echo $$ >>%1; while :; do sleep 0.02; done").arg(log)});
    const pid_t command = number_in(log);
    QVERIFY(alive(command));
    server_->kill();
    const qint64 from = QDateTime::currentMSecsSinceEpoch();
    QVERIFY(run.ended());
    const qint64 end = QDateTime::currentMSecsSinceEpoch();
    QVERIFY(!alive(command));
    QCOMPARE(run.exit(), 125);
    const QList<QByteArray> lines = content(log).trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    const qint64 asked = lines[1].toLongLong();
    QVERIFY2(asked >= from && end - asked >= 300,
             qPrintable(QString("asked %1, ended %2").arg(asked - from).arg(end - from)));
    QVERIFY2(end - from < 1600 + 600, qPrintable(QString::number(end - from)));
    QVERIFY2(run.err().contains("the command is asked to end") && run.err().contains("the command is killed"),
             run.err());
  }
  void aCommandThatEndsWhenItIsAskedToIsNotKilled() {
    const QString log = file();
    Contend run(store_, kShort + QStringList{"--grace", "400ms"},
                {"sh", "-c",
                 QString("trap 'echo asked >>%1; exit 0' TERM; echo on >>%1; while :; do sleep 0.02; done").arg(log)});
    QVERIFY(soon([&] { return content(log) == "on\n"; }));
    server_->kill();
    QVERIFY(run.ended());
    QCOMPARE(content(log), QByteArray("on\nasked\n"));
    QCOMPARE(run.exit(), 125);
    QVERIFY2(!run.err().contains("is killed"), run.err());
  }
  void aLossWithoutWarningEndsTheCommandAtOnceAndIsSaid() {
    const QString log = file();
    Contend run(store_, kShort, stays(log));
    const pid_t command = number_in(log);
    QVERIFY(alive(command));
    give_to_another("5000");
    QVERIFY(run.ended(3000));
    QVERIFY(!alive(command));
    QCOMPARE(run.exit(), 125);
    QVERIFY2(run.err().contains("orders is lost (lost): the command is killed"), run.err());
  }
  void connectionsThatBreakAreNoLoss() {
    const QString log = file();
    Contend run(store_, kShort, stays(log));
    const pid_t command = number_in(log);
    for (int i = 0; i < 6; ++i) {
      QVERIFY(server_->url().type->cut_sessions(server_->url()).has_value());
      QTest::qWait(400);  // a renewal every second
    }
    QVERIFY2(alive(command), run.err());
    run.signal(SIGTERM);
    QVERIFY(run.ended());
    QCOMPARE(run.exit(), -SIGTERM);
  }

  // ---- what surrounds it

  void aReaderThatStandsStillDoesNotKeepTheCommandAlive() {
    std::array<int, 2> pipe{};
    QCOMPARE(::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK), 0);
    const std::string full(4096, 'x');
    while (::write(pipe[1], full.data(), full.size()) > 0) {
    }
    ::fcntl(pipe[1], F_SETFL, 0);  // as a terminal's would, a write waits
    const QString log = file();
    Contend run(store_, kShort, stays(log), [&] { ::dup2(pipe[1], STDERR_FILENO); });
    const pid_t command = number_in(log);
    QVERIFY(alive(command));
    give_to_another("5000");
    QVERIFY(soon([&] { return !alive(command); }, 1500));
    QVERIFY(run.ended());
    QCOMPARE(run.exit(), 125);
    for (const int end : pipe) ::close(end);
  }
  void whoReadsItNoLongerEndsNothing() {
    std::array<int, 2> pipe{};
    QCOMPARE(::pipe2(pipe.data(), O_CLOEXEC), 0);
    const QString log = file();
    Contend run(store_, kShort, stays(log), [&] { ::dup2(pipe[1], STDERR_FILENO); });
    for (const int end : pipe) ::close(end);
    const pid_t command = number_in(log);
    QVERIFY(server_->url().type->cut_sessions(server_->url()).has_value());
    QTest::qWait(1500);
    QVERIFY(alive(command) && run.running());
    run.signal(SIGTERM);
    QVERIFY(run.ended());
  }
  void itIsGuardedAlsoWithoutStandardDescriptors() {
    const QString log = file();
    Contend run(store_, kShort, stays(log), [] { ::close_range(0, 2, 0); });
    const pid_t command = number_in(log);
    QVERIFY(alive(command));
    run.signal(SIGKILL);
    QVERIFY(soon([&] { return !alive(command); }, 1000));
  }
  void aGuardianThatDiesIsReplaced() {
    const QString log = file();
    Contend run(store_, kShort, stays(log));
    const pid_t command = number_in(log);
    const pid_t guardian = run.child("leasescope-guar");
    QVERIFY(guardian > 0);
    ::kill(guardian, SIGKILL);
    QVERIFY(soon([&] { return run.child("leasescope-guar") > 0 && run.child("leasescope-guar") != guardian; }, 2000));
    QVERIFY(alive(command));
    QTest::qWait(200);
    run.signal(SIGKILL);
    QVERIFY(soon([&] { return !alive(command); }, 1000));
  }
  void aMemberOfItsGroupWhoseParentHasLeftKeepsTheMutex() {
    const QString log = file();
    Contend run(store_, {},
                {"sh", "-c",
                 QString("(sh -c 'sleep 1.5; echo late >>%1' & exec setsid sleep 3) & sleep 0.3; "
                         "echo early >>%1")
                     .arg(log)});
    QVERIFY(soon([&] { return content(log) == "early\n"; }));
    QCOMPARE(leasescopectl({"contend", store_, "orders", "--wait", "500ms", "--", "true"}).exit, 124);
    QVERIFY(soon([&] { return content(log) == "early\nlate\n"; }));
    QVERIFY(run.ended());
    QCOMPARE(run.exit(), 0);
  }
  void whatItsCommandsLeaveBehindIsNotLeftToRot() {
    const QString log = file();
    Contend run(store_, {"--fixed-delay", "20ms"}, {"sh", "-c", QString("setsid sleep 0.05 & echo >>%1").arg(log)});
    QVERIFY(soon([&] { return content(log).size() >= 10; }));
    QTest::qWait(200);
    QVERIFY2(run.zombies() <= 2, qPrintable(QString::number(run.zombies())));
  }
  void whatItWasStartedToIgnoreItIgnores() {
    const QString log = file();
    Contend owner(store_, {}, stays(log));
    QVERIFY(number_in(log) > 0);
    Contend waits(store_, {}, {"true"}, [] { ::signal(SIGHUP, SIG_IGN); });
    QVERIFY(!waits.ended(300));
    waits.signal(SIGHUP);
    QVERIFY(!waits.ended(500));
    waits.signal(SIGTERM);
    QVERIFY(waits.ended());
    QCOMPARE(waits.exit(), -SIGTERM);
  }

  // ---- again and again

  void aScheduleRunsTheCommandAgainAndAgainInOneTerm() {
    const QString log = file();
    Contend run(store_, {"--fixed-delay", "50ms"},
                {"sh", "-c", QString("echo $LEASESCOPE_FENCE >>%1; exit 1").arg(log)});
    QVERIFY(soon([&] { return content(log).count('\n') >= 4; }));
    run.signal(SIGTERM);
    QVERIFY(run.ended());
    QCOMPARE(run.exit(), -SIGTERM);
    QCOMPARE(content(log), QByteArray("1\n").repeated(static_cast<int>(content(log).count('\n'))));
  }
  void afterALossAScheduleGoesOnInTheNextTerm() {
    const QString log = file();
    Contend run(store_, kShort + QStringList{"--fixed-rate", "50ms"},
                {"sh", "-c", QString("echo $LEASESCOPE_FENCE >>%1").arg(log)});
    QVERIFY(soon([&] { return content(log).contains("1\n"); }));
    give_to_another("700");
    QVERIFY(soon([&] { return content(log).contains("2\n"); }));
    QVERIFY(run.running());
  }

  // ---- every store

  void everyStoreKeepsTwoCommandsApart_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types()) QTest::newRow(type->name().data()) << true;
  }
  void everyStoreKeepsTwoCommandsApart() {
    if (this_store().name() != "redis") serve(this_store());
    const QString log = file();
    const QStringList works{
        "sh", "-c", QString("echo + $LEASESCOPE_FENCE >>%1; sleep 0.2; echo - $LEASESCOPE_FENCE >>%1").arg(log)};
    const QStringList terms{"--ttl", "4s", "--transition", "1s", "--jitter=0ms..100ms"};
    std::vector<std::unique_ptr<Contend>> all;
    for (int i = 0; i < 3; ++i) all.push_back(std::make_unique<Contend>(store_, terms, works));
    for (const auto& each : all) QVERIFY2(each->ended(30000), each->err());
    for (const auto& each : all) QVERIFY2(each->exit() == 0, each->err());
    quint64 highest = 0;
    const QList<QByteArray> lines = content(log).trimmed().split('\n');
    QCOMPARE(lines.size(), 6);
    for (int i = 0; i < 6; i += 2) {
      QVERIFY2(lines[i].startsWith("+ ") && lines[i + 1] == "- " + lines[i].mid(2), lines[i] + lines[i + 1]);
      QVERIFY2(lines[i].mid(2).toULongLong() > highest, lines[i]);
      highest = lines[i].mid(2).toULongLong();
    }
  }

  // Five contend, now and then one is killed or stopped and another comes. A few seconds here; tests/contend_campaign
  // for minutes. Each command writes its token down, fifty times a second: once a higher one stands there, no lower one
  // may follow.
  void noTwoCommandsWorkAtOnceThoughTheirContendersAreKilled_data() { everyStoreKeepsTwoCommandsApart_data(); }
  void noTwoCommandsWorkAtOnceThoughTheirContendersAreKilled() {
    if (this_store().name() != "redis") serve(this_store());
    const int asked = qEnvironmentVariableIntValue("LEASESCOPE_CONTEND_SECONDS");
    const qint64 most = (asked > 0 ? asked : 5) * 1000;
    const QString log = file();
    const QStringList works{
        "sh", "-c", QString("for i in $(seq 40); do echo $LEASESCOPE_FENCE $PPID >>%1; sleep 0.02; done").arg(log)};
    const bool leases = this_store().carries(Family::kLease);
    const QStringList terms{"--ttl", leases ? "1s" : "4s",  "--transition", "600ms", "--timeout", "400ms", "--grace",
                            "200ms", "--jitter=0ms..100ms", "--fixed-rate", "1s"};
    std::vector<std::unique_ptr<Contend>> all(5);
    for (auto& each : all) each = std::make_unique<Contend>(store_, terms, works);
    std::mt19937 draw(7);
    int killed = 0, stopped = 0;
    for (QElapsedTimer since = started(); since.elapsed() < most;) {
      QTest::qWait(1200 + static_cast<int>(draw() % 600));
      // Mostly whoever wrote last: it owns the mutex.
      auto victim = all.begin() + draw() % all.size();
      const QByteArray last = content(log).trimmed().split('\n').last();
      if (draw() % 4 != 0)
        victim = std::find_if(all.begin(), all.end(), [&](const auto& each) { return last.endsWith(each->number()); });
      if (victim == all.end()) continue;
      auto& each = *victim;
      QVERIFY2(each->running(), each->err());
      if (draw() % 4 == 0) {  // it stands still for longer than its lease
        each->signal(SIGSTOP);
        QTest::qWait(leases ? 2000 : 5000);
        each->signal(SIGCONT);
        ++stopped;
      } else {
        each->signal(SIGKILL);
        QVERIFY(each->ended());
        each = std::make_unique<Contend>(store_, terms, works);
        ++killed;
      }
    }
    for (const auto& each : all) each->signal(SIGTERM);
    for (const auto& each : all) QVERIFY2(each->ended() && each->exit() == -SIGTERM, each->err());
    check_tokens(content(log), killed, stopped);
  }

  // ---- bad input

  void badInputIsToldAndNothingRuns_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("expected");
    const QString store = "redis://127.0.0.1:1";
    QTest::newRow("a private server") << QStringList{"redis", "orders", "--", "true"} << "expected the URL of a store";
    QTest::newRow("no store") << QStringList{"http://x", "orders", "--", "true"} << "is not a store";
    QTest::newRow("nobody there") << QStringList{store, "orders", "--", "true"} << "Connection refused";
    QTest::newRow("no command") << QStringList{store, "orders"} << "COMMAND";
    QTest::newRow("blank") << QStringList{store, " ", "--", "true"} << "blank";
    QTest::newRow("grace") << QStringList{store, "orders", "--grace", "6s", "--", "true"} << "--grace 6s";
    QTest::newRow("ttl") << QStringList{store, "orders", "--ttl", "ten", "--", "true"} << "--ttl";
    QTest::newRow("zero") << QStringList{store, "orders", "--ttl", "0s", "--", "true"} << "expected 1ms or more";
    QTest::newRow("transition") << QStringList{store, "orders", "--transition", "20ms", "--", "true"}
                                << "expected more than 102";
    QTest::newRow("jitter") << QStringList{store, "orders", "--jitter", "1s", "--", "true"}
                            << "--jitter 1s: expected a range";
    QTest::newRow("delay") << QStringList{store, "orders", "--fixed-delay", "0s", "--", "true"} << "--fixed-delay 0s";
    QTest::newRow("two schedules") << QStringList{store, "orders", "--fixed-delay", "1s", "--fixed-rate",
                                                  "1s",  "--",     "true"}
                                   << "--fixed-rate";
    QTest::newRow("password") << QStringList{store, "orders", "--password-file", "/nowhere", "--", "true"}
                              << "/nowhere";
  }
  void badInputIsToldAndNothingRuns() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, expected);
    const Ran ran = leasescopectl(QStringList{"contend"} + arguments);
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains(expected.toUtf8()), ran.err);
  }
};

LEASESCOPE_SUITE(ContendTest)
#include "contend_test.moc"
