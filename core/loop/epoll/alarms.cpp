#include "core/loop/epoll/alarms.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace leasescope {

Alarms::Alarms(clockid_t clock)
    : clock_(clock), descriptor_(::timerfd_create(clock, TFD_NONBLOCK | TFD_CLOEXEC)), zero_(reading()) {}

Alarms::~Alarms() { ::close(descriptor_); }

Duration Alarms::reading() const {
  timespec now{};
  ::clock_gettime(clock_, &now);
  return std::chrono::seconds(now.tv_sec) + Duration(now.tv_nsec);
}

Loop::TimerId Alarms::add(Duration after, Loop::Task task) {
  const Loop::TimerId id = ++last_timer_;
  // A century is as good as more, and can be added to the clock.
  const Duration at = reading() + std::clamp<Duration>(after, Duration::zero(), std::chrono::hours(24 * 365 * 100));
  timers_.emplace(Due{at, id}, std::move(task));
  due_.emplace(id, at);
  return id;
}

// If it is the first, that is found out when it would have been due, which is cheaper than to set it anew each time.
void Alarms::cancel(Loop::TimerId timer) {
  const auto found = due_.find(timer);
  if (found == due_.end()) return;
  timers_.erase({found->second, timer});
  due_.erase(found);
}

// It is read so that it is not ready any more.
void Alarms::drain() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(descriptor_, &count, sizeof count);
  set_to_ = Duration::max();
}

void Alarms::set() {
  const Duration first = timers_.empty() ? Duration::max() : timers_.begin()->first.first;
  if (first == set_to_) return;
  set_to_ = first;
  itimerspec at{};
  if (first != Duration::max()) {
    // Of zero it would never fire.
    const Duration reading = std::max(first, Duration(1));
    const auto whole = std::chrono::floor<std::chrono::seconds>(reading);
    at.it_value.tv_sec = whole.count();
    at.it_value.tv_nsec = (reading - whole).count();
  }
  ::timerfd_settime(descriptor_, TFD_TIMER_ABSTIME, &at, nullptr);
}

}  // namespace leasescope
