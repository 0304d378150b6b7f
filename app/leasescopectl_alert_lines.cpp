#include "app/leasescopectl_alert_lines.h"

#include <algorithm>
#include <ctime>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/leasescopectl.h"
#include "app/watch/watch_words.h"
#include "core/base/escaped.h"
#include "core/observe/watch.h"

namespace leasescope::ctl {
namespace {

// "2026-11-27T03:12:04.127Z"
std::string day_text(std::int64_t epoch_ns, TrueTime at) {
  const std::int64_t ns = epoch_ns + at.time_since_epoch().count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(ns / 1'000'000'000)),
                     ns / 1'000'000 % 1'000);
}

// The same alert where others have been judged: by the same rule, of the same mutex, since the same moment.
std::optional<std::size_t> twin(const AlertEngine& in, const AlertEngine& of, const Alert& alert) {
  for (const std::size_t place : in.lasting()) {
    const Alert& other = in.alerts()[place];
    if (other.mutex == alert.mutex && other.from == alert.from && in.rules()[other.rule] == of.rules()[alert.rule])
      return place;
  }
  return {};
}

}  // namespace

void AlertLines::tell(const History& history) {
  until_ = history.now - kLongestSilence;
  desk_.advance(until_, history.names);
  for (; told_ < engine().alerts().size(); ++told_) {
    const Alert& alert = engine().alerts()[told_];
    line(engine(), alert, alert.from, "ALERT", history);
    lasting_.push_back(told_);
  }
  const auto over = [&](std::size_t place) {
    const Alert& alert = engine().alerts()[place];
    if (!alert.lasts()) line(engine(), alert, alert.to, "over", history);
    return !alert.lasts();
  };
  lasting_.erase(std::remove_if(lasting_.begin(), lasting_.end(), over), lasting_.end());
}

void AlertLines::replace(std::vector<AlertRule> rules, const History& history) {
  AlertDesk next(std::move(rules), desk_, history.names);
  next.advance(until_, history.names);
  for (const std::size_t place : lasting_) {
    const Alert& alert = engine().alerts()[place];
    if (!twin(next.engine(), engine(), alert)) line(engine(), alert, until_, "over, by other rules", history);
  }
  for (const std::size_t place : next.engine().lasting()) {
    const Alert& alert = next.engine().alerts()[place];
    const auto before = twin(engine(), next.engine(), alert);
    if (!before) line(next.engine(), alert, alert.from, "ALERT", history);
    if (before) take_over(next, place, *before);
  }
  lasting_.assign(next.engine().lasting().begin(), next.engine().lasting().end());
  told_ = next.engine().alerts().size();
  desk_ = std::move(next);
}

// What somebody said of an alert is true of the one that goes on.
void AlertLines::take_over(AlertDesk& next, std::size_t place, std::size_t before) const {
  if (desk_.is_acknowledged(before)) next.acknowledge(place);
  if (const auto until = desk_.muted_until(before)) next.mute(place, *until);
}

void AlertLines::line(const AlertEngine& of, const Alert& alert, TrueTime at, std::string_view how,
                      const History& history) const {
  complain(fmt::format("{}  {}  {}: {}: {}", clock_text(epoch_ns_, at), how, escaped(of.rules()[alert.rule].name, 200),
                       escaped(history.names.text(alert.mutex), 200), escaped(alert.words, 400)));
  if (!heard_) return;
  const AlertRule& rule = of.rules()[alert.rule];
  heard_({{"LEASESCOPE_ALERT", how == "ALERT" ? "begins" : "over"},
          {"LEASESCOPE_ALERT_RULE", rule.name},
          {"LEASESCOPE_ALERT_KIND", std::string(rule.kind->word)},
          {"LEASESCOPE_ALERT_MUTEX", std::string(history.names.text(alert.mutex))},
          {"LEASESCOPE_ALERT_AT", day_text(epoch_ns_, at)},
          {"LEASESCOPE_ALERT_SINCE", day_text(epoch_ns_, alert.from)},
          {"LEASESCOPE_ALERT_WORDS", alert.words}});
}

}  // namespace leasescope::ctl
