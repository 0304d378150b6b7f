// The `:contender` sorted set of Simba up to 3.1: who waits since which whole second of the server's clock. Entries
// stay until they are popped or removed: a waiter that crashed stays for ever.
#pragma once
#include <algorithm>
#include <vector>

#include "core/base/name.h"
#include "core/time/clock.h"

namespace leasescope {

class WaitQueue {
 public:
  // Keeps the place of one that waits already. `rank` orders ids as their texts are: it decides within one second.
  void add(Name who, ServerTime now, std::uint32_t rank) {
    if (place_of(who) == waiters_.end()) waiters_.push_back({second_of(now), rank, who});
  }

  void remove(Name who) {
    const auto at = place_of(who);
    if (at != waiters_.end()) waiters_.erase(at);
  }

  // Who has waited for longest; empty when nobody waits.
  Name first() const {
    const auto at = std::min_element(waiters_.begin(), waiters_.end(), [](const Waiter& a, const Waiter& b) {
      return a.second != b.second ? a.second < b.second : a.rank < b.rank;
    });
    return at == waiters_.end() ? Name{} : at->who;
  }
  Name pop() {
    const Name who = first();
    remove(who);
    return who;
  }

 private:
  struct Waiter {
    std::int64_t second = 0;
    std::uint32_t rank = 0;
    Name who;
  };

  static std::int64_t second_of(ServerTime now) {
    return std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  }
  std::vector<Waiter>::iterator place_of(Name who) {
    return std::find_if(waiters_.begin(), waiters_.end(), [who](const Waiter& waiter) { return waiter.who == who; });
  }

  std::vector<Waiter> waiters_;
};

}  // namespace leasescope
