// The port to real time without Qt: what the client library and `contend` run on. Its clock goes on while the machine
// sleeps, as the leases do that a server keeps.
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/loop/epoll/descriptor_set.h"
#include "core/loop/loop.h"

namespace leasescope {

class EpollLoop final : public Loop {
 public:
  EpollLoop();
  ~EpollLoop() override;

  // Carries out what falls due, in the thread that calls it, until quit().
  void run();
  // From any thread, also before run(), which then returns at once.
  void quit();

  TrueTime now() const override;
  TimerId delay(Duration after, Task task) override;
  void cancel(TimerId timer) override;
  void post(Task task) override;  // from any thread
  WatchId watch(int descriptor, Readiness readiness, Task task) override {
    return set_.watch(descriptor, readiness, std::move(task));
  }
  void unwatch(WatchId watch) override { set_.unwatch(watch); }

 private:
  using Due = std::pair<TrueTime, TimerId>;

  void take_due();
  void take_posted();
  bool has_posts();
  void set_alarm();

  Duration zero_;
  DescriptorSet set_;
  int alarm_;  // readable when the first timer is due
  int posts_;  // readable when something was posted
  TrueTime alarmed_ = TrueTime::max();
  std::map<Due, Task> timers_;
  std::unordered_map<TimerId, TrueTime> due_;
  TimerId last_timer_ = 0;
  std::mutex mutex_;
  std::vector<Task> posted_;  // under the mutex
  std::vector<Task> spare_;   // empty, with the room of those before
  std::atomic<bool> over_ = false;
  std::atomic<std::thread::id> runs_in_{};  // none while it does not run
};

}  // namespace leasescope
