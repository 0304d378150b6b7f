// Waiting without blocking Qt's event loop.
#pragma once
#include <QEventLoop>
#include <QTimer>
#include <chrono>
#include <future>

namespace leasescope {

// Runs the event loop until `done` is true or the time is over; says whether it was.
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

// Does it on a thread of its own, with the event loop running meanwhile; returns what it does. `work` has a limit of
// its own and touches nothing that the loop may change.
template <class Work>
auto done_elsewhere(Work work) {
  auto result = std::async(std::launch::async, std::move(work));
  wait_until([&] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; },
             std::chrono::hours(1));
  return result.get();
}

}  // namespace leasescope
