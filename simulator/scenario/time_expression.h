// A time in a scenario: "250ms", or in the scenario's own measures, so that it stays true under another ttl.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/simba/lease_terms.h"

namespace leasescope {

// "1.7 lease", "0.5 ttl", "1 transition", "3s" and sums of these. Multiples are kept in millionths.
struct TimeExpression {
  Duration fixed{};
  std::int64_t leases = 0;
  std::int64_t ttls = 0;
  std::int64_t transitions = 0;
  bool negative = false;    // one of its terms is
  std::string text = "0s";  // as it was written

  TimeExpression() = default;
  TimeExpression(Duration d);  // NOLINT: a plain duration is an expression

  Duration under(const LeaseTerms& terms) const;
  bool operator==(const TimeExpression&) const = default;
  bool relative() const { return leases != 0 || ttls != 0 || transitions != 0; }
};

tl::expected<TimeExpression, std::string> parse_time_expression(std::string_view text);

}  // namespace leasescope
