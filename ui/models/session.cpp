#include "ui/models/session.h"

#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {

QString Session::whatText() const {
  const Scenario* const scenario = runScenario();
  if (scenario == nullptr) return {};
  const std::vector<std::string> mutexes = scenario->mutex_names();
  return mutexes.size() == 1 ? fromText(mutexes.front()) : tr("%n mutexes", nullptr, howMany(mutexes.size()));
}

TrueTime eventBefore(const History& history, TrueTime at) {
  const auto& events = history.events;
  const auto next = std::partition_point(events.begin(), events.end(), [&](const Event& e) { return e.at() < at; });
  return next == events.begin() ? TrueTime{} : std::prev(next)->at();
}

TrueTime eventAfter(const History& history, TrueTime at) {
  const auto& events = history.events;
  const auto next = std::partition_point(events.begin(), events.end(), [&](const Event& e) { return e.at() <= at; });
  return next == events.end() ? history.now : next->at();
}

void Session::selectIncident(int index) {
  const bool known = history() && index >= 0 && static_cast<std::size_t>(index) < history()->incidents.size();
  incident_ = known ? index : -1;
  emit incidentSelected(incident_);
}

void Session::stepIncident(int by) {
  if (!history() || history()->incidents.empty()) return;
  const int count = static_cast<int>(history()->incidents.size());
  const int from = incident_ < 0 ? (by > 0 ? -1 : count) : incident_;
  selectIncident(std::clamp(from + by, 0, count - 1));
}

void Session::countBy(const CountedTime& time) {
  if (time == time_) return;
  time_ = time;
  emit timeCounted();
}

void Session::recast(std::vector<std::string> names) {
  cast_.reset(std::move(names));
  incident_ = -1;
}

void Session::recast(Cast cast) {
  cast_ = std::move(cast);
  incident_ = -1;
}

void Session::syncCast() {
  if (cast_.sync(*history())) emit castChanged();
}

}  // namespace leasescope
