// The text form of durations: "250ms", "5s", "-200ms", "1.5s".
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/time/clock.h"

namespace leasescope {

// Units: ns, us, ms, s, m, h. Errors say what was expected.
tl::expected<Duration, std::string> parse_duration(std::string_view text);

// The shortest exact form: the largest unit in which the value is a whole number.
std::string format_duration(Duration d);

// Seconds with three decimals, e.g. "17.189".
std::string format_seconds(Duration d, int decimals = 3);

}  // namespace leasescope
