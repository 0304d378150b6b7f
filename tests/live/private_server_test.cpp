// What a private server's start clears away of runs that were killed, and what it leaves alone.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "core/store/postgres/store_type.h"
#include "core/store/redis/store_type.h"
#include "core/store/types/types.h"
#include "simulator/live/private_server.h"
#include "tests/support/redis_program.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// Every run's private folder lies in this one while a test runs.
class TemporaryFolder {
 public:
  TemporaryFolder() : before_(qgetenv("TMPDIR")) {
    qputenv("TMPDIR", here_.path().toLocal8Bit());
    // As in /tmp, a server that runs as another user gets to its own.
    QFile::setPermissions(here_.path(), QFile::permissions(here_.path()) | QFile::ExeGroup | QFile::ExeOther);
  }
  ~TemporaryFolder() {
    if (before_.isNull())
      qunsetenv("TMPDIR");
    else
      qputenv("TMPDIR", before_);
  }
  QString path(const QString& name) const { return here_.filePath(name); }
  // A file in a folder of that name.
  QString file_in(const QString& folder) const {
    QDir(here_.path()).mkpath(folder);
    QFile file(path(folder + "/work"));
    return file.open(QIODevice::WriteOnly) && file.write("a week of it") > 0 ? file.fileName() : QString();
  }
  QStringList folders() const { return QDir(here_.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot); }

 private:
  QTemporaryDir here_;
  QByteArray before_;
};

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
};

LEASESCOPE_SUITE(PrivateServerTest)
#include "private_server_test.moc"
