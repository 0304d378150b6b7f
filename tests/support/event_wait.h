// Waiting for a condition with Qt's event loop running.
#pragma once
#include <QEventLoop>
#include <QTimer>
#include <chrono>

namespace leasescope::tests {

// Until `done` is true or the time is over; says whether it was.
template <class Predicate>
bool wait_until(Predicate done, std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  QTimer tick;
  QEventLoop loop;
  QObject::connect(&tick, &QTimer::timeout, &loop, [&] {
    if (done() || std::chrono::steady_clock::now() >= end) loop.quit();
  });
  if (done()) return true;
  tick.start(std::chrono::milliseconds(5));
  loop.exec();
  return done();
}

}  // namespace leasescope::tests
