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

struct Sighting {
  std::string mutex;
  // Whose lock it is where that is not us: "Redisson", under which its name means something; empty: ours.
  std::string_view maker;
  std::string_view system = "simba";  // which of its maker's: "fair lock"
  bool likely = false;                // by its looks alone, which others may have too

  std::string owner;  // empty: nobody holds; of a lock that several may hold at once all of them, ", " between
  Token token = kNoToken;
  bool token_is_of_term = true;      // else it may rise while its owner holds
  std::optional<Duration> left;      // by the store's clock, until it ends unless it is renewed; none: no clock ends it
  std::optional<Duration> ttl_left;  // until whoever waits may count on its end, where the store keeps that; may be < 0
  std::optional<std::uint32_t> waiters;
  std::vector<std::string> queue;                        // who waits, in order, where the store keeps that
  std::vector<std::pair<std::string, std::string>> raw;  // as it stands there: key or column, and what is in it

  Duration left_grain = std::chrono::milliseconds(1);  // by so much at most `left` was rounded down

  // It was so at some moment between the two.
  TrueTime asked{}, answered{};
};

}  // namespace leasescope
