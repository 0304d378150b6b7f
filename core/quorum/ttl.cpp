#include "core/quorum/ttl.h"

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

constexpr Duration kShortestTtl = std::chrono::milliseconds(3);  // in whole ones
constexpr Duration kLongestTtl = std::chrono::milliseconds(INT32_MAX);

}  // namespace

std::optional<std::string> wrong_ttl(Duration ttl) {
  if (ttl > Duration::zero() && ttl <= clock_drift(ttl))
    return fmt::format(
        "of {} nothing is left when 1 % and 2ms are taken off for what clocks differ by, so that nobody would ever "
        "hold it: expected {} at least",
        format_duration(ttl), format_duration(kShortestTtl));
  if (ttl <= kLongestTtl) return std::nullopt;
  return fmt::format(
      "{} is longer than a timer of 31 bits of milliseconds can tell, and would end after 1ms: expected "
      "{} at most; a lock that is to last is extended ([quorum] extend = \"held\")",
      format_duration(ttl), format_duration(kLongestTtl));
}

}  // namespace leasescope
