#include "app/leasescopectl_moment.h"

#include <fmt/format.h>

#include "simulator/scenario/time_expression.h"

namespace leasescope::ctl {

tl::expected<TrueTime, std::string> time_of(const char* option, const std::string& text, const Scenario& scenario) {
  const auto parsed = parse_time_expression(text);
  if (!parsed) return tl::make_unexpected(fmt::format("{}: {}", option, parsed.error()));
  const TrueTime at = TrueTime{} + parsed->under(scenario.terms());
  if (at <= TrueTime{}) return tl::make_unexpected(fmt::format("{} {}: expected more than 0s", option, text));
  return at;
}

}  // namespace leasescope::ctl
