#include "core/loop/qt/qt_loop.h"

#include <QSocketNotifier>
#include <QTimer>
#include <algorithm>
#include <memory>

namespace leasescope {
namespace {

using std::chrono::milliseconds;

// Qt counts in milliseconds; rounded up, because a timer must never be early.
milliseconds whole(Duration d) { return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(d)); }

}  // namespace

QtLoop::QtLoop(QObject* parent, Duration stretch)
    : QObject(parent), stretch_(stretch), zero_(std::chrono::steady_clock::now()) {}

QtLoop::~QtLoop() {
  for (auto& [id, alarm] : alarms_) delete alarm.timer;
  for (auto& [id, notifier] : notifiers_) delete notifier;
}

void QtLoop::set_zero() { zero_ = std::chrono::steady_clock::now(); }

TrueTime QtLoop::now() const {
  return TrueTime(std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - zero_));
}

Loop::TimerId QtLoop::delay(Duration after, Task task) {
  const TimerId id = ++last_id_;
  auto* timer = new QTimer(this);
  timer->setSingleShot(true);
  timer->setTimerType(Qt::PreciseTimer);
  connect(timer, &QTimer::timeout, this, [this, id] { set_off(id); });
  // A century is as good as more, and can be added to the clock.
  after = std::min<Duration>(after, std::chrono::hours(24 * 365 * 100));
  alarms_.emplace(id, Alarm{timer, std::chrono::steady_clock::now() + after, std::move(task)});
  wait(*timer, after);
  return id;
}

void QtLoop::wait(QTimer& timer, Duration left) const { timer.start(whole(std::min(left, stretch_))); }

void QtLoop::set_off(TimerId id) {
  const auto found = alarms_.find(id);
  if (found == alarms_.end()) return;
  if (const Duration early = found->second.due - std::chrono::steady_clock::now(); early > Duration::zero()) {
    wait(*found->second.timer, early);
    return;
  }
  const Task task = std::move(found->second.task);
  found->second.timer->deleteLater();
  alarms_.erase(found);
  task();
}

void QtLoop::cancel(TimerId timer) {
  const auto found = alarms_.find(timer);
  if (found == alarms_.end()) return;
  found->second.timer->stop();
  found->second.timer->deleteLater();
  alarms_.erase(found);
}

void QtLoop::post(Task task) { QMetaObject::invokeMethod(this, std::move(task), Qt::QueuedConnection); }

Loop::WatchId QtLoop::watch(int descriptor, Readiness readiness, Task task) {
  const WatchId id = ++last_id_;
  const auto type = readiness == Readiness::kRead ? QSocketNotifier::Read : QSocketNotifier::Write;
  auto* notifier = new QSocketNotifier(descriptor, type, this);
  // Held apart from the connection, so that a task that ends its own watch still has itself to run on.
  const auto kept = std::make_shared<Task>(std::move(task));
  connect(notifier, &QSocketNotifier::activated, this, [kept] {
    const auto alive = kept;
    (*alive)();
  });
  notifiers_.emplace(id, notifier);
  return id;
}

void QtLoop::unwatch(WatchId watch) {
  const auto found = notifiers_.find(watch);
  if (found == notifiers_.end()) return;
  found->second->setEnabled(false);
  found->second->deleteLater();
  notifiers_.erase(found);
}

}  // namespace leasescope
