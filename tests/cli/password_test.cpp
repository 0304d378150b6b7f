// The ways a password comes in without standing on the command line.
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>

#include <QProcess>

#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/store/url.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/other_readers.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class PasswordTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  static Ran run(const QString& store, const QStringList& more = {}) {
    return leasescopectl(QStringList{"run", "healthy", "--store", store, "--until", "500ms"} + more);
  }
  static QString redis(const PrivateServer& server) {
    return "unix:" + QString::fromStdString(server.url().endpoint.unix_path);
  }

 private slots:
  void aRedisPasswordComesFromAFileTheEnvironmentOrTheUrl() {
    PrivateServer server(redis::store_type(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const Ran without = run(redis(server));
    QCOMPARE(without.exit, 2);
    QVERIFY2(without.err.contains("it wants a password"), without.err);
    const QString file = write_file(folder_, "password", "hush-hush\n");
    QCOMPARE(run(redis(server), {"--password-file", file}).err, QByteArray());
    QCOMPARE(run(redis(server) + "?password=hush-hush").err, QByteArray());
    qputenv("REDISCLI_AUTH", "hush-hush");
    QCOMPARE(run(redis(server)).err, QByteArray());
    qunsetenv("REDISCLI_AUTH");
    qputenv("LEASESCOPE_REDIS_PASSWORD_FILE", file.toLocal8Bit());
    QCOMPARE(run(redis(server)).err, QByteArray());
    qputenv("LEASESCOPE_REDIS_PASSWORD_FILE", "/nowhere/at-all");
    const Ran wrong = run(redis(server));
    qunsetenv("LEASESCOPE_REDIS_PASSWORD_FILE");
    QCOMPARE(wrong.exit, 2);
    QVERIFY2(wrong.err.contains("/nowhere/at-all"), wrong.err);
    QCOMPARE(run(redis(server), {"--password-file", "/nowhere"}).exit, 2);
  }

  // libpq was given the proxy's port, for which ~/.pgpass has no line.
  void thePasswordLibpqFindsForTheRealHostAndPortIsHandedOn() {
    PrivateServer server(postgres::store_type(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const QString folder = QString::fromStdString(server.url().endpoint.host);
    const QString file = write_file(folder_, "pgpass", folder.toUtf8() + ":5432:*:leasescope:hush-hush\n");
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner);
    qputenv("PGPASSFILE", file.toLocal8Bit());
    const Ran ran = run("postgresql://leasescope@/postgres?host=" + folder);
    qunsetenv("PGPASSFILE");
    QCOMPARE(ran.err, QByteArray());
    const Ran without = run("postgresql://leasescope@/postgres?host=" + folder);
    QCOMPARE(without.exit, 2);
    QVERIFY2(without.err.contains("it wants a password"), without.err);
  }

  void whoeverLeavesAtThePromptFindsTheTerminalAsItWas() {
    PrivateServer server(redis::store_type(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const QByteArray store = redis(server).toUtf8();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      int terminal = -1;
      const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
      if (child == 0) {
        ::execl(kLeasescopectl, kLeasescopectl, "run", "healthy", "--store", store.constData(), nullptr);
        ::_exit(127);
      }
      const auto echoes = [&] {
        termios now{};
        return ::tcgetattr(terminal, &now) == 0 && (now.c_lflag & ECHO) != 0;
      };
      QVERIFY(echoes());
      QTRY_VERIFY(!echoes());  // it asks
      ::kill(child, signal);
      int status = 0;
      QCOMPARE(::waitpid(child, &status, 0), child);
      QVERIFY(WIFSIGNALED(status));
      QCOMPARE(WTERMSIG(status), signal);
      QVERIFY(echoes());
      ::close(terminal);
    }
  }

  void aPasswordTypedAtThePromptIsTaken() {
    PrivateServer server(redis::store_type(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    const QByteArray store = redis(server).toUtf8();
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
      ::execl(kLeasescopectl, kLeasescopectl, "run", "healthy", "--store", store.constData(), "--until", "500ms",
              nullptr);
      ::_exit(127);
    }
    termios now{};
    QTRY_VERIFY(::tcgetattr(terminal, &now) == 0 && (now.c_lflag & ECHO) == 0);
    QCOMPARE(::write(terminal, "hush-hush\n", 10), ssize_t(10));
    int status = 1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    ::close(terminal);
  }

  void noneIsSeenByWhoeverListsTheProcesses() {
    for (const char* const store :
         {"redis://me:hush-hush@127.0.0.1:1/0?password=hush-hush", "redis://:hush-hush@127.0.0.1:1"}) {
      QProcess process;
      process.start(kLeasescopectl, {"watch", store});
      QVERIFY(process.waitForStarted());
      QByteArray line;
      // From when it has read it on, which is at once.
      QTRY_VERIFY((line = read_whole(QString("/proc/%1/cmdline").arg(process.processId()))).contains("watch") &&
                  !line.contains("hush"));
      QVERIFY2(line.contains("redis://") && line.contains("@127.0.0.1:1"), line);
      process.kill();
      process.waitForFinished();
    }
  }

  // Of a watch: what it records, and what is made of that.
  void noRecordingReportOrJsonHasIt() {
    PrivateServer server(redis::store_type(), {"hush-hush", 50});
    QVERIFY(server.start().has_value());
    redis::Asker asker(std::chrono::milliseconds(5000));
    QVERIFY(asker.connect(server.url()) && asker.greet(server.url()));
    QVERIFY(asker.ask({"SET", "simba:{orders}", "o", "PX", "60000"}).has_value());
    const QString recording = folder_.filePath("secret.recording"), page = folder_.filePath("secret.html"),
                  paper = folder_.filePath("secret.pdf"), words = folder_.filePath("secret.jsonl");
    const QString rules = write_file(folder_, "rules.toml",
                                     "schema = 1\n[[rule]]\nname = \"nobody\"\nkind = \"no_owner\"\nfor = \"1s\"\n");
    QProcess watching;
    watching.start(kLeasescopectl, {"watch", redis(server) + "?password=hush-hush", "--record", recording, "--alerts",
                                    rules, "--on-alert", "true hush-hush", "--foreign", "likely", "--poll", "200ms"});
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((out += watching.readAllStandardOutput()).contains("orders  granted to "), 10'000);
    // All that there is of it, while it is written and when it is done.
    const auto written = [&] { return read_whole(recording) + read_whole(recording + "-wal"); };
    QTRY_VERIFY(written().contains("watch.rules"));
    QVERIFY(!written().contains("hush-hush"));
    ::kill(static_cast<pid_t>(watching.processId()), SIGINT);
    QVERIFY(watching.waitForFinished(10'000));
    QCOMPARE(watching.exitCode(), 0);
    const Ran replay =
        leasescopectl({"replay", recording, "--json", "--html", page, "--pdf", paper, "--history", words});
    QVERIFY2(replay.exit == 0, replay.err);
    const Ran info = leasescopectl({"recording", "info", recording, "--json"});
    const Read read = read_by(QStringLiteral("pdftotext"), {paper, QStringLiteral("-")});
    QVERIFY2(read.done, read.why);
    const QByteArray everything[] = {written(),
                                     read_whole(page),
                                     read_whole(paper),
                                     read.out.toUtf8(),
                                     read_whole(words),
                                     replay.out,
                                     replay.err,
                                     info.out,
                                     out,
                                     watching.readAllStandardError()};
    for (const QByteArray& each : everything) QVERIFY2(!each.contains("hush-hush"), each);
    // ... and the store and how it was looked at are in it all the same.
    const nlohmann::json settings = replay.json()["watched"]["settings"];
    const nlohmann::json& store = settings["stores"][0];
    QCOMPARE(store["store"].get<std::string>(), printable(server.url()));
    QCOMPARE(store["poll_ns"].get<qint64>(), qint64{200'000'000});
    QCOMPARE(store["foreign"].get<std::string>(), std::string("likely"));
    QVERIFY(settings["rules"].get<std::string>().find("no_owner") != std::string::npos);
    QVERIFY(replay.json()["watched"]["fired"].is_array());
    QVERIFY(read_whole(page).contains("looked at each 200 ms") && read.out.simplified().contains("200 ms"));
  }

  void noErrorRepeatsWhatMayBeAPassword() {
    for (const char* store : {"redis://:hush/word@h", "host=h password=hush", "postgresql://me:12/hush@h"})
      for (const QStringList& more : {QStringList{}, QStringList{"--fork-at", "1s"}}) {
        const Ran ran = run(store, more);
        QCOMPARE(ran.exit, 2);
        QVERIFY2(!ran.err.contains("hush"), ran.err);
      }
  }
};

LEASESCOPE_SUITE(PasswordTest)
#include "password_test.moc"
