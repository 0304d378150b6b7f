// The port to real time without Qt: what the client library and `contend` run on. Its clock goes on while the machine
// sleeps, as the leases do that a server keeps.
#pragma once
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/loop/epoll/alarms.h"
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

  TrueTime now() const override { return alarms_.now(); }
  TimerId delay(Duration after, Task task) override { return alarms_.add(after, std::move(task)); }
  void cancel(TimerId timer) override { alarms_.cancel(timer); }
  void post(Task task) override;  // from any thread
  WatchId watch(int descriptor, Readiness readiness, Task task) override {
    return set_.watch(descriptor, readiness, std::move(task));
  }
  void unwatch(WatchId watch) override { set_.unwatch(watch); }

 private:
  void take_due();
  void take_posted();
  bool has_posts();

  Alarms alarms_;
  DescriptorSet set_;
  int posts_;  // readable when something was posted
  std::mutex mutex_;
  std::vector<Task> posted_;  // under the mutex
  std::vector<Task> spare_;   // empty, with the room of those before
  std::atomic<bool> over_ = false;
  std::atomic<std::thread::id> runs_in_{};  // none while it does not run
};

}  // namespace leasescope
