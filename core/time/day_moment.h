// A moment as people say it of a night: "03:12", "03:12:04.5", "2026-11-27 03:12"; in UTC.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace leasescope {

struct DayMoment {
  std::optional<std::int64_t> day;  // since 1970; none: any
  std::int64_t of_day_ns = 0;
};

// The error quotes the text and says what was expected.
tl::expected<DayMoment, std::string> parse_day_moment(std::string_view text);

// The last such moment within [from, to], in ns since 1970; none: there is none.
std::optional<std::int64_t> last_of(const DayMoment& moment, std::int64_t from_ns, std::int64_t to_ns);
// The first one, likewise.
std::optional<std::int64_t> first_of(const DayMoment& moment, std::int64_t from_ns, std::int64_t to_ns);

}  // namespace leasescope
