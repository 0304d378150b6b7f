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
  // Not from its own thread.
  ~Executor() { finish(); }
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // From any thread; the first makes its own. After finish() nothing is taken any more, until begin().
  void post(std::function<void()> task);
  void begin();
  // Does what was posted so far, then ends its thread. From one thread at a time.
  void finish();
  bool is_this_thread() const;

 private:
  void run();

  mutable std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::function<void()>> tasks_;  // under the mutex, as what follows
  bool over_ = false;
  std::thread thread_;
  std::thread::id id_{};
};

}  // namespace leasescope::client
