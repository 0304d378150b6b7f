#include "core/history/known_times.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/history/recorded_clock.h"
#include "core/time/duration_text.h"

namespace leasescope {

std::optional<std::int64_t> meant(const DayMoment& moment, WhichDay which, std::int64_t other_ns, std::int64_t begin_ns,
                                  std::int64_t end_ns) {
  std::optional<std::int64_t> out;
  if (which == WhichDay::kFirstAfter) out = first_of(moment, std::max(other_ns + 1, begin_ns), end_ns);
  if (which == WhichDay::kLastBefore) out = last_of(moment, begin_ns, std::min(other_ns - 1, end_ns));
  return out ? out : last_of(moment, begin_ns, end_ns);
}

tl::expected<TrueTime, std::string> known_moment(const std::string& text, const KnownTimes& known,
                                                 const DayWish& wish) {
  const RecordedClock clock(known.epoch_ns);
  const auto outside = [&] {
    return tl::unexpected(fmt::format("{}: {} from {} to {}{}{}", text,
                                      known.is_one ? known.what : "what is recorded of it is", clock.text(known.begin),
                                      clock.text(known.end), known.epoch_ns ? " " : "",
                                      known.epoch_ns ? known.zone : std::string_view()));
  };
  if (const auto after = parse_duration(text)) {
    if (!known.is_one)
      return tl::unexpected(
          fmt::format("{}: several recordings have no one beginning: expected a moment, such as 03:12", text));
    if (*after < Duration::zero() || known.begin + *after > known.end) return outside();
    return known.begin + *after;
  }
  const auto day = parse_day_moment(text);
  if (!day) return tl::unexpected(day.error());
  if (!known.epoch_ns)
    return tl::unexpected(
        fmt::format("{}: this run had no wall clock: expected a time after its beginning, such as 15s", text));
  const auto wall = [&](TrueTime when) { return *known.epoch_ns + when.time_since_epoch().count(); };
  const auto at = meant(*day, wish.which, wall(wish.other), wall(known.begin), wall(known.end));
  if (!at) return outside();
  return TrueTime(Duration(*at - *known.epoch_ns));
}

}  // namespace leasescope
