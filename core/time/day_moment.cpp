#include "core/time/day_moment.h"

#include <charconv>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000, kDay = 86'400 * kSecond;

// So many digits, no fewer, and their value within the bounds.
std::optional<int> digits(std::string_view& text, std::size_t count, int least, int most) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + count, value);
  if (error != std::errc() || end != text.data() + count || value < least || value > most) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int days_in(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

std::int64_t days_before(int year) {
  const std::int64_t y = year - 1;
  return y * 365 + y / 4 - y / 100 + y / 400;
}

// "2026-11-27", as days since 1970.
std::optional<std::int64_t> take_date(std::string_view& text) {
  const auto year = digits(text, 4, 1970, 2200);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = digits(text, 2, 1, 12);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = digits(text, 2, 1, days_in(*year, *month));
  if (!day) return std::nullopt;
  std::int64_t days = days_before(*year) - days_before(1970) + *day - 1;
  for (int m = 1; m < *month; ++m) days += days_in(*year, m);
  return days;
}

// ".25", as nanoseconds.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  std::int64_t value = 0, unit = kSecond;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9' && unit > 1; text.remove_prefix(1))
    value += (text.front() - '0') * (unit /= 10);
  return unit == kSecond ? std::nullopt : std::optional(value);
}

std::optional<std::int64_t> take_time(std::string_view& text) {
  const auto hour = digits(text, 2, 0, 23);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = digits(text, 2, 0, 59);
  if (!minute) return std::nullopt;
  std::int64_t out = (*hour * 3600 + *minute * 60) * kSecond;
  if (!take(text, ":")) return out;
  const auto second = digits(text, 2, 0, 59);
  if (!second) return std::nullopt;
  out += *second * kSecond;
  if (!take(text, ".,")) return out;
  const auto fraction = take_fraction(text);
  return fraction ? std::optional(out + *fraction) : std::nullopt;
}

}  // namespace

tl::expected<DayMoment, std::string> parse_day_moment(std::string_view text) {
  DayMoment out;
  std::string_view rest = text;
  bool right = true;
  if (text.size() > 4 && text[4] == '-') {
    out.day = take_date(rest);
    right = out.day.has_value() && take(rest, " T");
  }
  const auto time = right ? take_time(rest) : std::nullopt;
  if (time) out.of_day_ns = *time;
  take(rest, "Z");
  if (!time || !rest.empty())
    return tl::unexpected(
        fmt::format("{}: expected a moment in UTC, such as 03:12, 03:12:04.5 or \"2026-11-27 03:12\"", text));
  return out;
}

std::optional<std::int64_t> last_of(const DayMoment& moment, std::int64_t from_ns, std::int64_t to_ns) {
  std::int64_t at = moment.day ? *moment.day * kDay + moment.of_day_ns : to_ns / kDay * kDay + moment.of_day_ns;
  if (!moment.day && at > to_ns) at -= kDay;
  return at < from_ns || at > to_ns ? std::nullopt : std::optional(at);
}

std::optional<std::int64_t> first_of(const DayMoment& moment, std::int64_t from_ns, std::int64_t to_ns) {
  if (moment.day) return last_of(moment, from_ns, to_ns);
  std::int64_t at = from_ns / kDay * kDay + moment.of_day_ns;
  if (at < from_ns) at += kDay;
  return at > to_ns ? std::nullopt : std::optional(at);
}

}  // namespace leasescope
