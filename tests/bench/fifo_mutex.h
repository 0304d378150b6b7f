// A plain first-in-first-out mutex on the bare engine: event queue, random streams and sampled delays, without store
// port and checkers. What other simulators are compared with.
#pragma once
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/random_stream.h"
#include "simulator/engine/event_queue.h"
#include "simulator/scenario/distribution.h"

namespace leasescope::bench {

// Every contender thinks, asks, waits for its turn, holds and releases, for ever.
class FifoMutex {
 public:
  static constexpr Duration kThink = std::chrono::seconds(10);  // mean, exponential
  static constexpr Duration kHold = std::chrono::seconds(1);    // likewise

  explicit FifoMutex(std::uint32_t contenders) : waiting_(contenders) {
    for (std::uint32_t i = 0; i < contenders; ++i) {
      const std::string name = fmt::format("c{}", i);
      contenders_.push_back({RandomStream(1, name, "think"), RandomStream(1, name, "hold")});
      think(i);
    }
  }

  void run(std::uint64_t acquisitions) {
    const std::uint64_t end = acquisitions_ + acquisitions;
    while (acquisitions_ < end) {
      const QueueEntry entry = queue_.pop();
      now_ = entry.at;
      if (entry.due() == kAsks) {
        ask(entry.node());
      } else {
        release(entry.node());
      }
    }
  }

  std::uint64_t acquisitions() const { return acquisitions_; }
  double utilisation() const { return seconds(held_) / seconds(now_.time_since_epoch()); }
  double mean_wait_seconds() const { return seconds(waited_) / static_cast<double>(acquisitions_); }

 private:
  static constexpr Due kAsks = Due::kRequestArrives;
  static constexpr Due kReleases = Due::kWork;

  struct Contender {
    RandomStream thinks;
    RandomStream holds;
    TrueTime asked{};
  };

  static double seconds(Duration duration) { return static_cast<double>(duration.count()) / 1e9; }

  void think(std::uint32_t who) { queue_.push(now_ + think_.sample(contenders_[who].thinks), kAsks, who, 0); }

  void ask(std::uint32_t who) {
    contenders_[who].asked = now_;
    if (busy_) {
      waiting_[(first_ + waiters_++) % waiting_.size()] = who;
    } else {
      busy_ = true;
      grant(who);
    }
  }

  void grant(std::uint32_t who) {
    ++acquisitions_;
    waited_ += now_ - contenders_[who].asked;
    const Duration hold = hold_.sample(contenders_[who].holds);
    held_ += hold;
    queue_.push(now_ + hold, kReleases, who, 0);
  }

  void release(std::uint32_t who) {
    think(who);
    if (waiters_ == 0) {
      busy_ = false;
      return;
    }
    const std::uint32_t next = waiting_[first_];
    first_ = (first_ + 1) % waiting_.size();
    --waiters_;
    grant(next);
  }

  EventQueue queue_;
  Distribution think_ = Distribution::exponential(kThink);
  Distribution hold_ = Distribution::exponential(kHold);
  std::vector<Contender> contenders_;
  std::vector<std::uint32_t> waiting_;  // a ring
  std::size_t first_ = 0;
  std::size_t waiters_ = 0;
  TrueTime now_{};
  std::uint64_t acquisitions_ = 0;
  Duration waited_{};
  Duration held_{};
  bool busy_ = false;
};

}  // namespace leasescope::bench
