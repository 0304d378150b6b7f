// How long a window answered nobody.
#pragma once
#include <QElapsedTimer>
#include <QTimer>

namespace leasescope::bench {

// Milliseconds between two turns of the event loop, at most.
class Silence {
 public:
  Silence() {
    last_.start();
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] {
      longest_ = std::max(longest_, last_.nsecsElapsed());
      last_.start();
    });
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.start(1);
  }
  double longest_ms() const { return static_cast<double>(longest_) / 1e6; }

 private:
  QElapsedTimer last_;
  QTimer timer_;
  qint64 longest_ = 0;
};

}  // namespace leasescope::bench
