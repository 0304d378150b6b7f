// Most calls are few and far between: only where many come together does anybody need to look at each of them. The
// calls of the last second are kept; the first that a contender makes after its start is not counted.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/prefetch.h"
#include "core/history/event.h"

namespace leasescope {

class CallMeter {
 public:
  static constexpr std::size_t kMany = 10;  // more than these within `kSpan` are looked at
  static constexpr Duration kSpan = std::chrono::seconds(1);

  struct Call {
    TrueTime at{};
    Name node;
    bool won = false;
  };

  // An attempt; true when it is one of many on its mutex.
  bool add(const Event& event) {
    if (is_first(event.node)) return false;
    if (counts_.size() <= event.mutex.handle) counts_.resize(event.mutex.handle + 1);
    Count& of = counts_[event.mutex.handle];
    if (is_kept(number_ + 1 - kept_.size()) && event.hi - place(number_ + 1).at <= kSpan) keep_more();
    const bool won = event.detail == static_cast<std::uint8_t>(AttemptResult::kWon);
    const std::uint64_t since = std::min<std::uint64_t>(++number_ - of.last, UINT32_MAX);
    place(number_) = {event.hi, event.node.handle << 1 | (won ? 1U : 0U), static_cast<std::uint32_t>(since)};
    prefetch(&place(number_ + 8));  // another line
    of.last = number_;
    return of.lately(event.hi) > kMany && are_many(of.last, event.hi);
  }
  void started(Name node) {
    if (node.handle < called_.size()) called_[node.handle] = false;
  }

  // The number of the last call on a mutex that has had one; they are counted over all mutexes, from 1.
  std::uint64_t last(Name mutex) const { return counts_[mutex.handle].last; }
  // The last calls on a mutex, kMany + 1 of them at most and none with a number up to `after`, in their order: of one
  // that has many, at the moment of its last.
  template <class Visit>
  void visit_last(Name mutex, std::uint64_t after, Visit visit) const {
    std::array<const Kept*, kMany + 1> found{};
    std::size_t many = 0;
    for (std::uint64_t number = last(mutex); many < found.size() && number > after && is_kept(number);
         number = before(number))
      found[many++] = &place(number);
    while (many > 0) visit(found[--many]->call());
  }

  std::size_t bytes() const {
    return called_.size() / 8 + counts_.size() * sizeof(Count) + kept_.size() * sizeof(Kept);
  }

 private:
  // Of one mutex.
  struct Count {
    std::uint64_t last = 0;     // the number of its last call
    std::uint32_t stretch = 0;  // of time, in which that was
    std::uint32_t calls = 0;    // in each of the last eight stretches, four bits each, the last one lowest; 15: or more

    // One more; how many since at least `kSpan`, this one included. So many are within `kSpan` at most, and mostly
    // nobody has to look at the calls themselves.
    std::uint32_t lately(TrueTime at) {
      constexpr Duration kStretch = kSpan / 7 + Duration(1);
      // Nothing here is a branch: the processor could only guess it, and would have to wait for memory to learn better.
      const auto now = std::max(static_cast<std::uint32_t>(at.time_since_epoch() / kStretch), stretch);
      calls = static_cast<std::uint32_t>(std::uint64_t{calls} << 4 * std::min(now - stretch, 8U));
      stretch = now;
      calls += (calls & 15) < 15 ? 1 : 0;
      constexpr std::uint32_t kEverySecond = 0x0f0f0f0f, kSum = 0x01010101;
      return ((calls & kEverySecond) + (calls >> 4 & kEverySecond)) * kSum >> 24;
    }
  };

  // A call among those of all mutexes, which lie in the order they came: so each is put beside the one before it.
  struct Kept {
    TrueTime at{};
    std::uint32_t caller = 0;  // its name's handle, and whether it was won
    std::uint32_t since = 0;   // so many calls after the one before it on the same mutex

    Call call() const { return {at, Name{caller >> 1}, (caller & 1) != 0}; }
  };

  // The first call since the contender was started, or at all.
  bool is_first(Name node) {
    if (called_.size() <= node.handle) called_.resize(node.handle + 1);
    if (called_[node.handle]) return false;
    called_[node.handle] = true;
    return true;
  }

  Kept& place(std::uint64_t number) { return kept_[number & (kept_.size() - 1)]; }
  const Kept& place(std::uint64_t number) const { return kept_[number & (kept_.size() - 1)]; }
  bool is_kept(std::uint64_t number) const {
    return first_ <= number && number <= number_ && number_ - number < kept_.size();
  }
  // The number of the call before that on the same mutex; of its first, and of one too long ago, one that is not kept.
  std::uint64_t before(std::uint64_t number) const { return number - place(number).since; }

  bool are_many(std::uint64_t number, TrueTime now) const {
    for (std::size_t i = 0; i < kMany; ++i) {
      number = before(number);
      if (!is_kept(number) || now - place(number).at > kSpan) return false;
    }
    return true;
  }

  // As the oldest of them is still of the last second.
  void keep_more() {
    LargeVector<Kept> more(kept_.size() * 2);
    first_ = number_ + 1 - kept_.size();
    for (std::uint64_t number = first_; number <= number_; ++number) more[number & (more.size() - 1)] = place(number);
    kept_ = std::move(more);
  }

  static constexpr std::size_t kFew = 64;

  std::vector<bool> called_;                          // by the contender's name: since it was started
  LargeVector<Count> counts_;                         // by the mutex's name
  LargeVector<Kept> kept_ = LargeVector<Kept>(kFew);  // by number, less full rounds: a power of two of places
  std::uint64_t number_ = 0;                          // of the last call
  std::uint64_t first_ = 1;                           // none before it is kept
};

}  // namespace leasescope
