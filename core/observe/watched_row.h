// What is said of one watched mutex now: a row of the table, in the window and on a terminal.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/observe/watch.h"

namespace leasescope {

enum class WatchState : std::uint8_t {
  kHeld,
  kInTransition,  // held, and its owner has not renewed in its ttl: told by stores that keep the two apart
  kLeaderless,    // nobody holds, and somebody waits
  kFree,
  kNotObserved,  // the store does not answer: it may be held or free
};
inline constexpr std::size_t kWatchStates = 5;
std::string_view text(WatchState state);  // "in transition"

struct WatchedRow {
  WatchState state = WatchState::kNotObserved;
  std::string owner;  // as last seen; empty: nobody; of several the first few, in words
  // Whoever it is held by: one, several beside each other, or nobody.
  std::vector<std::string> holders;
  std::uint32_t held = 0;    // so many times it is
  std::uint32_t unread = 0;  // ... of these by whom is not known
  std::optional<std::uint32_t> permits;
  Token token = kNoToken;
  // For how long it has been so: at least, and at most, where that is known.
  Duration lasts_least{};
  std::optional<Duration> lasts_most;
  std::optional<Duration> left;  // of the lease, at least; below zero: it is over, unless it was renewed unseen
  std::optional<std::uint32_t> waiters;
  std::optional<Duration> waiters_age;  // of these; none: the store tells of none
  std::string note;                     // what else its store keeps of it
  std::size_t handoffs = 0;             // of the last hour
  Duration age{};                       // of all this, but for the waiters
  std::size_t believers = 0;            // processes that say that they own
  bool at_odds = false;                 // one of them is not the owner, by a look that is no older than what it says
};

// The state, and what is believed where that is something else: "held; 2 believe that they own it".
std::string state_text(const WatchedRow& row);

// "counted 12.0 s ago", where the waiters are older than the rest; else empty.
std::string counted_text(const WatchedRow& row);

// "simba", "Redisson fair lock", "redis-py lock, likely".
std::string system_text(const Sighting& seen);

WatchedRow row_of(const WatchedMutex& mutex, TrueTime now);

// What a bar of its lease shows, in shares of the lease's length as it was last granted or renewed.
struct LeaseShares {
  double left = 0;  // of all of it
  double transition =
      0;  // ... in which its owner may still renew, and nobody else may have it; the end of what is left
  bool endless = false, unobserved = false;
};
LeaseShares lease_shares(const WatchedMutex& mutex, const WatchedRow& row);

// "4.2 s", "12:05", "3:00:12", "3 d 04:12".
std::string length_text(Duration length);

}  // namespace leasescope
