#include "core/contend/client/executor.h"

#include <utility>

namespace leasescope::client {

void Executor::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  more_.notify_one();
}

void Executor::finish() {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) return;
    over_ = true;
    more_.notify_one();
  }
  thread_.join();
  over_ = false;
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

}  // namespace leasescope::client
