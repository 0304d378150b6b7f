#include "ui/models/moment.h"

#include <algorithm>

namespace leasescope {

void Moments::setHistory(const History* history, const Cast* cast) {
  history_ = history;
  cast_ = cast;
  firstSize_ = cast_ != nullptr ? cast_->size() : 0;
  snapshots_.clear();
  if (history_ != nullptr) snapshots_.emplace_back(history_->legend);
}

std::size_t Moments::stride() const {
  constexpr std::size_t kLeast = 16'384, kEventsPerContender = 64;
  return std::max(kLeast, static_cast<std::size_t>(firstSize_) * kEventsPerContender);
}

Standing Moments::after(std::size_t count) const {
  const std::size_t each = stride();
  const std::size_t snapshot = std::min(count / each, snapshots_.size() - 1);
  Standing standing = snapshots_[snapshot];
  for (std::size_t i = snapshot * each; i < count; ++i) {
    if (i > 0 && i % each == 0 && i / each == snapshots_.size()) snapshots_.push_back(standing);
    standing.append(history_->events[i], history_->names);
  }
  return standing;
}

void Moments::follow() {
  if (history_ && history_->events.size() >= stride() * snapshots_.size()) (void)after(history_->events.size());
}

std::vector<ContenderAt> Moments::at(TrueTime time) const {
  if (!history_ || !cast_) return {};
  const auto& events = history_->events;
  const auto next =
      std::upper_bound(events.begin(), events.end(), time, [](TrueTime t, const Event& e) { return t < e.at(); });
  const Standing standing = after(static_cast<std::size_t>(next - events.begin()));
  std::vector<ContenderAt> all(static_cast<std::size_t>(cast_->size()));
  for (std::uint32_t i = 0; i < standing.contenders().size(); ++i) {
    const Standing::Contender& from = standing.contender(i);
    const int place = cast_->indexOf(*history_, from.name);
    if (place < 0 || place >= cast_->size()) continue;
    ContenderAt& who = all[static_cast<std::size_t>(place)];
    who.running = from.up;
    who.believes = from.believes;
    who.holds = standing.seen_to_hold(from);
    who.paused = from.is(Disturbs::kPauses);
    who.cut = from.is(Disturbs::kCuts);
    who.believedToken = from.token;
    who.heldToken = from.held;
    who.deadline = standing.told(i).deadline;
  }
  return all;
}

}  // namespace leasescope
