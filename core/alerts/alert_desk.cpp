#include "core/alerts/alert_desk.h"

#include <algorithm>
#include <iterator>

namespace leasescope {

void AlertDesk::forget_over() {
  engine_.forget_over(kOverHeld);
  for (auto each = acknowledged_.begin(); each != acknowledged_.end();)
    each = engine_.alerts().holds(*each) ? std::next(each) : acknowledged_.erase(each);
}

void AlertDesk::mute(std::size_t alert, TrueTime until) {
  if (!engine_.alerts().holds(alert)) return;
  const Alert& of = engine_.alerts()[alert];
  muted_[{of.rule, of.subject.handle}] = until;
}

TrueTime AlertDesk::muted_until(std::size_t alert) const {
  if (!engine_.alerts().holds(alert)) return TrueTime::min();
  const Alert& of = engine_.alerts()[alert];
  const auto found = muted_.find({of.rule, of.subject.handle});
  return found == muted_.end() ? TrueTime::min() : found->second;
}

void AlertDesk::take_over(const AlertDesk& before) {
  for (const std::size_t place : engine_.lasting()) {
    const auto twin = before.engine_.twin_of(engine_.alerts()[place], engine_);
    if (twin && before.is_acknowledged(*twin)) acknowledge(place);
  }
  const std::vector<AlertRule>&now = engine_.rules(), &then = before.engine_.rules();
  for (const auto& [of, until] : before.muted_)
    for (std::size_t rule = 0; rule < now.size(); ++rule)
      if (now[rule] == then[of.first]) muted_[{rule, of.second}] = until;
}

std::vector<std::size_t> AlertDesk::standing(TrueTime now) const {
  std::vector<std::size_t> out;
  for (const std::size_t each : engine_.lasting())
    if (!is_acknowledged(each) && !is_muted(each, now)) out.push_back(each);
  std::sort(out.begin(), out.end(), [this](std::size_t a, std::size_t b) {
    return std::pair(engine_.alerts()[a].from, a) < std::pair(engine_.alerts()[b].from, b);
  });
  return out;
}

}  // namespace leasescope
