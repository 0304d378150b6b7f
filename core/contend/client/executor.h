// A thread that does one thing after the other.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace leasescope::client {

class Executor {
 public:
  Executor() = default;
  ~Executor() { finish(); }
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // From any thread; the first makes its own.
  void post(std::function<void()> task);
  // Does what was posted so far, then ends its thread.
  void finish();
  bool is_this_thread() const { return thread_.get_id() == std::this_thread::get_id(); }

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::function<void()>> tasks_;  // under the mutex, as `over_`
  bool over_ = false;
  std::thread thread_;
};

}  // namespace leasescope::client
