#include "core/loop/epoll/alarms.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace leasescope {
namespace {

constexpr std::size_t kCancelledAtLeast = 64;  // before they are looked for

}  // namespace

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
  order_.emplace(at, id);
  tasks_.emplace(id, std::move(task));
  return id;
}

// Nearly all are cancelled: it leaves its place in the order behind, which is cheaper than to look for it.
void Alarms::cancel(Loop::TimerId timer) {
  if (timer == 0 || tasks_.erase(timer) == 0) return;
  if (order_.size() > kCancelledAtLeast && order_.size() > 2 * tasks_.size()) forget_cancelled();
}

void Alarms::forget_cancelled() {
  std::vector<Due> left;
  left.reserve(2 * tasks_.size());
  for (; const Due* due = first(); order_.pop()) left.push_back(*due);
  order_ = Order({}, std::move(left));
}

// Of those that have not been cancelled.
const Alarms::Due* Alarms::first() {
  while (!order_.empty() && tasks_.count(order_.top().second) == 0) order_.pop();
  return order_.empty() ? nullptr : &order_.top();
}

// It is read so that it is not ready any more.
void Alarms::drain() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(descriptor_, &count, sizeof count);
  set_to_ = Duration::max();
}

// One that is set for earlier, of what has been cancelled since, wakes once in vain: that is rarer, and costs less,
// than to set it anew for each.
void Alarms::set() {
  const Due* const due = first();
  if (due == nullptr || due->first >= set_to_) return;
  set_to_ = due->first;
  // Of zero it would never fire.
  const Duration reading = std::max(set_to_, Duration(1));
  const auto whole = std::chrono::floor<std::chrono::seconds>(reading);
  itimerspec at{};
  at.it_value.tv_sec = whole.count();
  at.it_value.tv_nsec = (reading - whole).count();
  ::timerfd_settime(descriptor_, TFD_TIMER_ABSTIME, &at, nullptr);
}

}  // namespace leasescope
