#include "core/simba/lease_terms.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {

tl::expected<void, std::string> validate(const LeaseTerms& terms) {
  using std::chrono::milliseconds;
  const auto bad = [](std::string_view what, Duration got, std::string_view rule) {
    return tl::make_unexpected(fmt::format("{} is {}: {}", what, format_duration(got), rule));
  };
  constexpr Duration kLongest = std::chrono::hours(24 * 365 * 10);
  if (terms.ttl < milliseconds(1)) return bad("ttl", terms.ttl, "expected 1ms or more");
  if (terms.ttl > kLongest) return bad("ttl", terms.ttl, "expected ten years or less");
  if (terms.transition < Duration::zero()) return bad("transition", terms.transition, "expected 0s or more");
  if (terms.transition > kLongest) return bad("transition", terms.transition, "expected ten years or less");
  if (terms.ttl % milliseconds(1) != Duration::zero())
    return bad("ttl", terms.ttl, "expected whole milliseconds, as stores keep them");
  if (terms.transition % milliseconds(1) != Duration::zero())
    return bad("transition", terms.transition, "expected whole milliseconds, as stores keep them");
  // Of a lease shorter than that the default jitter is longer, and does no harm.
  const Duration earliest = std::min(-terms.lease(), JitterRange{}.min);
  if (terms.jitter.min < earliest)
    return bad("jitter's lower end", terms.jitter.min,
               fmt::format("expected at least {}: who wakes before the lease began asks without a pause",
                           format_duration(earliest)));
  if (terms.jitter.max > kLongest) return bad("jitter's upper end", terms.jitter.max, "expected ten years or less");
  if (terms.jitter.max < terms.jitter.min)
    return bad("jitter's upper end", terms.jitter.max,
               fmt::format("expected at least its lower end, {}", format_duration(terms.jitter.min)));
  if (terms.jitter.max < std::min(-terms.transition, JitterRange{}.min))
    return bad("jitter's upper end", terms.jitter.max,
               fmt::format("expected at least {}: who always wakes before the transition asks without a pause",
                           format_duration(std::min(-terms.transition, JitterRange{}.min))));
  return {};
}

}  // namespace leasescope
