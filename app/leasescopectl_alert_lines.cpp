#include "app/leasescopectl_alert_lines.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/leasescopectl.h"
#include "app/watch/watch_words.h"
#include "core/base/escaped.h"
#include "core/observe/watch.h"

namespace leasescope::ctl {
namespace {

constexpr Sequence kPiece = 50'000;  // events: some hundredths of a second

}  // namespace

void AlertLines::append(const Event& event, const NameTable& names) {
  engine_.append(event, names);
  ++seen_;
}

void AlertLines::tell(const History& history) {
  until_ = history.now - kLongestSilence;
  engine_.advance(until_, history.names);
  for (; told_ < engine_.alerts().size(); ++told_) {
    const Alert& alert = engine_.alerts()[told_];
    line(engine_, alert, alert.from, "ALERT", history);
    lasting_.push_back(told_);
  }
  const auto over = [&](std::size_t place) {
    const Alert& alert = engine_.alerts()[place];
    if (!alert.lasts()) line(engine_, alert, alert.to, "over", history);
    return !alert.lasts();
  };
  lasting_.erase(std::remove_if(lasting_.begin(), lasting_.end(), over), lasting_.end());
  bring_next_up(history);
}

void AlertLines::bring_next_up(const History& history) {
  if (!next_) return;
  const Sequence most = next_seen_ + std::min(kPiece, seen_ - next_seen_);
  while (next_seen_ < most) next_->append(history.event(++next_seen_), history.names);
  if (next_seen_ == seen_) take_next(history);
}

void AlertLines::take_next(const History& history) {
  AlertEngine next = *std::move(next_);
  next_.reset();
  next.advance(until_, history.names);
  const auto lasts_too = [](const AlertEngine& in, const AlertEngine& of, const Alert& alert) {
    return std::any_of(in.lasting().begin(), in.lasting().end(), [&](std::size_t place) {
      const Alert& other = in.alerts()[place];
      return other.mutex == alert.mutex && other.from == alert.from && in.rules()[other.rule] == of.rules()[alert.rule];
    });
  };
  for (const std::size_t place : lasting_) {
    const Alert& alert = engine_.alerts()[place];
    if (!lasts_too(next, engine_, alert)) line(engine_, alert, until_, "over, by other rules", history);
  }
  for (const std::size_t place : next.lasting()) {
    const Alert& alert = next.alerts()[place];
    if (!lasts_too(engine_, next, alert)) line(next, alert, alert.from, "ALERT", history);
  }
  lasting_.assign(next.lasting().begin(), next.lasting().end());
  told_ = next.alerts().size();
  engine_ = std::move(next);
}

void AlertLines::line(const AlertEngine& of, const Alert& alert, TrueTime at, std::string_view how,
                      const History& history) const {
  complain(fmt::format("{}  {}  {}: {}: {}", clock_text(epoch_ns_, at), how, escaped(of.rules()[alert.rule].name, 200),
                       escaped(history.names.text(alert.mutex), 200), escaped(alert.words, 400)));
}

}  // namespace leasescope::ctl
