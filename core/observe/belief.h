// What a process that contends says of what it believes, on its own account: a message, one line of JSON. Nobody
// answers, and nothing depends on it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/base/token.h"
#include "core/time/clock.h"

namespace leasescope {

struct Belief {
  enum class What : std::uint8_t {
    kOwns,
    kNotOwner,  // it owns no more, or not yet, and has not been told who does
    kWaits,     // the store said that somebody else owns
    kStopped,   // it contends no more
  };

  std::string mutex;  // its name at the store
  std::string owner;  // the contender's id there
  What what = What::kNotOwner;
  Token fence = kNoToken;        // of its term, while it owns and has one
  std::optional<Duration> left;  // kOwns: until then it owns, from the sending on; none: no clock ends it
  std::int64_t sent_ms = 0;      // by the sender's wall clock, since 1970 (UTC), rounded down
  std::uint64_t number = 0;      // rises from message to message of one process; from 1
  std::string host;              // the sender's machine, as it calls itself
  std::int64_t pid = 0;
  std::string store;  // as the sender's URL has it, printable; of a channel nobody needs it

  bool operator==(const Belief&) const = default;
};

std::string_view text(Belief::What what);  // "owns", "not owner", "waits", "stopped"

inline constexpr int kBeliefVersion = 1;
inline constexpr std::size_t kMostBelief = 2048;     // bytes of a message; PostgreSQL takes less than 8000
inline constexpr std::size_t kMostBeliefText = 512;  // ... of each text in it

// {"v":1,"mutex":"orders",…}, without a line feed. Empty: what it says does not fit into a message.
std::string belief_text(const Belief& belief);
// Anybody may have sent it. Errors say what is wrong with it, and repeat nothing of it.
tl::expected<Belief, std::string> parse_belief(std::string_view text);

// On Redis each mutex has a channel, kBeliefChannel + ":" + its name; on PostgreSQL all have that one.
inline constexpr std::string_view kBeliefChannel = "leasescope:belief";

}  // namespace leasescope
