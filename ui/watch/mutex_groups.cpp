#include "ui/watch/mutex_groups.h"

#include <algorithm>
#include <numeric>

#include "core/observe/watched_row.h"
#include "ui/models/words.h"

namespace leasescope {

QString word(Grouping by) {
  switch (by) {
    case Grouping::kStore:
      return QStringLiteral("store");
    case Grouping::kSystem:
      return QStringLiteral("system");
    case Grouping::kState:
      return QStringLiteral("state");
    case Grouping::kNone:
      break;
  }
  return QStringLiteral("none");
}

std::optional<Grouping> groupingOf(const QString& text) {
  for (const Grouping each : kGroupings)
    if (word(each) == text) return each;
  return std::nullopt;
}

void MutexGroups::divideBy(Grouping by) {
  by_ = by;
  groups_.clear();
  places_.clear();
  if (by != Grouping::kState) return;
  for (std::size_t i = 0; i < kWatchStates; ++i)
    groups_.push_back({fromText(text(static_cast<WatchState>(i))), static_cast<int>(i)});
}

int MutexGroups::of(const QString& title) {
  const auto known = places_.constFind(title);
  if (known != places_.constEnd()) return *known;
  const int place = size();
  places_.insert(title, place);
  groups_.push_back({title});
  rank();
  return place;
}

void MutexGroups::uncount() {
  for (MutexGroup& each : groups_) each.count = 0;
}

// By their titles.
void MutexGroups::rank() {
  std::vector<int> order(groups_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [this](int a, int b) { return (*this)[a].title < (*this)[b].title; });
  for (std::size_t i = 0; i < order.size(); ++i) (*this)[order[i]].rank = static_cast<int>(i);
}

}  // namespace leasescope
