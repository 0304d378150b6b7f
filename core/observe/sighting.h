// What one look at a store tells of one mutex.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/token.h"
#include "core/time/clock.h"

namespace leasescope {

// The maker of those locks of ours that are neither leases of Simba's form nor latches: they may bear the same names.
inline constexpr std::string_view kOwnMaker = "leasescope";

struct Sighting {
  std::string mutex;
  // Whose lock it is where that is not us: "Redisson", under which its name means something; empty: ours.
  std::string_view maker;
  std::string_view system = "simba";  // which of its maker's: "fair lock"
  bool likely = false;                // by its looks alone, which others may have too

  std::string owner;  // empty: nobody holds; of a lock that several hold beside each other all of them, in words
  // Those who hold now hold beside each other. Each is here once, in the order of its store; nobody: it is not held so.
  std::vector<std::string> holders;
  std::uint32_t held = 0;                // so many times it is held: whoever holds two permits counts twice
  std::uint32_t unread = 0;              // ... of these by whom was not asked: they are too many
  std::optional<std::uint32_t> permits;  // so many may hold at once, where the store tells
  Token token = kNoToken;
  bool token_is_of_term = true;  // else it may rise while its owner holds
  // What its store counts of it: another number at each look since which somebody has owned it; 0: it counts nothing.
  std::uint64_t changes = 0;
  std::optional<Duration> left;      // by the store's clock, until it ends unless it is renewed; none: no clock ends it
  std::optional<Duration> ttl_left;  // until whoever waits may count on its end, where the store keeps that; may be < 0
  std::optional<std::uint32_t> waiters;
  bool waiters_are_of_now = true;           // else as they were counted last, which may be a while ago
  std::optional<TrueTime> waiters_counted;  // ... by then; none: they never were
  std::vector<std::string> queue;           // who waits, in order, where the store keeps that
  std::string note;  // what else its store keeps of it: "the session of a is over, and not ended yet"
  std::vector<std::pair<std::string, std::string>> raw;  // as it stands there: key or column, and what is in it

  Duration left_grain = std::chrono::milliseconds(1);  // by so much at most `left` was rounded down

  // It was so at some moment between the two.
  TrueTime asked{}, answered{};

  bool is_shared() const { return !holders.empty(); }
  bool is_held_by(const std::string& who) const;
};

// Of all that lies at its store: each that holds, as often as it does, and by how many more it is held.
void share(Sighting& seen, const std::vector<std::string>& holders, std::uint32_t unread = 0);

// "7: a, b, c and 4 more", the first few; where the permits are known "7 of 9: a, b, c and 4 more". The number comes
// first, so that it stays to be seen where there is no room for all.
std::string owner_text(const Sighting& seen);

}  // namespace leasescope
