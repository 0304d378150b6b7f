// Most calls are few and far between: only where many come together does anybody need to look at each of them. For
// each mutex its last calls are kept; the first that a contender makes after its start is not counted.
#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/history/event.h"

namespace leasescope {

class CallMeter {
 public:
  static constexpr std::size_t kMany = 10;  // more than these within `kSpan` are looked at
  static constexpr Duration kSpan = std::chrono::seconds(1);
  static constexpr std::size_t kKept = kMany + 1;  // those that make it many

  struct Call {
    TrueTime at{};
    Name node;
    bool won = false;
  };

  // An attempt; true when it is one of many on its mutex.
  bool add(const Event& event) {
    if (called_.size() <= event.node.handle) called_.resize(event.node.handle + 1);
    if (std::exchange(called_[event.node.handle], std::uint8_t{1}) == 0) return false;
    if (counts_.size() <= event.mutex.handle) {
      counts_.resize(event.mutex.handle + 1);
      kept_.resize(event.mutex.handle + 1);
    }
    Count& of = counts_[event.mutex.handle];
    std::array<Kept, kKept>& kept = kept_[event.mutex.handle];
    const bool won = event.detail == static_cast<std::uint8_t>(AttemptResult::kWon);
    kept[of.next] = {low(event.hi), event.node.handle << 1 | (won ? 1U : 0U)};
    if (++of.next == kKept) of.next = 0;
    ++of.calls;
    return of.lately(event.hi) > kMany && kept[of.next].ago(event.hi) <= kSpan;
  }
  void started(Name node) {
    if (node.handle < called_.size()) called_[node.handle] = 0;
  }

  // So many calls on a mutex in all; the last kKept of them are kept, by their number. Of many, at the moment of the
  // last.
  std::uint32_t count(Name mutex) const { return counts_[mutex.handle].calls; }
  Call call(Name mutex, std::uint32_t number, TrueTime now) const {
    const Kept& kept = kept_[mutex.handle][number % kKept];
    return {now - kept.ago(now), Name{kept.caller >> 1}, (kept.caller & 1) != 0};
  }

  std::size_t bytes() const {
    return called_.size() + counts_.size() * sizeof(Count) + kept_.size() * kKept * sizeof(Kept);
  }

 private:
  struct Count {
    std::uint32_t calls = 0;
    std::uint32_t stretch = 0;  // of 2^30 ns, a little more than `kSpan`: the last that had a call
    std::uint16_t in_this = 0;  // so many had that one
    std::uint16_t before = 0;   // and the one before it
    std::uint16_t next = 0;     // where the next call is kept: `calls` less what is full rounds

    // One more, in this stretch and the one before: all within `kSpan` are among them, and mostly nobody has to look at
    // the calls themselves.
    std::uint32_t lately(TrueTime at) {
      const auto now = static_cast<std::uint32_t>(at.time_since_epoch().count() >> 30);
      if (now > stretch) {
        before = now == stretch + 1 ? in_this : std::uint16_t{0};
        in_this = 0;
        stretch = now;
      }
      if (in_this < UINT16_MAX) ++in_this;
      return std::uint32_t{in_this} + before;
    }
  };

  // In few bytes, as every call writes one. Whoever asks for it knows that it lies no further than the 2.1 s that they
  // tell apart.
  struct Kept {
    std::uint32_t at = 0;      // ns, less what they cannot hold
    std::uint32_t caller = 0;  // its name's handle, and whether it was won

    Duration ago(TrueTime now) const { return Duration(static_cast<std::int32_t>(low(now) - at)); }
  };
  static std::uint32_t low(TrueTime at) { return static_cast<std::uint32_t>(at.time_since_epoch().count()); }

  std::vector<std::uint8_t> called_;           // by the contender's name: since it was started
  LargeVector<Count> counts_;                  // by the mutex's name
  LargeVector<std::array<Kept, kKept>> kept_;  // likewise, apart: most calls are only put there
};

}  // namespace leasescope
