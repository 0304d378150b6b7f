#include "simulator/scenario/time_expression.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "core/time/wide.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
// Far from what an int64 of nanoseconds holds, so that sums of a few of them are, too.
constexpr Duration kLongest = std::chrono::hours(24 * 365 * 10);
constexpr std::int64_t kMostMillionths = kMillion * kMillion;
constexpr const char* kExpected =
    "expected a time such as 250ms, 5s, \"1.7 lease\" or \"1 lease + 2s\", of ten years or a million leases at most";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Int128 multiple(std::int64_t millionths, Duration measure) {
  return static_cast<Int128>(millionths) * measure.count() / kMillion;
}

bool within(std::int64_t value, std::int64_t most) { return value >= -most && value <= most; }

// "1.7" in millionths, through the exact reader of durations.
tl::expected<std::int64_t, std::string> millionths(std::string_view number) {
  const auto parsed = parse_duration(std::string(number) + "ms");
  if (!parsed) return tl::make_unexpected(parsed.error());
  return parsed->count();
}

bool add_term(TimeExpression& sum, std::string_view term) {
  const std::size_t space = term.find(' ');
  if (space == std::string_view::npos) {
    const auto fixed = parse_duration(term);
    if (!fixed || !within(fixed->count(), kLongest.count())) return false;
    sum.fixed += *fixed;
    if (*fixed < Duration::zero()) sum.negative = true;
    return within(sum.fixed.count(), kLongest.count());
  }
  const auto factor = millionths(trimmed(term.substr(0, space)));
  if (!factor || !within(*factor, kMostMillionths)) return false;
  if (*factor < 0) sum.negative = true;
  const std::string_view measure = trimmed(term.substr(space));
  if (measure == "lease" || measure == "leases") {
    sum.leases += *factor;
  } else if (measure == "ttl") {
    sum.ttls += *factor;
  } else if (measure == "transition" || measure == "transitions") {
    sum.transitions += *factor;
  } else {
    return false;
  }
  return within(sum.leases, kMostMillionths) && within(sum.ttls, kMostMillionths) &&
         within(sum.transitions, kMostMillionths);
}

}  // namespace

TimeExpression::TimeExpression(Duration d) : fixed(d), negative(d < Duration::zero()), text(format_duration(d)) {}

Duration TimeExpression::under(const LeaseTerms& terms) const {
  const Int128 sum = fixed.count() + multiple(leases, terms.lease()) + multiple(ttls, terms.ttl) +
                     multiple(transitions, terms.transition);
  const Int128 most = 2 * kLongest.count();  // what reads it refuses what is longer than a year, or than ten
  return Duration(static_cast<std::int64_t>(std::clamp(sum, -most, most)));
}

tl::expected<TimeExpression, std::string> parse_time_expression(std::string_view text) {
  TimeExpression sum;
  sum.text = std::string(trimmed(text));
  std::string_view rest = text;
  while (true) {
    const std::size_t plus = rest.find('+');
    if (!add_term(sum, trimmed(rest.substr(0, plus))))
      return tl::make_unexpected(fmt::format("\"{}\" is not a time: {}", text, kExpected));
    if (plus == std::string_view::npos) return sum;
    rest.remove_prefix(plus + 1);
  }
}

}  // namespace leasescope
