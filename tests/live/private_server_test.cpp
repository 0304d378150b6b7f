// What a private server's start clears away of runs that were killed, and what it leaves alone.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stop_token>
#include <thread>

#include <QDir>
#include <QFile>

#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/store/types/types.h"
#include "simulator/live/private_server.h"
#include "tests/support/redis_program.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"

using namespace leasescope;
using leasescope::tests::TemporaryFolder;
using namespace std::chrono_literals;

namespace {

constexpr const char* kNobody = "leasescope-4194303-mine";  // no process has that number

// Another process with a private folder, until it is killed.
class Run {
 public:
  Run() {
    int pipe[2];
    if (::pipe(pipe) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      const auto folder = PrivateFolder::make(4096);
      if (folder && ::write(pipe[1], (*folder)->path().data(), (*folder)->path().size()) > 0) ::pause();
      ::_exit(1);
    }
    ::close(pipe[1]);
    char path[4096];
    const ssize_t size = ::read(pipe[0], path, sizeof path);
    ::close(pipe[0]);
    if (size > 0) path_ = QString::fromLocal8Bit(path, static_cast<int>(size));
  }
  ~Run() { kill(); }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  QString path() const { return path_; }

 private:
  pid_t process_ = 0;
  QString path_;
};

QString started(PrivateServer& server) {
  const auto result = server.start();
  return result ? QString() : QString::fromStdString(result.error());
}

// A server that never answers, or one whose making never ends.
StoreType sleeper(bool while_made) {
  StoreType type = redis::store_type();
  static bool made = false;
  made = while_made;
  type.recipe = [](const ServerPlace& place) {
    ServerRecipe recipe = redis::store_type().recipe(place);
    ServerCommand sleep;
    sleep.programs = {"sh"};
    sleep.package = "dash";
    sleep.arguments = {"-c", "sleep 100; exit 0 # " + place.folder};
    if (made) recipe.prepare = sleep;
    recipe.serve = sleep;
    return recipe;
  };
  type.answers = [](const StoreUrl&) { return false; };
  return type;
}

}  // namespace

class PrivateServerTest : public QObject {
  Q_OBJECT
 private slots:
  void aUsersOwnFolderSurvives() {
    const TemporaryFolder temporary;
    const QString work = temporary.file_in(kNobody);
    PrivateServer server(redis::store_type());
    QCOMPARE(started(server), QString());
    QVERIFY(QFile::exists(work));
  }
  void theTargetOfALinkSurvives() {
    const TemporaryFolder temporary;
    const QString work = temporary.file_in("elsewhere");
    QVERIFY(QFile::link(temporary.path("elsewhere"), temporary.path(kNobody)));
    PrivateServer server(redis::store_type());
    QCOMPARE(started(server), QString());
    QVERIFY(QFile::exists(work));
  }
  void theFolderOfARunThatGoesOnSurvives() {
    const TemporaryFolder temporary;
    Run other;
    QVERIFY(QFile::exists(other.path()));
    PrivateServer server(redis::store_type());
    QCOMPARE(started(server), QString());
    QVERIFY(QFile::exists(other.path()));
    other.kill();
  }
  void theFolderOfARunThatWasKilledGoes() {
    const TemporaryFolder temporary;
    Run other;
    const QString kept = temporary.file_in("elsewhere");
    QVERIFY(QFile::link(temporary.path("elsewhere"), other.path() + "/link"));
    other.kill();
    QVERIFY(QFile::exists(other.path()));
    PrivateServer server(redis::store_type());
    QCOMPARE(started(server), QString());
    QVERIFY(!QFile::exists(other.path()));
    QVERIFY(QFile::exists(kept));  // what a link in it led to
  }
  void aLockThatIsALinkRemovesNothing() {
    const TemporaryFolder temporary;
    const QString work = temporary.file_in(kNobody);
    QVERIFY(QFile::link(work, temporary.path(kNobody) + "/.leasescope-lock"));
    PrivateServer server(redis::store_type());
    QCOMPARE(started(server), QString());
    QVERIFY(QFile::exists(work));
  }
  // A Debian has Redis by one of two names.
  void aServerIsFoundByTheNameItHasHere() {
    QVERIFY(!tests::redis_server_program().isEmpty());
    const QTemporaryDir folder;
    QVERIFY(QFile::link(tests::redis_server_program(), folder.filePath("valkey-server")));
    const QByteArray before = qgetenv("PATH");
    qputenv("PATH", folder.path().toLocal8Bit());
    StoreType type = redis::store_type();
    QCOMPARE(type.recipe({"/nowhere", "", 1}).serve.programs,
             (std::vector<std::string>{"redis-server", "valkey-server"}));
    type.recipe = [](const ServerPlace& place) {
      ServerRecipe recipe = redis::store_type().recipe(place);
      recipe.serve.programs.front() = "redis-server-that-is-not-here";
      return recipe;
    };
    PrivateServer server(type);
    const auto started = server.start();
    qputenv("PATH", before);
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QVERIFY(redis::store_type().answers(server.url()));
  }

