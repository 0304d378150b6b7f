// What a watch would have seen, made up by a random stream: mutexes that change hands, by looks that lie apart, and a
// store that is blind at times.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

#include "core/history/history.h"

namespace leasescope::tests {

class Seen {
 public:
  explicit Seen(unsigned seed) : draw_(seed) {
    store_ = history_.names.intern("redis://h");
    for (const char* const name : {"orders", "bills", "mail\xff"}) mutexes_.push_back(history_.names.intern(name));
    for (const char* const name : {"a", "b", "c"}) owners_.push_back(history_.names.intern(name));
    for (const Name mutex : mutexes_) {
      tell(EventKind::kUnobservedBegan, store_, mutex);
      tell(EventKind::kUnobservedEnded, store_, mutex);
    }
    held_.resize(mutexes_.size());
  }

  void go_on(int events) {
    for (int i = 0; i < events; ++i) step();
    history_.now = TrueTime(Duration(now_));
    history_.summary.handoffs = history_.last();
  }
  const History& history() const { return history_; }
  Name mutex(std::size_t which) const { return mutexes_[which]; }
  std::int64_t now() const { return now_; }
  bool is_held() const {
    return std::any_of(held_.begin(), held_.end(), [](Name owner) { return !owner.empty(); });
  }
  void pass(Duration time) { now_ += time.count(); }

 private:
  void tell(EventKind kind, Name who, Name mutex, Token token = kNoToken) {
    Event event;
    event.kind = kind;
    event.node = who;
    event.mutex = mutex;
    event.token = token;
    event.hi = TrueTime(Duration(now_));
    event.lo = TrueTime(Duration(now_ - std::min<std::int64_t>(now_, static_cast<std::int64_t>(draw_() % 3'000'000))));
    if (kind == EventKind::kGranted || kind == EventKind::kRenewed)
      event.a = Duration(std::chrono::seconds(10)).count();
    history_.events.push_back(event);
  }
  void step() {
    now_ += static_cast<std::int64_t>(draw_() % 2'000'000);
    const std::size_t at = draw_() % mutexes_.size();
    Name& owner = held_[at];
    if (draw_() % 50 == 0) {
      tell(EventKind::kUnobservedBegan, store_, mutexes_[at]);
      tell(EventKind::kUnobservedEnded, store_, mutexes_[at]);
    }
    if (owner.empty()) {
      owner = owners_[draw_() % owners_.size()];
      tell(EventKind::kGranted, owner, mutexes_[at], ++token_);
    } else if (draw_() % 3 == 0) {
      tell(EventKind::kRenewed, owner, mutexes_[at], token_);
    } else {
      tell(draw_() % 2 == 0 ? EventKind::kReleased : EventKind::kExpired, owner, mutexes_[at]);
      owner = Name{};
    }
  }

  std::mt19937 draw_;
  History history_;
  Name store_;
  std::vector<Name> mutexes_, owners_, held_;
  Token token_ = 0;
  std::int64_t now_ = 1'000'000'000;
};

}  // namespace leasescope::tests
