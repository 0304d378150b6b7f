#include "app/leasescopectl_alert_lines.h"

#include <algorithm>
#include <ctime>

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

}  // namespace

void AlertLines::tell(const History& history) {
  until_ = history.now - kLongestSilence;
  desk_.advance(until_, history.names);
  log_.look(desk_, history.now);
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
  desk_.forget_over();  // the log has noted them
}

void AlertLines::replace(std::vector<AlertRule> rules, const History& history) {
  AlertDesk next(std::move(rules), desk_, history.names);
  next.advance(until_, history.names);
  for (const std::size_t place : lasting_) {
    const Alert& alert = engine().alerts()[place];
    if (!next.engine().twin_of(alert, engine())) line(engine(), alert, until_, "over, by other rules", history);
  }
  for (const std::size_t place : next.engine().lasting()) {
    const Alert& alert = next.engine().alerts()[place];
    if (!engine().twin_of(alert, next.engine())) line(next.engine(), alert, alert.from, "ALERT", history);
  }
  next.take_over(desk_);
  log_.look(desk_, history.now);
  log_.replace(desk_, next, until_);
  lasting_.assign(next.engine().lasting().begin(), next.engine().lasting().end());
  told_ = next.engine().alerts().size();
  desk_ = std::move(next);
}

void AlertLines::line(const AlertEngine& of, const Alert& alert, TrueTime at, std::string_view how,
                      const History& history) const {
  complain(fmt::format("{}  {}  {}: {}: {}", clock_text(epoch_ns_, at), how, escaped(of.rules()[alert.rule].name, 200),
                       escaped(history.names.text(alert.subject), 200), escaped(alert.words, 400)));
  if (!heard_) return;
  const AlertRule& rule = of.rules()[alert.rule];
  heard_({{"LEASESCOPE_ALERT", how == "ALERT" ? "begins" : "over"},
          {"LEASESCOPE_ALERT_RULE", rule.name},
          {"LEASESCOPE_ALERT_KIND", std::string(rule.kind->word)},
          {rule.kind->of_stores ? "LEASESCOPE_ALERT_STORE" : "LEASESCOPE_ALERT_MUTEX",
           std::string(history.names.text(alert.subject))},
          {"LEASESCOPE_ALERT_AT", day_text(epoch_ns_, at)},
          {"LEASESCOPE_ALERT_SINCE", day_text(epoch_ns_, alert.from)},
          {"LEASESCOPE_ALERT_WORDS", alert.words}});
}

}  // namespace leasescope::ctl
