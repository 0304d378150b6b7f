// What an asynchronous replica has: its leader's state of a while ago, kept as what must be undone to get back there.
#pragma once
#include <vector>

#include "core/base/large_vector.h"
#include "core/time/clock.h"

namespace leasescope {

template <class State>
class Replica {
 public:
  Replica() = default;
  explicit Replica(Duration lag) : lag_(lag) {}

  // Before the leader changes one of its states.
  void remember(std::uint32_t place, const State& before, TrueTime now) {
    if (cuts_ > 0) return;
    forget_until(now - lag_);
    undo_.push_back({now, place, before});
  }

  // Replication stands still, then goes on; what was kept back arrives at once. The link may be cut several times over.
  void cut(const LargeVector<State>& leader, TrueTime now) {
    if (cuts_++ > 0) return;
    stopped_at_ = as_of(leader, now - lag_);
    forget_all();
  }
  void heal() {
    if (cuts_ > 0 && --cuts_ == 0) stopped_at_.clear();
  }

  // What it would lead on with.
  LargeVector<State> state(const LargeVector<State>& leader, TrueTime now) const {
    return cuts_ > 0 ? stopped_at_ : as_of(leader, now - lag_);
  }
  // Another leads now, and this is its replica: it begins with all there is.
  void follow(const LargeVector<State>& leader) {
    forget_all();
    if (cuts_ > 0) stopped_at_ = leader;
  }

 private:
  struct Undo {
    TrueTime at{};
    std::uint32_t place = 0;
    State before;
  };

  LargeVector<State> as_of(LargeVector<State> states, TrueTime at) const {
    for (std::size_t i = undo_.size(); i > passed_ && undo_[i - 1].at > at; --i)
      states[undo_[i - 1].place] = undo_[i - 1].before;
    return states;
  }
  void forget_until(TrueTime at) {
    while (passed_ < undo_.size() && undo_[passed_].at <= at) ++passed_;
    if (2 * passed_ < undo_.size()) return;
    undo_.erase(undo_.begin(), undo_.begin() + static_cast<std::ptrdiff_t>(passed_));
    passed_ = 0;
  }
  void forget_all() {
    undo_.clear();
    passed_ = 0;
  }

  Duration lag_{};
  std::uint32_t cuts_ = 0;
  LargeVector<State> stopped_at_;  // while it is cut
  std::vector<Undo> undo_;         // oldest first
  std::size_t passed_ = 0;         // of them, which it has got
};

}  // namespace leasescope
