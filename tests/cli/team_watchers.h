// Who takes part in the tests of a team's history: locks that change hands, observers that record them, terminals that
// read meanwhile.
#pragma once
#include <csignal>
#include <random>

#include <QDateTime>
#include <QProcess>

#include "core/store/redis/asker.h"
#include "tests/cli/program.h"
#include "tests/support/suite.h"

namespace leasescope::tests {

inline constexpr int kMutexes = 12;

// Locks of Redisson's that change hands: they lie there as its clients leave them.
class Locks {
 public:
  explicit Locks(const StoreUrl& url) : server_(std::chrono::hours(2)) {
    if (!server_.connect(url)) qFatal("no Redis");
    take_all();
  }
  // So that all are found when somebody begins to watch.
  void take_all() {
    for (int i = 0; i < kMutexes; ++i) {
      server_.ask({"DEL", name(i).toStdString()});
      take(i);
    }
  }
  void change() {
    const int which = static_cast<int>(draw_() % kMutexes);
    server_.ask({"DEL", name(which).toStdString()});
    if (draw_() % 3 != 0) take(which);
  }
  static QString name(int which) { return QString("m-%1").arg(which); }

 private:
  void take(int which) {
    const std::string lock = name(which).toStdString();
    const std::string owner = fmt::format("b9a1c2d3-0f1e-4a5b-8c7d-{:012x}:1", ++owners_);
    server_.ask({"HSET", lock, owner, "1"});
    server_.ask({"PEXPIRE", lock, "30000"});
  }

  redis::Asker server_;
  std::mt19937 draw_{17};
  unsigned owners_ = 0;
};

// `leasescopectl watch --record postgresql://…`, and what it says.
class Watching {
 public:
  Watching(const QString& redis, const QString& team, const QString& name, const QStringList& more = {}) : name_(name) {
    process_.start(
        kLeasescopectl,
        QStringList{"watch", redis, "--json", "--poll", "100ms", "--record", team, "--observer", name} + more);
    if (!process_.waitForStarted()) qFatal("it did not start");
  }
  ~Watching() { process_.kill(), process_.waitForFinished(); }

  const QString& name() const { return name_; }
  qint64 process() const { return process_.processId(); }
  bool running() const { return process_.state() == QProcess::Running; }
  const QByteArray& out() { return out_ += process_.readAllStandardOutput(); }
  const QByteArray& err() { return err_ += process_.readAllStandardError(); }
  // What it has told, each event once it was whole.
  QByteArrayList lines() {
    QByteArrayList all = out().split('\n');
    all.removeLast();
    return all;
  }
  bool says(const char* words) {
    return QTest::qWaitFor([&] { return err().contains(words); }, 15'000);
  }
  bool has_begun() {
    return QTest::qWaitFor([&] { return out().contains("granted"); }, 10'000);
  }
  void kill() {
    process_.kill();
    process_.waitForFinished();
    out(), err();
  }
  // As whoever runs it ends it; its exit code.
  int end() {
    ::kill(static_cast<pid_t>(process()), SIGINT);
    if (!process_.waitForFinished(15'000)) return -1;
    out(), err();
    return process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -2;
  }

 private:
  QProcess process_;
  QString name_;
  QByteArray out_, err_;
};

// A terminal that asks again and again.
class Reader {
 public:
  explicit Reader(QStringList arguments) : arguments_(std::move(arguments)) { ask(); }
  ~Reader() { process_.waitForFinished(); }
  // What was wrong, if anything was.
  QByteArray poll() {
    if (process_.state() != QProcess::NotRunning) return {};
    const QByteArray err = process_.readAllStandardError(), out = process_.readAllStandardOutput();
    if (process_.exitCode() != 0) return "exit code " + QByteArray::number(process_.exitCode()) + ": " + err;
    if (out.isEmpty()) return "it said nothing";
    ++answers;
    ask();
    return {};
  }
  int answers = 0;

 private:
  void ask() { process_.start(kLeasescopectl, arguments_); }
  QStringList arguments_;
  QProcess process_;
};

// As a moment is told on the command line.
inline QString utc_clock(qint64 unix_ns) {
  return QDateTime::fromMSecsSinceEpoch(unix_ns / 1'000'000).toUTC().toString("yyyy-MM-dd HH:mm:ss.zzz");
}

}  // namespace leasescope::tests
