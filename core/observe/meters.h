// What is counted of a watch over time, for those who look at the counts now and then.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/observe/watched_row.h"

namespace leasescope {

// What took longer than the last has no bound.
inline constexpr std::array<Duration, 12> kLatencyBounds{
    std::chrono::microseconds(500), std::chrono::milliseconds(1),   std::chrono::microseconds(2'500),
    std::chrono::milliseconds(5),   std::chrono::milliseconds(10),  std::chrono::milliseconds(25),
    std::chrono::milliseconds(50),  std::chrono::milliseconds(100), std::chrono::milliseconds(250),
    std::chrono::milliseconds(500), std::chrono::seconds(1),        std::chrono::milliseconds(2'500)};

struct MutexMeter {
  std::string mutex, store, system, owner;  // system: its maker, where that is not us; owner: as seen last
  WatchState state = WatchState::kNotObserved;
  Token token = kNoToken;
  std::optional<Duration> left;  // of the lease, at least; below zero: it is over, unless it was renewed unseen
  std::optional<std::uint32_t> waiters;
  std::uint64_t handoffs = 0;
  Duration leaderless{};  // nobody held it, and somebody waited
  Duration unobserved{};
};

struct StoreMeter {
  std::string store;
  bool answers = false;
  std::uint64_t gaps = 0;      // in which it did not answer, since it first did
  std::uint64_t commands = 0;  // that were sent to it
  // Of the last answer whenever the counts were brought up to date and there was a new one: by bound, each with those
  // below.
  std::array<std::uint64_t, kLatencyBounds.size()> answered_within{};
  std::uint64_t answers_timed = 0;
  Duration answering{};  // all of them together
};

struct WatchMeters {
  std::vector<MutexMeter> mutexes;  // as they were met
  std::vector<StoreMeter> stores;
  std::array<std::size_t, kWatchStates> by_state{};  // of all mutexes
  std::size_t left_out = 0;                          // mutexes that have no meters of their own
};

// Brought up to date again and again: a state is counted from one time to the next.
class Meters {
 public:
  explicit Meters(std::size_t most_mutexes) : most_(most_mutexes) {}

  void bring_up_to(const Watch& watch, TrueTime now);
  const WatchMeters& now() const { return now_; }

 private:
  void count_mutexes(const Watch& watch, TrueTime now);
  void count_stores(const Watch& watch);

  std::size_t most_;
  WatchMeters now_;
  std::vector<std::uint64_t> answers_;  // of each store, at the last time
  std::optional<TrueTime> last_;
};

}  // namespace leasescope