  void itsOwnFolderIsGoneAtTheEnd() {
    const TemporaryFolder temporary;
    for (const StoreType* type : store_types()) {
      {
        PrivateServer server(*type);
        QCOMPARE(started(server), QString());
        QCOMPARE(temporary.folders().size(), 1);
      }
      QCOMPARE(temporary.folders(), QStringList());
    }
  }
  // ---- told to stop while it starts

  void aClockOfItsOwnIsSetAndLeavesNothingBehind() {
    PrivateServerOptions options;
    options.sets_clock = true;
    PrivateServer server(redis::store_type(), options);
    QCOMPARE(started(server), QString());
    const auto ahead = [&] {
      redis::Asker asker(2000ms);
      const auto answer = asker.connect(server.url()) ? asker.ask({"TIME"}) : tl::unexpected<std::string>("no server");
      const auto now = std::chrono::system_clock::now().time_since_epoch() / 1s;
      return answer ? std::stoll(answer->items.front().text) - now : -1;
    };
    QVERIFY(std::abs(ahead()) <= 1);
    server.set_clock(3600s);
    QVERIFY(std::abs(ahead() - 3600) <= 1);
    server.kill();
    QVERIFY(server.start_again().has_value());
    QVERIFY(std::abs(ahead() - 3600) <= 1);
    server.set_clock(-1500ms);
    QVERIFY(std::abs(ahead() + 1) <= 1);
  }

  // Its users, its many processes, a deadline that was reckoned before the clock was set: it goes on answering.
  void everyServerGoesOnWhenItsClockIsSet() {
    for (const StoreType* type : store_types()) {
      PrivateServerOptions options;
      options.sets_clock = true;
      PrivateServer server(*type, options);
      QCOMPARE(started(server), QString());
      for (const Duration ahead : {Duration(3600s), Duration(-3600s), Duration(0s)}) {
        server.set_clock(ahead);
        QVERIFY2(type->answers(server.url()), qPrintable(QString::fromStdString(std::string(type->name()))));
      }
    }
  }

  void aStartThatIsToldToStopEndsAtOnceAndLeavesNothing_data() {
    QTest::addColumn<bool>("while_made");
    QTest::newRow("while it is made") << true;
    QTest::newRow("while it does not answer") << false;
  }
  void aStartThatIsToldToStopEndsAtOnceAndLeavesNothing() {
    QFETCH(bool, while_made);
    const TemporaryFolder temporary;
    const StoreType type = sleeper(while_made);
    std::stop_source stop;
    std::thread stopper([&] {
      while (temporary.processes().isEmpty()) std::this_thread::sleep_for(5ms);
      stop.request_stop();
    });
    {
      PrivateServer server(type);
      const auto result = server.start(stop.get_token());
      stopper.join();
      QVERIFY(!result);
    }
    QCOMPARE(temporary.left(), QStringList());
  }
  void whatAServerSaysBeforeItFailsIsInTheError() {
    const TemporaryFolder temporary;
    StoreType type = redis::store_type();
    type.recipe = [](const ServerPlace& place) {
      ServerRecipe recipe = redis::store_type().recipe(place);
      recipe.serve.programs = {"sh"};
      recipe.serve.arguments = {"-c", "echo no room; echo for me >&2; exit 3"};
      return recipe;
    };
    PrivateServer server(type);
    const QString error = started(server);
    QVERIFY2(error.contains("no room\nfor me"), qPrintable(error));
  }
  // A server takes no part of the signals that its thread leaves to others.
  void aServerOfAThreadWithoutSignalsHearsThem() {
    const TemporaryFolder temporary;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    PrivateServer server(redis::store_type());
    const QString error = started(server);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    QCOMPARE(error, QString());
    // While it begins a thread of its own it hears none for a moment.
    QTRY_COMPARE(temporary.statuses("SigBlk"), QStringList("0000000000000000"));
  }
};

LEASESCOPE_SUITE(PrivateServerTest)
#include "private_server_test.moc"
