#include "app/leasescopectl_recorded.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/history/recorded_clock.h"
#include "core/time/duration_text.h"
#include "simulator/scenario/time_expression.h"

namespace leasescope::ctl {
namespace {

// "03:12": while it was recorded.
tl::expected<TrueTime, std::string> clock_moment(const char* option, const std::string& text,
                                                 const RecordingReader& recording, const DayWish& wish) {
  const auto day = parse_day_moment(text);
  if (!day) return tl::make_unexpected(fmt::format("{} {}", option, day.error()));
  const auto& epoch = recording.header().epoch_ns;
  if (!epoch)
    return tl::make_unexpected(fmt::format(
        "{} {}: this run had no wall clock: expected a time after its beginning, such as 15s", option, text));
  const TrueTime now = recording.frame().now;
  const auto wall = [&](TrueTime when) { return *epoch + when.time_since_epoch().count(); };
  const auto at = meant(*day, wish.which, wall(wish.other), wall(TrueTime{}), wall(now));
  if (at) return TrueTime(Duration(*at - *epoch));
  const RecordedClock clock(epoch);
  return tl::make_unexpected(
      fmt::format("{} {}: the recording is from {} to {}", option, text, clock.text(TrueTime{}), clock.zoned(now)));
}

tl::expected<TrueTime, std::string> moment(const char* option, const std::string& text,
                                           const RecordingReader& recording,
                                           const tl::expected<Scenario, std::string>& scenario, const DayWish& wish) {
  if (text.find(':') != std::string::npos) return clock_moment(option, text, recording, wish);
  const auto negative = [&] { return tl::make_unexpected(fmt::format("{} {}: expected 0s or more", option, text)); };
  if (const auto plain = parse_duration(text == "0" ? "0s" : text)) {
    if (*plain < Duration::zero()) return negative();
    return TrueTime{} + *plain;
  }
  const auto parsed = parse_time_expression(text);
  if (!parsed) return tl::make_unexpected(fmt::format("{}: {}", option, parsed.error()));
  if (!scenario) return tl::make_unexpected(fmt::format("{} {}: {}", option, text, scenario.error()));
  const Duration at = parsed->under(scenario->terms());
  if (at < Duration::zero()) return negative();
  return TrueTime{} + at;
}

}  // namespace

tl::expected<Range, std::string> range_of(const Moments& moments, const RecordingReader& recording,
                                          const tl::expected<Scenario, std::string>& scenario) {
  Range out{TrueTime{}, recording.frame().now};
  const auto asked = two_moments(moments, [&](const char* option, const std::string& text, const DayWish& wish) {
    return moment(option, text, recording, scenario, wish);
  });
  if (!asked) return tl::make_unexpected(asked.error());
  out.from = asked->from.value_or(out.from);
  if (out.from > out.to)
    return tl::make_unexpected(fmt::format("--from {}: expected a time before the recording's end at {}", moments.from,
                                           format_duration(out.to.time_since_epoch())));
  if (!asked->to) return out;
  if (*asked->to <= out.from)
    return tl::make_unexpected(fmt::format("--to {}: expected more than {}", moments.to,
                                           moments.from.empty() ? std::string("0s") : "--from " + moments.from));
  out.to = std::min(out.to, *asked->to);
  return out;
}

void each_page(RecordingReader& recording, TrueTime to, History& page, const std::function<void()>& tell,
               ChosenMutexes* chosen) {
  for (bool more = true; more;) {
    const std::size_t old = page.events.size();
    more = recording.read_page(page.events);
    const auto first = page.events.begin() + static_cast<std::ptrdiff_t>(old);
    const auto beyond = std::find_if(first, page.events.end(), [&](const Event& event) { return event.at() > to; });
    more = more && beyond == page.events.end();
    page.events.erase(beyond, page.events.end());
    if (chosen != nullptr) chosen->filter(page.events, old, page.names, recording.frame().forgotten + 1);
    if (page.events.size() > old) tell();
  }
}

}  // namespace leasescope::ctl
