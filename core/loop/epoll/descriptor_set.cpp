#include "core/loop/epoll/descriptor_set.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace leasescope {

DescriptorSet::DescriptorSet() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

DescriptorSet::~DescriptorSet() { ::close(epoll_); }

Loop::WatchId DescriptorSet::watch(int descriptor, Readiness readiness, Loop::Task task) {
  const Loop::WatchId id = ++last_id_;
  Watched& watched = watched_[descriptor];
  if (watched.tasks.empty()) watched.serial = ++last_serial_;
  watched.tasks.emplace(id, std::pair(readiness, std::make_shared<Loop::Task>(std::move(task))));
  descriptors_.emplace(id, descriptor);
  tell_epoll(descriptor, watched);
  return id;
}

void DescriptorSet::unwatch(Loop::WatchId watch) {
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
void DescriptorSet::tell_epoll(int descriptor, const Watched& watched) const {
  epoll_event event{};
  event.data.u64 = std::uint64_t{watched.serial} << 32 | static_cast<std::uint32_t>(descriptor);
  for (const auto& [id, task] : watched.tasks) event.events |= task.first == Readiness::kRead ? EPOLLIN : EPOLLOUT;
  if (watched.tasks.empty()) {
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
  } else if (::epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event) != 0) {
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }
}

void DescriptorSet::take_ready(int wait_ms, const std::function<bool()>& goes_on) {
  std::array<epoll_event, 256> ready;
  const int count = ::epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), wait_ms);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = ready[static_cast<std::size_t>(i)];
    const auto descriptor = static_cast<int>(event.data.u64 & 0xffffffff);
    const auto serial = static_cast<std::uint32_t>(event.data.u64 >> 32);
    // Who waits for either is told that the peer has gone.
    if ((event.events & ~EPOLLOUT) != 0) call(descriptor, serial, Readiness::kRead);
    if ((event.events & ~EPOLLIN) != 0) call(descriptor, serial, Readiness::kWrite);
    if (goes_on && !goes_on()) return;
  }
}

// A task may end any watch, its own too, and close descriptors: what is left is looked up again after each. What is
// watched meanwhile has its turn next time.
void DescriptorSet::call(int descriptor, std::uint32_t serial, Readiness readiness) {
  const Loop::WatchId last = last_id_;
  for (Loop::WatchId after = 0;;) {
    const auto found = watched_.find(descriptor);
    if (found == watched_.end() || found->second.serial != serial) return;
    const auto& tasks = found->second.tasks;
    const auto next = std::find_if(tasks.upper_bound(after), tasks.end(),
                                   [&](const auto& each) { return each.second.first == readiness; });
    if (next == tasks.end() || next->first > last) return;
    after = next->first;
    const std::shared_ptr<Loop::Task> task = next->second.second;
    (*task)();
  }
}

}  // namespace leasescope
