#include "core/alerts/alert_log.h"

#include <algorithm>
#include <utility>

namespace leasescope {

void AlertLog::look(const AlertDesk& desk, TrueTime now) {
  const AlertList& alerts = desk.engine().alerts();
  for (; seen_ < alerts.size(); ++seen_) begin(desk, seen_);
  for (Open& each : open_) note_answers(desk, each, now);
  const auto over = [&](const Open& each) {
    const Alert& alert = alerts[each.place];
    if (!alert.lasts()) note(desk, each, AlertDeed::kOver, alert.to);
    return !alert.lasts();
  };
  open_.erase(std::remove_if(open_.begin(), open_.end(), over), open_.end());
}

void AlertLog::replace(const AlertDesk& before, const AlertDesk& next, TrueTime at) {
  std::vector<Open> lasting;
  for (const Open& each : open_) {
    const Alert& alert = before.engine().alerts()[each.place];
    const auto twin = next.engine().twin_of(alert, before.engine());
    if (twin)
      lasting.push_back({*twin, each.number, each.acknowledged, each.muted_until});
    else
      note(before, each, AlertDeed::kOver, alert.lasts() ? std::max(alert.from, at) : alert.to);
  }
  open_ = std::move(lasting);
  for (const std::size_t place : next.engine().lasting()) {
    const auto same = [&](const Open& each) { return each.place == place; };
    if (std::none_of(open_.begin(), open_.end(), same)) begin(next, place);
  }
  seen_ = next.engine().alerts().size();
}

std::vector<AlertNote> AlertLog::take() { return std::exchange(notes_, {}); }

void AlertLog::begin(const AlertDesk& desk, std::size_t place) {
  open_.push_back({place, ++last_});
  note(desk, open_.back(), AlertDeed::kBegan, desk.engine().alerts()[place].from);
}

// One that begins while its rule and mutex are muted was told to nobody, which is noted too.
void AlertLog::note_answers(const AlertDesk& desk, Open& of, TrueTime now) {
  if (!of.acknowledged && desk.is_acknowledged(of.place)) {
    of.acknowledged = true;
    note(desk, of, AlertDeed::kAcknowledged, now);
  }
  const TrueTime until = desk.muted_until(of.place);
  if (until <= now || until == of.muted_until) return;
  of.muted_until = until;
  note(desk, of, AlertDeed::kMuted, now).until = until;
}

AlertNote& AlertLog::note(const AlertDesk& desk, const Open& of, AlertDeed deed, TrueTime at) {
  const Alert& alert = desk.engine().alerts()[of.place];
  const AlertRule& rule = desk.engine().rules()[alert.rule];
  return notes_.emplace_back(
      AlertNote{of.number, deed, at, at, rule.name, std::string(rule.kind->word), alert.subject, alert.words});
}

}  // namespace leasescope
