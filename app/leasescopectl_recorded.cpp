#include "app/leasescopectl_recorded.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/leasescopectl_clock.h"
#include "core/time/day_moment.h"
#include "core/time/duration_text.h"
#include "simulator/scenario/time_expression.h"

namespace leasescope::ctl {
namespace {

// Which of several days is meant by a moment that names none.
enum class WhichDay { kLast, kLastBefore, kFirstAfter };
struct DayWish {
  WhichDay which = WhichDay::kLast;
  TrueTime other{};  // before or after which
};

bool is_of_any_day(const std::string& text) {
  const auto read = parse_day_moment(text);
  return read && !read->day;
}

std::optional<std::int64_t> meant(const DayMoment& moment, const DayWish& wish, std::int64_t epoch_ns,
                                  std::int64_t end_ns) {
  const std::int64_t other = epoch_ns + wish.other.time_since_epoch().count();
  std::optional<std::int64_t> out;
  if (wish.which == WhichDay::kFirstAfter) out = first_of(moment, other + 1, end_ns);
  if (wish.which == WhichDay::kLastBefore) out = last_of(moment, epoch_ns, std::min(other - 1, end_ns));
  return out ? out : last_of(moment, epoch_ns, end_ns);
}

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
  const auto at = meant(*day, wish, *epoch, *epoch + now.time_since_epoch().count());
  if (at) return TrueTime(Duration(*at - *epoch));
  const RecordedClock clock(epoch);
  return tl::make_unexpected(
      fmt::format("{} {}: the recording is from {} to {}", option, text, clock.text(TrueTime{}), clock.zoned(now)));
}

tl::expected<TrueTime, std::string> moment(const char* option, const std::string& text,
                                           const RecordingReader& recording,
                                           const tl::expected<Scenario, std::string>& scenario,
                                           const DayWish& wish = {}) {
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
  // Of two moments of any day the last one is that of the end; else the one says of which day the other is.
  const bool both = !moments.from.empty() && !moments.to.empty();
  const bool to_leads = both && is_of_any_day(moments.from);
  std::optional<TrueTime> to;
  const auto read_to = [&](const DayWish& wish) -> std::string {
    const auto at = moment("--to", moments.to, recording, scenario, wish);
    if (!at) return at.error();
    to = *at;
    return {};
  };
  if (to_leads)
    if (const std::string error = read_to({}); !error.empty()) return tl::make_unexpected(error);
  if (!moments.from.empty()) {
    const DayWish wish = to_leads ? DayWish{WhichDay::kLastBefore, *to} : DayWish{};
    const auto at = moment("--from", moments.from, recording, scenario, wish);
    if (!at) return tl::make_unexpected(at.error());
    out.from = *at;
  }
  if (out.from > out.to)
    return tl::make_unexpected(fmt::format("--from {}: expected a time before the recording's end at {}", moments.from,
                                           format_duration(out.to.time_since_epoch())));
  if (moments.to.empty()) return out;
  const DayWish wish = both ? DayWish{WhichDay::kFirstAfter, out.from} : DayWish{};
  if (!to_leads)
    if (const std::string error = read_to(wish); !error.empty()) return tl::make_unexpected(error);
  if (*to <= out.from)
    return tl::make_unexpected(fmt::format("--to {}: expected more than {}", moments.to,
                                           moments.from.empty() ? std::string("0s") : "--from " + moments.from));
  out.to = std::min(out.to, *to);
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
