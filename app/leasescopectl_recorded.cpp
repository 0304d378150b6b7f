#include "app/leasescopectl_recorded.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/scenario/time_expression.h"

namespace leasescope::ctl {
namespace {

tl::expected<TrueTime, std::string> moment(const char* option, const std::string& text,
                                           const tl::expected<Scenario, std::string>& scenario) {
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
  if (!moments.from.empty()) {
    const auto at = moment("--from", moments.from, scenario);
    if (!at) return tl::make_unexpected(at.error());
    out.from = *at;
  }
  if (out.from > out.to)
    return tl::make_unexpected(fmt::format("--from {}: expected a time before the recording's end at {}", moments.from,
                                           format_duration(out.to.time_since_epoch())));
  if (!moments.to.empty()) {
    const auto at = moment("--to", moments.to, scenario);
    if (!at) return tl::make_unexpected(at.error());
    if (*at <= out.from)
      return tl::make_unexpected(fmt::format("--to {}: expected more than {}", moments.to,
                                             moments.from.empty() ? std::string("0s") : "--from " + moments.from));
    out.to = std::min(out.to, *at);
  }
  return out;
}

void each_page(RecordingReader& recording, TrueTime to, History& page, const std::function<void()>& tell) {
  for (bool more = true; more;) {
    const std::size_t old = page.events.size();
    more = recording.read_page(page.events);
    const auto first = page.events.begin() + static_cast<std::ptrdiff_t>(old);
    const auto beyond = std::find_if(first, page.events.end(), [&](const Event& event) { return event.at() > to; });
    more = more && beyond == page.events.end();
    page.events.erase(beyond, page.events.end());
    if (page.events.size() > old) tell();
  }
}

}  // namespace leasescope::ctl
