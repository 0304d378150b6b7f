#include "core/loop/epoll/epoll_loop.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace leasescope {
namespace {

// A counter of the kernel's is read so that it is not ready any more.
void drain(int descriptor) {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(descriptor, &count, sizeof count);
}

}  // namespace

EpollLoop::EpollLoop() : alarms_(CLOCK_BOOTTIME), posts_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  set_.watch(alarms_.descriptor(), Readiness::kRead, [] {});  // they are looked at at every turn
  set_.watch(posts_, Readiness::kRead, [this] { drain(posts_); });
}

EpollLoop::~EpollLoop() { ::close(posts_); }

void EpollLoop::run() {
  runs_in_ = std::this_thread::get_id();
  while (!over_) {
    take_posted();
    take_due();
    take_posted();  // what fell due has led to: descriptors have their turn behind it
    if (over_) break;
    const bool waits = !has_posts();
    if (waits) alarms_.set();  // what falls due is looked for in each turn anyway
    // What one descriptor's piece has led to is not kept waiting by the next one's.
    set_.take_ready(waits ? -1 : 0, [this] {
      take_posted();
      return !over_;
    });
  }
  over_ = false;
  runs_in_ = std::thread::id();
}

void EpollLoop::quit() {
  over_ = true;
  ::eventfd_write(posts_, 1);
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
  alarms_.take_due([this](const Task& task) {
    task();
    return !over_;
  });
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

}  // namespace leasescope
