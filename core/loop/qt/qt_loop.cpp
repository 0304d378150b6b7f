#include "core/loop/qt/qt_loop.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <QTimer>
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace leasescope {
namespace {

using std::chrono::milliseconds;

// Qt counts in milliseconds; rounded up, because a timer must never be early.
milliseconds whole(Duration d) { return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(d)); }

}  // namespace

QtLoop::QtLoop(QObject* parent, Duration stretch)
    : QObject(parent),
      stretch_(stretch),
      zero_(std::chrono::steady_clock::now()),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

QtLoop::~QtLoop() {
  delete notifier_;
  ::close(epoll_);
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
    notifier_ = new QSocketNotifier(epoll_, QSocketNotifier::Read, this);
    connect(notifier_, &QSocketNotifier::activated, this, [this] { take_ready(); });
  }
  const WatchId id = ++last_id_;
  Watched& watched = watched_[descriptor];
  if (watched.tasks.empty()) watched.serial = ++last_serial_;
  watched.tasks.emplace(id, std::pair(readiness, std::make_shared<Task>(std::move(task))));
  descriptors_.emplace(id, descriptor);
  tell_epoll(descriptor, watched);
  return id;
}

void QtLoop::unwatch(WatchId watch) {
  const auto found = descriptors_.find(watch);
  if (found == descriptors_.end()) return;
  const int descriptor = found->second;
  descriptors_.erase(found);
  Watched& watched = watched_[descriptor];
  watched.tasks.erase(watch);
  tell_epoll(descriptor, watched);
  if (watched.tasks.empty()) watched_.erase(descriptor);
}

// A client library may have closed the descriptor, and opened another of the same number, behind our back.
void QtLoop::tell_epoll(int descriptor, const Watched& watched) const {
  epoll_event event{};
  event.data.u64 = std::uint64_t{watched.serial} << 32 | static_cast<std::uint32_t>(descriptor);
  for (const auto& [id, task] : watched.tasks) event.events |= task.first == Readiness::kRead ? EPOLLIN : EPOLLOUT;
  if (watched.tasks.empty()) {
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
  } else if (::epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event) != 0) {
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }
}

void QtLoop::take_ready() {
  std::array<epoll_event, 256> ready;
  const int count = ::epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), 0);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = ready[static_cast<std::size_t>(i)];
    const auto descriptor = static_cast<int>(event.data.u64 & 0xffffffff);
    const auto serial = static_cast<std::uint32_t>(event.data.u64 >> 32);
    // Who waits for either is told that the peer has gone.
    if ((event.events & ~EPOLLOUT) != 0) call(descriptor, serial, Readiness::kRead);
    if ((event.events & ~EPOLLIN) != 0) call(descriptor, serial, Readiness::kWrite);
  }
}

// A task may end any watch, its own too, and close descriptors: what is left is looked up again after each.
void QtLoop::call(int descriptor, std::uint32_t serial, Readiness readiness) {
  const auto found = watched_.find(descriptor);
  if (found == watched_.end() || found->second.serial != serial) return;
  std::vector<std::pair<WatchId, std::shared_ptr<Task>>> due;
  for (const auto& [id, task] : found->second.tasks)
    if (task.first == readiness) due.emplace_back(id, task.second);
  for (const auto& [id, task] : due)
    if (descriptors_.count(id) != 0) (*task)();
}

}  // namespace leasescope
