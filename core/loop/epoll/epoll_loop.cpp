#include "core/loop/epoll/epoll_loop.h"

#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace leasescope {
namespace {

constexpr clockid_t kClock = CLOCK_BOOTTIME;

Duration reading() {
  timespec now{};
  ::clock_gettime(kClock, &now);
  return std::chrono::seconds(now.tv_sec) + Duration(now.tv_nsec);
}

// A counter of the kernel's is read so that it is not ready any more.
void drain(int descriptor) {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(descriptor, &count, sizeof count);
}

}  // namespace

EpollLoop::EpollLoop()
    : zero_(reading()),
      alarm_(::timerfd_create(kClock, TFD_NONBLOCK | TFD_CLOEXEC)),
      posts_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  set_.watch(alarm_, Readiness::kRead, [this] {
    drain(alarm_);
    alarmed_ = TrueTime::max();
  });
  set_.watch(posts_, Readiness::kRead, [this] { drain(posts_); });
}

EpollLoop::~EpollLoop() {
  ::close(alarm_);
  ::close(posts_);
}

void EpollLoop::run() {
  runs_in_ = std::this_thread::get_id();
  while (!over_) {
    take_posted();
    take_due();
    take_posted();  // what fell due has led to: descriptors have their turn behind it
    if (over_) break;
    const bool waits = !has_posts();
    if (waits) set_alarm();  // what falls due is looked for in each turn anyway
    set_.take_ready(waits ? -1 : 0);
  }
  over_ = false;
  runs_in_ = std::thread::id();
}

void EpollLoop::quit() {
  over_ = true;
  ::eventfd_write(posts_, 1);
}

TrueTime EpollLoop::now() const { return TrueTime(reading() - zero_); }

Loop::TimerId EpollLoop::delay(Duration after, Task task) {
  const TimerId id = ++last_timer_;
  // A century is as good as more, and can be added to the clock.
  const TrueTime at = now() + std::clamp<Duration>(after, Duration::zero(), std::chrono::hours(24 * 365 * 100));
  timers_.emplace(Due{at, id}, std::move(task));
  due_.emplace(id, at);
  return id;
}

void EpollLoop::cancel(TimerId timer) {
  const auto found = due_.find(timer);
  if (found == due_.end()) return;
  timers_.erase({found->second, timer});
  due_.erase(found);
}

void EpollLoop::post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
  }
  // The loop's own thread looks before it waits, and need not be woken.
  if (std::this_thread::get_id() != runs_in_.load()) ::eventfd_write(posts_, 1);
}

// What is armed or posted meanwhile waits for the next turn, so that descriptors have theirs too.
void EpollLoop::take_due() {
  const Due last{now(), last_timer_};
  while (!timers_.empty() && timers_.begin()->first <= last && !over_) {
    const auto first = timers_.begin();
    const Task task = std::move(first->second);
    due_.erase(first->first.second);
    timers_.erase(first);
    task();
  }
}

void EpollLoop::take_posted() {
  std::vector<Task> posted = std::move(spare_);
  {
    const std::lock_guard lock(mutex_);
    posted.swap(posted_);
  }
  for (const Task& task : posted) task();
  posted.clear();
  spare_ = std::move(posted);
}

bool EpollLoop::has_posts() {
  const std::lock_guard lock(mutex_);
  return !posted_.empty();
}

void EpollLoop::set_alarm() {
  const TrueTime first = timers_.empty() ? TrueTime::max() : timers_.begin()->first.first;
  if (first == alarmed_) return;
  alarmed_ = first;
  itimerspec at{};
  if (first != TrueTime::max()) {
    // Of zero it would never fire.
    const Duration since_boot = std::max(zero_ + first.time_since_epoch(), Duration(1));
    const auto whole = std::chrono::floor<std::chrono::seconds>(since_boot);
    at.it_value.tv_sec = whole.count();
    at.it_value.tv_nsec = (since_boot - whole).count();
  }
  ::timerfd_settime(alarm_, TFD_TIMER_ABSTIME, &at, nullptr);
}

}  // namespace leasescope
