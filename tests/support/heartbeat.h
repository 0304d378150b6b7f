// Whether the event loop was ever silent for long: a beat every 5 ms, and what passed between two of them.
#pragma once
#include <unistd.h>
#include <QElapsedTimer>
#include <QFile>
#include <QTimer>
#include <ctime>

#include "tests/support/onlooker.h"

namespace leasescope::tests {

// A silence counts from beat to beat, but for the time in which this thread was ready to run and had to wait for a
// processor (the kernel's run delay), for what the host of a virtual machine took from it (steal, told in hundredths of
// a second), and for what was not work while an onlooker could not run either: what other programs take is not the
// window's doing. Neither is it that the machine has dropped from its memory what lay idle, of the program itself too,
// and reads it from its disk again: of a silence in which this thread did that (the kernel counts the bytes) only work
// counts. Waiting for anything else counts, a lock or a file in memory as well as work. Where the kernel does not tell
// the delay, only the processor time of the process between two beats counts.
class Heartbeat {
 public:
  struct Silence {
    double own_ms = 0;   // as said above
    double wall_ms = 0;  // as a watch would show it
    double work_ms = 0;  // processor time of the process in the longest of its own: far less is a wait
  };

  Heartbeat() {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(5);
    timer_.callOnTimeout([this] { beat(); });
    schedule_.setFileName(QStringLiteral("/proc/thread-self/schedstat"));
    (void)schedule_.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    machine_.setFileName(QStringLiteral("/proc/stat"));
    (void)machine_.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    disk_.setFileName(QStringLiteral("/proc/thread-self/io"));
    (void)disk_.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    last_ = read();
    timer_.start();
  }

  // Between two beats, in ns.
  struct Passed {
    qint64 wall = 0, work = 0, delay = 0, stolen = 0, overslept = 0;
    qint64 fetched = 0;  // bytes that this thread had to wait for until they came from a disk
  };
  // What of it counts, where the kernel tells the delay.
  static qint64 own(const Passed& passed) {
    const qint64 overslept = std::min(passed.overslept, std::max(passed.wall - passed.work, qint64{0}));
    const qint64 own = std::max(passed.wall - std::max(passed.delay + passed.stolen, overslept), qint64{0});
    return passed.fetched > 0 ? std::min(passed.work, own) : own;
  }

  // The longest since it was last asked, or since the beginning.
  Silence longest() {
    beat();
    const Silence longest = longest_;
    longest_ = {};
    beats_ = 0;
    return longest;
  }
  int beats() const { return beats_; }

 private:
  struct Reading {
    qint64 wall = 0, processor = 0, delay = -1, stolen = 0, overslept = 0;  // ns; -1: not told
    qint64 fetched = 0;
  };

  Reading read() {
    Reading now;
    timespec at{};
    clock_gettime(CLOCK_MONOTONIC, &at);
    now.wall = at.tv_sec * 1'000'000'000 + at.tv_nsec;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    now.processor = at.tv_sec * 1'000'000'000 + at.tv_nsec;
    now.stolen = stolen();
    now.overslept = onlooker_.overslept();
    now.fetched = fetched();
    // "run time, delay, slices"; a kernel that does not count says 0 0 0.
    if (!schedule_.isOpen() || !schedule_.seek(0)) return now;
    const QList<QByteArray> words = schedule_.readAll().simplified().split(' ');
    if (words.size() == 3 && words[0].toLongLong() > 0) now.delay = words[1].toLongLong();
    return now;
  }

  // Of all processors together: "cpu user nice system idle iowait irq softirq steal …".
  qint64 stolen() {
    if (!machine_.isOpen() || !machine_.seek(0)) return 0;
    const QList<QByteArray> words = machine_.read(160).simplified().split(' ');
    return words.size() > 8 ? words[8].toLongLong() * 1'000'000'000 / sysconf(_SC_CLK_TCK) : 0;
  }

  // "…\nread_bytes: 4096\n…": what was not in memory.
  qint64 fetched() {
    if (!disk_.isOpen() || !disk_.seek(0)) return 0;
    const QByteArray text = disk_.readAll(), name = "\nread_bytes: ";
    const qsizetype at = text.indexOf(name);
    return at < 0 ? 0 : text.mid(at + name.size()).split('\n').first().toLongLong();
  }

  void beat() {
    ++beats_;
    const Reading now = read();
    const Passed passed{now.wall - last_.wall,     now.processor - last_.processor, now.delay - last_.delay,
                        now.stolen - last_.stolen, now.overslept - last_.overslept, now.fetched - last_.fetched};
    const qint64 wall = passed.wall, work = passed.work;
    const qint64 own = now.delay >= 0 && last_.delay >= 0 ? Heartbeat::own(passed) : work;
    if (const double own_ms = static_cast<double>(own) / 1e6; own_ms > longest_.own_ms) {
      longest_.own_ms = own_ms;
      longest_.work_ms = static_cast<double>(work) / 1e6;
    }
    longest_.wall_ms = std::max(longest_.wall_ms, static_cast<double>(wall) / 1e6);
    last_ = now;
  }

  Onlooker onlooker_;
  QTimer timer_;
  QFile schedule_, machine_, disk_;
  Reading last_;
  Silence longest_;
  int beats_ = 0;
};

}  // namespace leasescope::tests
