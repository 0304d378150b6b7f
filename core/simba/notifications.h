// What the application has not been told yet: owners that wait for its executor, oldest first, in a small fixed array.
#pragma once
#include <algorithm>
#include <array>

#include "core/base/expect.h"
#include "core/history/event.h"

namespace leasescope {

struct Notification {
  Name owner;  // empty: nobody
  DisbeliefReason reason = DisbeliefReason::kLost;
  Token token = kNoToken;
  WallTime transition_at{};  // the owner's other times follow from it and the terms
  SteadyTime due{};          // the executor comes to it no earlier
};

// An executor can lag behind any number of notifications, but not behind more than a few that differ: an application is
// called back when this contender gains or loses the mutex, and neither a renewal nor a change between two others does
// that. Such a neighbour is taken into the one before it, which keeps its turn and its reason and takes the newest
// owner: the same callbacks at the same moments, the same isOwner in between. What waits therefore gains and loses in
// turn; one that does so more often than there are places loses its latest gain and loss, of which the application
// would have heard only after all the others were over.
class Notifications {
 public:
  explicit Notifications(Name self) : self_(self) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const Notification& front() const {
    expect(!empty(), "nobody waits to be told");
    return waiting_[0];
  }

  void add(const Notification& next) {
    if (size_ == kPlaces && !alike(waiting_[size_ - 1], next)) --size_;  // the one before is alike
    if (size_ == 0 || !alike(waiting_[size_ - 1], next)) {
      waiting_[size_] = next;
      if (size_ > 0) waiting_[size_].due = std::max(next.due, waiting_[size_ - 1].due);  // one after the other
      ++size_;
      return;
    }
    Notification& before = waiting_[size_ - 1];
    before.owner = next.owner;
    before.token = next.token;
    before.transition_at = next.transition_at;
  }

  Notification pop() {
    const Notification first = front();
    std::copy(waiting_.begin() + 1, waiting_.begin() + size_, waiting_.begin());
    --size_;
    return first;
  }

  void clear() { size_ = 0; }

 private:
  static constexpr std::uint8_t kPlaces = 4;

  bool alike(const Notification& a, const Notification& b) const { return (a.owner == self_) == (b.owner == self_); }

  std::uint8_t size_ = 0;
  Name self_;
  std::array<Notification, kPlaces> waiting_;
};

}  // namespace leasescope
