#include "core/contend/client/executor.h"

#include <utility>

namespace leasescope::client {

void Executor::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (over_) return;
  tasks_.push_back(std::move(task));
  if (!thread_.joinable()) {
    thread_ = std::thread([this] { run(); });
    id_ = thread_.get_id();
  }
  more_.notify_one();
}

void Executor::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    more_.wait(lock, [&] { return over_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

void Executor::begin() {
  const std::lock_guard lock(mutex_);
  over_ = false;
}

void Executor::finish() {
  std::thread ends;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    more_.notify_one();
    ends = std::move(thread_);
  }
  if (ends.joinable()) ends.join();
  const std::lock_guard lock(mutex_);
  id_ = {};
}

bool Executor::is_this_thread() const {
  const std::lock_guard lock(mutex_);
  return id_ == std::this_thread::get_id();
}

}  // namespace leasescope::client
