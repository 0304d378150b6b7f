// Contenders of one mutex, all on one loop, who hand it on: what is measured is the shipped contention.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/contend/driver/contention.h"
#include "core/loop/epoll/epoll_loop.h"
#include "tests/bench/handoff/floor.h"

namespace leasescope::bench {

class Relay {
 public:
  // It rests for so long before and after a hand-off: what the losers still have to say is said by then, on loopback.
  static constexpr std::chrono::milliseconds kToBeSaid{8};

  // Returns when one of them owns and all the others know it. Throws when that does not come about.
  Relay(const StoreUrl& url, int waiters, const LeaseTerms& terms);

  // The owner stops; how long until the next one owns. Afterwards a new waiter has taken the place of who stopped.
  Watch::duration hand_off();
  // The owner is gone without a word; how long after the store's lease is over the next one owns, at most (counted from
  // when the owner's last call left, plus the lease).
  Watch::duration take_over();
  // Called after the next one owns, and all that was said has been answered, before anybody is put in place.
  void when_all_is_said(std::function<void()> then) { said_ = std::move(then); }

 private:
  struct Runner {
    std::unique_ptr<Contention> contention;
    bool knows = false;  // that somebody else owns
    bool stopped = false;
    TrueTime until{};
  };

  void put(std::size_t place);
  void settle();
  void run_until(const std::function<bool()>& so);
  void idle(Duration for_so_long);

  EpollLoop loop_;
  StoreUrl url_;
  std::string mutex_;
  LeaseTerms terms_;
  std::vector<Runner> runners_;
  std::size_t owner_ = kNobody;
  Watch::time_point owned_at_;
  TrueTime owned_at_of_loop_{};
  std::function<void()> said_ = [] {};
  std::string trouble_;  // what somebody was told last

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
};

}  // namespace leasescope::bench
