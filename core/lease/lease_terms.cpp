#include "core/lease/lease_terms.h"

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
  if (terms.jitter.max < terms.jitter.min)
    return bad("jitter's upper end", terms.jitter.max,
               fmt::format("expected at least its lower end, {}", format_duration(terms.jitter.min)));
  return {};
}

}  // namespace leasescope
