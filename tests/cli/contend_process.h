// One `leasescopectl contend` that runs beside a test.
#pragma once
#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <csignal>
#include <functional>

#include "tests/support/places.h"

namespace leasescope::tests {

inline bool soon(const std::function<bool()>& what, int ms = 8000) { return QTest::qWaitFor(what, ms); }

inline QByteArray content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Of the mutex "orders".
class Contend {
 public:
  // `change`: in the new process, before it becomes the program.
  Contend(const QString& store, const QStringList& options, const QStringList& command,
          const std::function<void()>& change = {}) {
    if (change) process_.setChildProcessModifier(change);
    process_.start(kLeasescopectl, QStringList{"contend", store, "orders"} + options + QStringList{"--"} + command);
    process_.waitForStarted();
  }
  // One that has ended has the number 0, which is our own group.
  void signal(int number) {
    if (process_.processId() > 0) ::kill(static_cast<pid_t>(process_.processId()), number);
  }
  QByteArray number() const { return " " + QByteArray::number(process_.processId()); }
  bool running() const { return process_.state() != QProcess::NotRunning; }
  bool ended(int ms = 10000) { return !running() || process_.waitForFinished(ms); }
  int exit() const {
    return process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -process_.exitCode();
  }
  // The processes whose parent it is, as /proc has them.
  template <class See>
  void each_child(See see) const {
    for (const QString& entry : QDir("/proc").entryList({"[1-9]*"}, QDir::Dirs)) {
      const QByteArray stat = content("/proc/" + entry + "/stat");
      const int name = static_cast<int>(stat.indexOf('(')) + 1, end = static_cast<int>(stat.lastIndexOf(')'));
      const QList<QByteArray> rest = stat.mid(end + 2).split(' ');
      if (rest.size() > 1 && rest[1].toLongLong() == process_.processId())
        see(entry.toInt(), stat.mid(name, end - name), rest[0]);
    }
  }
  pid_t child(const QByteArray& called) const {
    pid_t out = 0;
    each_child([&](pid_t who, const QByteArray& name, const QByteArray& state) {
      if (name == called && state != "Z") out = who;
    });
    return out;
  }
  int zombies() const {
    int out = 0;
    each_child([&](pid_t, const QByteArray&, const QByteArray& state) { out += state == "Z"; });
    return out;
  }
  QByteArray err() { return err_ += process_.readAllStandardError(); }
  QByteArray out() { return out_ += process_.readAllStandardOutput(); }

 private:
  QProcess process_;
  QByteArray out_, err_;
};

}  // namespace leasescope::tests
