// Servers that are none, against the whole program: it leaves in order, in time, small, and says why.
// A few of them here; all with LEASESCOPE_IMPOSTORS=all (tests/impostors).
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <QElapsedTimer>
#include <QFile>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include "tests/cli/program.h"
#include "tests/support/impostor_manners.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;

namespace {

constexpr int kSeconds = 30;
constexpr long kMegabytes = 200;

struct Left {
  int exit = -1;       // -2: by a signal, -1: had to be killed
  long megabytes = 0;  // at most
  double seconds = 0;
  QByteArray out, err;
};

// With its memory measured, which QProcess does not.
Left leave(const std::string& scenario, const std::string& store, const QString& folder) {
  const std::string out = (folder + "/out").toStdString(), err = (folder + "/err").toStdString();
  // A test may set LEASESCOPECTL to another build of the program.
  const char* const other = std::getenv("LEASESCOPECTL");
  const std::string program = other != nullptr ? other : kLeasescopectl;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    ::execl(program.c_str(), "leasescopectl", "run", scenario.c_str(), "--store", store.c_str(), "--until", "2s",
            "--set", "mutex.name=m", nullptr);
    ::_exit(127);
  }
  QElapsedTimer timer;
  timer.start();
  int status = 0;
  rusage usage{};
  Left left;
  for (bool killed = false; ::wait4(pid, &status, WNOHANG, &usage) == 0;) {
    if (!killed && timer.elapsed() > kSeconds * 1000) killed = ::kill(pid, SIGKILL) == 0;
    ::usleep(20'000);
  }
  left.seconds = static_cast<double>(timer.elapsed()) / 1000;
  left.megabytes = usage.ru_maxrss / 1024;
  left.exit = WIFEXITED(status) ? WEXITSTATUS(status) : left.seconds > kSeconds ? -1 : -2;
  QFile said(QString::fromStdString(out)), complained(QString::fromStdString(err));
  if (said.open(QIODevice::ReadOnly)) left.out = said.readAll();
  if (complained.open(QIODevice::ReadOnly)) left.err = complained.readAll();
  return left;
}

// A few of them from all over the list, or all.
std::vector<ImpostorRow> chosen() {
  std::vector<ImpostorRow> rows = all_impostors(), out;
  const bool all = qgetenv("LEASESCOPE_IMPOSTORS") == "all";
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (all || i % 9 == 4) out.push_back(std::move(rows[i]));
  return out;
}

// What is wrong with it; empty when nothing is.
std::string complaint(const Left& left, int port) {
  if (left.exit == -1) return "did not end in time";
  if (left.exit == -2) return "ended by a signal";
  if (left.exit > 3) return "exit " + std::to_string(left.exit);
  if (left.megabytes >= kMegabytes) return std::to_string(left.megabytes) + " MB";
  // Bad input names the place; a run that took place has a report.
  const QByteArray place = "127.0.0.1:" + QByteArray::number(port);
  if (left.exit == 2 && !left.err.contains(place)) return "no place in: " + left.err.toStdString();
  if (left.exit == 2 && left.err.size() > 2000) return "a message of " + std::to_string(left.err.size()) + " bytes";
  if (left.exit != 2 && left.out.isEmpty()) return "no report";
  return {};
}

}  // namespace

class ImpostorTest : public QObject {
  Q_OBJECT
 private slots:
  void everyImpostorIsLeftInOrder() {
    const std::vector<ImpostorRow> rows = chosen();
    QVERIFY(rows.size() >= 5);
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::vector<std::string> complaints;
    std::size_t ran = 0;
    int exits[4] = {};
    double slowest = 0;
    long most = 0;
    const auto work = [&] {
      for (std::size_t i = 0; (i = next++) < rows.size();) {
        QTemporaryDir folder;
        const Impostor impostor(rows[i].manner);
        const Left left =
            leave(rows[i].scenario, rows[i].scheme + "://127.0.0.1:" + std::to_string(impostor.port()) + rows[i].path,
                  folder.path());
        const std::string wrong = complaint(left, impostor.port());
        const std::lock_guard lock(mutex);
        ++ran;
        if (left.exit >= 0 && left.exit <= 3) ++exits[left.exit];
        slowest = std::max(slowest, left.seconds);
        most = std::max(most, left.megabytes);
        if (!wrong.empty()) complaints.push_back(rows[i].name + ": " + wrong);
        if (qEnvironmentVariableIsSet("LEASESCOPE_IMPOSTORS_TELL"))
          std::printf("%s: %d, %.1f s, %ld MB: %s\n", rows[i].name.c_str(), left.exit, left.seconds, left.megabytes,
                      left.err.left(300).trimmed().constData());
      }
    };
    std::vector<std::thread> workers;
    for (int i = 0; i < 8; ++i) workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    std::printf("%zu impostors, %zu wrong; exit 0: %d, 1: %d, 2: %d, 3: %d; slowest %.1f s, most memory %ld MB\n", ran,
                complaints.size(), exits[0], exits[1], exits[2], exits[3], slowest, most);
    std::string text;
    for (const std::string& each : complaints) text += each + "\n";
    QVERIFY2(complaints.empty(), text.c_str());
    QCOMPARE(ran, rows.size());
  }
};

LEASESCOPE_SUITE(ImpostorTest)
#include "impostor_test.moc"
