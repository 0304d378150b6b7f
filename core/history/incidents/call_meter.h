// Most calls are few and far between: only where many come together does anybody need to look at each of them. For
// each mutex its last calls are kept; the first that a contender makes after its start is not counted.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/history/event.h"

namespace leasescope {

class CallMeter {
 public:
  static constexpr std::size_t kMany = 10;  // more than these within `kSpan` are looked at
  static constexpr std::size_t kKept = 16;
  static constexpr Duration kSpan = std::chrono::seconds(1);

  struct Call {
    TrueTime at{};
    std::uint64_t packed = 0;  // one store: the caller's name and whether it was won

    Name node() const { return {static_cast<std::uint32_t>(packed >> 1)}; }
    bool won() const { return (packed & 1) != 0; }
  };

  // An attempt; true when it is one of many.
  bool add(const Event& event) {
    if (called_.size() <= event.node.handle) called_.resize(event.node.handle + 1);
    if (called_[event.node.handle] == 0) {
      called_[event.node.handle] = 1;
      return false;
    }
    if (mutexes_.size() <= event.mutex.handle) mutexes_.resize(event.mutex.handle + 1);
    Lately& of = mutexes_[event.mutex.handle];
    const bool many = of.count >= kMany && event.hi - of.calls[(of.count - kMany) % kKept].at <= kSpan;
    const bool won = event.detail == static_cast<std::uint8_t>(AttemptResult::kWon);
    of.calls[of.count % kKept] = {event.hi, std::uint64_t{event.node.handle} << 1 | (won ? 1U : 0U)};
    ++of.count;
    return many;
  }
  void started(Name node) {
    if (node.handle < called_.size()) called_[node.handle] = 0;
  }

  // So many calls on a mutex in all; the last kKept of them are kept, by their number.
  std::uint64_t count(Name mutex) const { return mutexes_[mutex.handle].count; }
  const Call& call(Name mutex, std::uint64_t number) const { return mutexes_[mutex.handle].calls[number % kKept]; }

  std::size_t bytes() const { return called_.size() + mutexes_.size() * sizeof(Lately); }

 private:
  struct Lately {
    std::array<Call, kKept> calls{};
    std::uint64_t count = 0;
  };

  std::vector<std::uint8_t> called_;  // by the contender's name: since it was started
  std::vector<Lately> mutexes_;       // by the mutex's name
};

}  // namespace leasescope
