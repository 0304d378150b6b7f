// Whether the event loop was ever silent for long: a beat every 5 ms, and what passed between two of them.
#pragma once
#include <QElapsedTimer>
#include <QFile>
#include <QTimer>
#include <ctime>

namespace leasescope::tests {

// A silence counts from beat to beat, but for the time in which this thread was ready to run and had to wait for a
// processor (the kernel's run delay): what other programs take is not the window's doing. Waiting for anything else
// counts, a lock or a file as well as work. Where the kernel does not tell the delay, only the processor time of the
// process between two beats counts.
class Heartbeat {
 public:
  struct Silence {
    double own_ms = 0;   // as said above
    double wall_ms = 0;  // as a watch would show it
  };

  Heartbeat() {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(5);
    timer_.callOnTimeout([this] { beat(); });
    schedule_.setFileName(QStringLiteral("/proc/thread-self/schedstat"));
    (void)schedule_.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    last_ = read();
    timer_.start();
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
    qint64 wall = 0, processor = 0, delay = -1;  // ns; -1: not told
  };

  Reading read() {
    Reading now;
    timespec at{};
    clock_gettime(CLOCK_MONOTONIC, &at);
    now.wall = at.tv_sec * 1'000'000'000 + at.tv_nsec;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    now.processor = at.tv_sec * 1'000'000'000 + at.tv_nsec;
    // "run time, delay, slices"; a kernel that does not count says 0 0 0.
    if (!schedule_.isOpen() || !schedule_.seek(0)) return now;
    const QList<QByteArray> words = schedule_.readAll().simplified().split(' ');
    if (words.size() == 3 && words[0].toLongLong() > 0) now.delay = words[1].toLongLong();
    return now;
  }

  void beat() {
    ++beats_;
    const Reading now = read();
    const qint64 wall = now.wall - last_.wall;
    const qint64 own = now.delay >= 0 && last_.delay >= 0 ? std::max(wall - (now.delay - last_.delay), qint64{0})
                                                          : now.processor - last_.processor;
    longest_.own_ms = std::max(longest_.own_ms, static_cast<double>(own) / 1e6);
    longest_.wall_ms = std::max(longest_.wall_ms, static_cast<double>(wall) / 1e6);
    last_ = now;
  }

  QTimer timer_;
  QFile schedule_;
  Reading last_;
  Silence longest_;
  int beats_ = 0;
};

}  // namespace leasescope::tests
