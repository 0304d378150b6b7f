#include "core/loop/qt/qt_loop.h"

#include <QSocketNotifier>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

using std::chrono::milliseconds;

// Qt counts in milliseconds; rounded up, because a timer must never be early.
milliseconds whole(Duration d) { return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(d)); }

}  // namespace

QtLoop::QtLoop(QObject* parent, Duration stretch)
    : QObject(parent), stretch_(stretch), zero_(std::chrono::steady_clock::now()) {}

QtLoop::~QtLoop() {
  delete notifier_;
  for (auto& [id, alarm] : alarms_) delete alarm.timer;
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
  if (notifier_ == nullptr) {
    notifier_ = new QSocketNotifier(set_.descriptor(), QSocketNotifier::Read, this);
    connect(notifier_, &QSocketNotifier::activated, this, [this] { set_.take_ready(); });
  }
  return set_.watch(descriptor, readiness, std::move(task));
}

void QtLoop::unwatch(WatchId watch) { set_.unwatch(watch); }

}  // namespace leasescope
