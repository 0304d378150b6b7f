#include "core/time/duration_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/time/wide.h"

namespace leasescope {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
constexpr std::array<Unit, 6> kUnits{{{"h", 3'600'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"s", 1'000'000'000},
                                      {"ms", 1'000'000},
                                      {"us", 1'000},
                                      {"ns", 1}}};
constexpr const char* kExpected = "expected a duration such as 250ms, 5s or 2m";

bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

tl::expected<Duration, std::string> parse_duration(std::string_view text) {
  const auto bad = [&] { return tl::make_unexpected(fmt::format("\"{}\" is not a duration: {}", text, kExpected)); };
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative || (!rest.empty() && rest.front() == '+')) rest.remove_prefix(1);

  // Decimal digits are kept as an integer and a scale: no floating point ever touches time.
  Int128 value = 0;
  std::int64_t scale = 1;
  bool any = false, fraction = false;
  while (!rest.empty() && (digit(rest.front()) || (rest.front() == '.' && !fraction))) {
    if (rest.front() == '.') {
      fraction = true;
    } else {
      any = true;
      if (value > INT64_MAX / 10 || (fraction && scale > INT64_MAX / 10)) return bad();
      value = value * 10 + (rest.front() - '0');
      if (fraction) scale *= 10;
    }
    rest.remove_prefix(1);
  }
  if (!any) return bad();
  for (const Unit& unit : kUnits) {
    if (rest != unit.name) continue;
    const Int128 ns = value * unit.ns / scale;
    if (ns > INT64_MAX) return bad();
    const auto count = static_cast<std::int64_t>(ns);
    return Duration(negative ? -count : count);
  }
  return bad();
}

std::string format_duration(Duration d) {
  const std::int64_t ns = d.count();
  if (ns == 0) return "0s";
  for (const Unit& unit : kUnits)
    if (ns % unit.ns == 0) return fmt::format("{}{}", ns / unit.ns, unit.name);
  return fmt::format("{}ns", ns);
}

std::string format_seconds(Duration d, int decimals) {
  std::int64_t unit = 1'000'000'000;
  for (int i = 0; i < decimals; ++i) unit /= 10;
  const std::int64_t ns = d.count();
  const Duration size = d < Duration::zero() ? -std::max(d, -Duration::max()) : d;  // the least has no opposite
  const std::int64_t rounded = size.count() / unit + (size.count() % unit >= unit - unit / 2 ? 1 : 0);
  const std::int64_t per_second = 1'000'000'000 / unit;
  const char* sign = ns < 0 && rounded != 0 ? "-" : "";
  if (decimals == 0) return fmt::format("{}{}", sign, rounded);
  return fmt::format("{}{}.{:0{}}", sign, rounded / per_second, rounded % per_second, decimals);
}

}  // namespace leasescope
