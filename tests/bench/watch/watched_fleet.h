// Ten thousand mutexes on a store that is none: what an observer would tell of them, by hand.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/loop/epoll/epoll_loop.h"
#include "core/observe/watch.h"

namespace leasescope::bench {

// Tells whoever listens.
class ToldFleet {
 public:
  class Nobody final : public Observer {
   public:
    void begin() override {}
    ObserverFigures figures() const override { return {}; }
    TrueTime quiet_until(const std::string&) const override { return TrueTime::min(); }
  };

  // Both outlive it.
  void observed_by(Loop& loop, ObserverListener& listener) {
    loop_ = &loop;
    listener_ = &listener;
  }
  // So many are there.
  void begin(std::size_t mutexes) {
    listener_->on_sighted();
    for (std::size_t i = 0; i < mutexes; ++i) change(i);
    listener_->on_all_seen();
  }
  // Another owner, with the next token.
  void change(std::size_t mutex) {
    Sighting seen;
    seen.mutex = "mutex-" + std::to_string(mutex);
    seen.owner = "worker-" + std::to_string(++changes_ % 500);
    seen.token = changes_;
    seen.left = std::chrono::seconds(5 + static_cast<long>(changes_ % 11));
    seen.waiters = static_cast<std::uint32_t>(changes_ % 4);
    seen.asked = seen.answered = loop_->now();
    listener_->on_seen(seen);
  }

 private:
  Loop* loop_ = nullptr;
  ObserverListener* listener_ = nullptr;
  std::uint64_t changes_ = 0;
};

// A watch of it, without a window.
class WatchedFleet {
 public:
  explicit WatchedFleet(std::size_t mutexes) : watch_(loop_, {}) {
    watch_.add("redis://fleet", [this](ObserverListener& listener) {
      fleet_.observed_by(loop_, listener);
      return std::make_unique<ToldFleet::Nobody>();
    });
    fleet_.begin(mutexes);
  }

  void change(std::size_t mutex) { fleet_.change(mutex); }
  Watch& watch() { return watch_; }
  TrueTime now() const { return loop_.now(); }

 private:
  EpollLoop loop_;
  Watch watch_;
  ToldFleet fleet_;
};

}  // namespace leasescope::bench
