// Whether the machine would have let this process work: a thread that asks for nothing and is served last.
#pragma once
#include <sched.h>
#include <atomic>
#include <chrono>
#include <thread>

namespace leasescope::tests {

// It sleeps a millisecond and wakes, again and again. What it oversleeps, the machine stood still, the process was
// stopped or held to a share of the machine, or every processor was busy with something else (it runs only on one that
// is idle: SCHED_IDLE). The idea is that of jHiccup.
class Onlooker {
 public:
  Onlooker() : thread_([this](const std::stop_token& stop) { look(stop); }) {}

  // Nanoseconds overslept until now, the sleep that is not over yet included. Asked at the very moment it wakes this
  // may count that sleep twice, but never leaves it out.
  std::int64_t overslept() const {
    std::int64_t woke = 0, before = 0;
    do {
      woke = woke_.load();
      before = overslept_.load();
    } while (woke != woke_.load());
    return before + beyond(now() - woke);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t kSleepNs = 1'000'000, kUsualNs = 2'000'000;

  static std::int64_t now() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }
  static std::int64_t beyond(std::int64_t asleep) { return asleep > kUsualNs ? asleep - kSleepNs : 0; }

  void look(const std::stop_token& stop) {
    const sched_param least{};
    (void)sched_setscheduler(0, SCHED_IDLE, &least);  // of this thread only
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::nanoseconds(kSleepNs));
      const std::int64_t woke = now();
      overslept_ += beyond(woke - woke_);
      woke_ = woke;
    }
  }

  std::atomic<std::int64_t> woke_ = now(), overslept_ = 0;
  std::jthread thread_;
};

}  // namespace leasescope::tests
