#include "ui/timeline/paint/row_pick.h"

#include <climits>
#include <unordered_map>

#include <QStringList>

namespace leasescope {
namespace {

std::unordered_map<std::string, int> places_of(const std::vector<std::string>& names) {
  std::unordered_map<std::string, int> places;
  for (const std::string& name : names) places.emplace(name, static_cast<int>(places.size()));
  return places;
}

class Filter {
 public:
  Filter(const ChartData& data, const RowFilter& filter)
      : data_(data), filter_(filter), words_(fromText(filter.words).split(u' ', Qt::SkipEmptyParts)) {}

  bool takes(int who) const {
    const ContenderRow& row = data_.contenders()[static_cast<std::size_t>(who)];
    const std::string& mutex = data_.mutexes()[static_cast<std::size_t>(row.mutex)].name;
    if (!filter_.mutex.empty() && filter_.mutex != mutex) return false;
    if (filter_.kind && data_.incidents_in_time().of_contender(*filter_.kind, who).size() == 0) return false;
    if (words_.isEmpty()) return true;
    const QString names = fromText(row.name) + u'\n' + fromText(mutex);
    return std::all_of(words_.begin(), words_.end(),
                       [&](const QString& word) { return names.contains(word, Qt::CaseInsensitive); });
  }

 private:
  const ChartData& data_;
  const RowFilter& filter_;
  QStringList words_;
};

// Who is left, of a large fleet only who is not idle.
void take_shown(const ChartData& data, const RowChoice& choice, RowPick& pick) {
  const auto size = static_cast<int>(data.contenders().size());
  const bool fold = size >= kFoldFrom && !(choice.unfolded && can_unfold(data));
  std::vector<bool> taken = pick.left_out;
  for (const int who : pick.pinned) taken[static_cast<std::size_t>(who)] = true;
  for (int who = 0; who < size; ++who)
    if (!taken[static_cast<std::size_t>(who)] && (!fold || data.relevance(who) > 0)) pick.shown.push_back(who);
}

void put_in_order(const ChartData& data, const RowChoice& choice, RowPick& pick) {
  std::vector<int>& shown = pick.shown;
  pick.cut = shown.size() > kMostRows;
  if (pick.cut || choice.by_relevance)
    std::stable_sort(shown.begin(), shown.end(), [&](int a, int b) { return data.relevance(a) > data.relevance(b); });
  if (pick.cut) shown.resize(kMostRows);
  if (pick.cut && !choice.by_relevance) std::sort(shown.begin(), shown.end());
  if (choice.order.empty()) return;
  const auto places = places_of(choice.order);
  const auto place = [&](int who) {
    const auto found = places.find(data.contenders()[static_cast<std::size_t>(who)].name);
    return found == places.end() ? INT_MAX : found->second;
  };
  std::stable_sort(shown.begin(), shown.end(), [&](int a, int b) { return place(a) < place(b); });
}

}  // namespace

RowPick pick_rows(const ChartData& data, const RowChoice& choice) {
  RowPick pick;
  const std::size_t size = data.contenders().size();
  pick.left_out.assign(size, false);
  pick.mutex_left_out.assign(data.mutexes().size(), choice.filter.any());
  // Who is asked for by name is there whoever is in its rows: an owner of several stands in those of one.
  if (choice.filter.words.empty() && !choice.filter.kind)
    for (std::size_t i = 0; i < data.mutexes().size(); ++i)
      if (data.mutexes()[i].name == choice.filter.mutex) pick.mutex_left_out[i] = false;
  if (!choice.hidden.empty() || !choice.pinned.empty() || choice.filter.any()) {
    const auto hidden = places_of(choice.hidden), pins = places_of(choice.pinned);
    const Filter filter(data, choice.filter);
    std::vector<std::pair<int, int>> pinned;
    for (std::size_t i = 0; i < size; ++i) {
      const ContenderRow& row = data.contenders()[i];
      const bool takes = !choice.filter.any() || filter.takes(static_cast<int>(i));
      const auto pin = pins.find(row.name);
      if (pin != pins.end())
        pinned.emplace_back(pin->second, static_cast<int>(i));
      else
        pick.left_out[i] = !takes || hidden.count(row.name) > 0;
      if (takes) pick.mutex_left_out[static_cast<std::size_t>(row.mutex)] = false;
    }
    std::sort(pinned.begin(), pinned.end());
    for (const auto& [place, who] : pinned) pick.pinned.push_back(who);
  }
  take_shown(data, choice, pick);
  put_in_order(data, choice, pick);
  return pick;
}

LeftOut left_out(const ChartData& data, const RowPick& pick, int mutex) {
  LeftOut out;
  const auto counts = [&](int who) {
    if (who == kNoContender || !pick.left_out[static_cast<std::size_t>(who)]) return false;
    return mutex < 0 || data.contenders()[static_cast<std::size_t>(who)].mutex == mutex;
  };
  for (int who = 0; who < static_cast<int>(pick.left_out.size()); ++who) out.rows += counts(who) ? 1 : 0;
  if (out.rows == 0) return out;
  for (const IncidentMark& incident : data.incidents())
    out.incidents += std::any_of(incident.contenders.begin(), incident.contenders.end(), counts) ? 1 : 0;
  return out;
}

}  // namespace leasescope
