#include "core/alerts/alert_desk.h"

#include <algorithm>

namespace leasescope {

void AlertDesk::mute(std::size_t alert, TrueTime until) {
  const Alert& of = engine_.alerts()[alert];
  muted_[{of.rule, of.mutex.handle}] = until;
}

std::optional<TrueTime> AlertDesk::muted_until(std::size_t alert) const {
  const Alert& of = engine_.alerts()[alert];
  const auto found = muted_.find({of.rule, of.mutex.handle});
  return found == muted_.end() ? std::nullopt : std::optional(found->second);
}

bool AlertDesk::is_muted(std::size_t alert, TrueTime now) const {
  const auto until = muted_until(alert);
  return until && now < *until;
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
