#include "ui/models/moment.h"

#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {

void Moments::setHistory(const History* history, const Cast* cast) {
  history_ = history;
  cast_ = cast;
  firstSize_ = cast_ != nullptr ? cast_->size() : 0;
  snapshots_.assign(1, {});
}

void Moments::apply(std::vector<Standing>& standings, const Event& event) const {
  const int place = cast_->indexOf(*history_, event.node);
  if (place < 0) return;
  if (standings.size() <= static_cast<std::size_t>(place)) standings.resize(static_cast<std::size_t>(place) + 1);
  Standing& who = standings[static_cast<std::size_t>(place)];
  switch (event.kind) {
    case EventKind::kStarted:
    case EventKind::kRestarted:
      who.running = true;
      break;
    case EventKind::kStopped:
      who.running = false;
      break;
    case EventKind::kCrashed:
      who.running = who.believes = false;
      break;
    case EventKind::kGranted:
      for (Standing& other : standings)
        if (&other != &who && other.mutex == event.mutex) other.holds = false;
      who.mutex = event.mutex;
      [[fallthrough]];
    case EventKind::kRenewed:
      who.holds = true;
      who.heldToken = event.token;
      who.heldUntil = event.at() + Duration(event.a);
      break;
    case EventKind::kReleased:
    case EventKind::kExpired:
      who.holds = false;
      break;
    case EventKind::kBelieved:
      who.believes = true;
      who.believedToken = event.token;
      who.deadline = event.at() + Duration(event.a);
      break;
    case EventKind::kAttempt:
      if (static_cast<AttemptResult>(event.detail) == AttemptResult::kWon)
        who.deadline = event.at() + Duration(event.a);
      break;
    case EventKind::kDisbelieved:
      who.believes = false;
      break;
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded: {
      const bool began = event.kind == EventKind::kFaultBegan;
      const QString fault = faultText(event);
      if (fault == QLatin1String("pause")) who.paused = began;
      if (fault == QLatin1String("partition")) who.cut = began;
      break;
    }
    default:
      break;
  }
}

std::size_t Moments::stride() const {
  constexpr std::size_t kLeast = 8192, kEventsPerContender = 16;
  return std::max(kLeast, static_cast<std::size_t>(firstSize_) * kEventsPerContender);
}

std::vector<Standing> Moments::at(TrueTime time) const {
  if (!history_ || !cast_) return {};
  const auto& events = history_->events;
  const auto count = static_cast<std::size_t>(
      std::upper_bound(events.begin(), events.end(), time, [](TrueTime t, const Event& e) { return t < e.at(); }) -
      events.begin());
  const std::size_t each = stride();
  std::size_t snapshot = std::min(count / each, snapshots_.size() - 1);
  std::vector<Standing> standings = snapshots_[snapshot];
  for (std::size_t i = snapshot * each; i < count; ++i) {
    if (i > 0 && i % each == 0 && i / each == snapshots_.size()) snapshots_.push_back(standings);
    apply(standings, events[i]);
  }
  standings.resize(static_cast<std::size_t>(cast_->size()));
  return standings;
}

}  // namespace leasescope
