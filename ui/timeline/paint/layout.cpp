#include "ui/timeline/paint/layout.h"

#include <algorithm>

#include "ui/timeline/lanes/lane.h"

namespace leasescope {
namespace {

constexpr int kFoldHeight = 22;  // a line of text

Density density_of(std::size_t contenders, bool small) {
  const Measures& m = measures();
  const auto count = static_cast<int>(contenders);
  if (count > m.regular.up_to) return Density::kCompact;
  if (count > m.comfortable.up_to || small) return Density::kRegular;
  return Density::kComfortable;
}

const RowMeasures& row_measures(Density density, bool sessions) {
  const Measures& m = measures();
  switch (density) {
    case Density::kComfortable:
      return sessions ? m.comfortable_session : m.comfortable;
    case Density::kRegular:
      return sessions ? m.regular_session : m.regular;
    case Density::kCompact:
      break;
  }
  return sessions ? m.compact_session : m.compact;
}

const RowBox* find(const std::vector<RowBox>& rows, RowKind kind, int index) {
  for (const RowBox& row : rows)
    if (row.kind == kind && row.index == index) return &row;
  return nullptr;
}

bool at_end(const RowBox& box) { return box.kind == RowKind::kOwn && box.spot == RowSpot::kAtEnd; }

constexpr std::uint32_t kLabelled = 4, kMostSlots = 16;  // places of a mutex
constexpr int kFlatPitch = 6, kBelowSlots = 7;

}  // namespace

LineMeasures slot_lines(const MutexRow& mutex) {
  const LineMeasures lines = measures().permits;
  if (mutex.capacity > kMostSlots) return {measures().mutex_band.y, measures().mutex_band.height, 0};
  return mutex.capacity > kLabelled ? LineMeasures{lines.first, kFlatPitch - 1, kFlatPitch} : lines;
}

int header_height(const MutexRow& mutex) {
  if (mutex.capacity <= 1 || mutex.capacity > kMostSlots) return measures().mutex_height;
  const LineMeasures lines = slot_lines(mutex);
  return std::max(measures().mutex_height, lines.first + kBelowSlots + lines.pitch * static_cast<int>(mutex.capacity));
}

const RowBox* ChartLayout::contender_row(int index) const {
  const auto place = static_cast<std::size_t>(index);
  return index < 0 || place >= place_of.size() || place_of[place] < 0
             ? nullptr
             : &rows[static_cast<std::size_t>(place_of[place])];
}
const RowBox* ChartLayout::mutex_row(int index) const { return find(rows, RowKind::kMutex, index); }
const RowBox* ChartLayout::own_row(LaneKind lane, int index) const {
  for (const RowBox& box : rows)
    if (box.kind == RowKind::kOwn && box.lane == lane && box.index == index) return &box;
  return nullptr;
}

const RowBox* ChartLayout::pinned_row(int scroll) const {
  const RowBox* found = nullptr;
  if (scroll > 0)
    for (const RowBox& box : rows) {
      if (box.y > scroll) break;
      if (box.kind == RowKind::kMutex) found = &box;
      const bool of_all = box.kind == RowKind::kResource || box.kind == RowKind::kStore || at_end(box);
      if (of_all && mutex_row(1) != nullptr) found = nullptr;
    }
  return found;
}

Band ChartLayout::mutex_block(int index) const {
  Band block;
  bool inside = false;
  const bool only = mutex_row(1) == nullptr;
  for (const RowBox& box : rows) {
    if (box.kind == RowKind::kMutex) inside = box.index == index;
    const bool of_all = box.kind == RowKind::kResource || at_end(box);
    if (box.kind == RowKind::kStore || (of_all && !only)) inside = false;
    if (!inside) continue;
    if (box.kind == RowKind::kMutex) block.y = box.y;
    block.height = box.y + box.height - block.y;
  }
  return block;
}

namespace {

// Whose rows are drawn, in their order.
std::vector<int> chosen_rows(const ChartData& data, const RowChoice& choice, bool& cut) {
  const auto size = static_cast<int>(data.contenders().size());
  const bool fold = size >= kFoldFrom && !(choice.unfolded && can_unfold(data));
  std::vector<int> chosen;
  for (int i = 0; i < size; ++i)
    if (!fold || data.relevance(i) > 0) chosen.push_back(i);
  cut = static_cast<int>(chosen.size()) > kMostRows;
  if (!cut && !choice.by_relevance) return chosen;
  std::stable_sort(chosen.begin(), chosen.end(), [&](int a, int b) { return data.relevance(a) > data.relevance(b); });
  if (cut) chosen.resize(kMostRows);
  if (!choice.by_relevance) std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

ChartLayout layout_chart(const ChartData& data, int width, const RowChoice& choice) {
  const Measures& m = measures();
  ChartLayout layout;
  layout.width = width;
  layout.small = width < kSmallWidth;
  layout.head = layout.small ? m.row_header_small : m.row_header;
  layout.ruler = m.ruler;
  layout.rail = m.incident_rail;
  const std::vector<int> chosen = chosen_rows(data, choice, layout.cut);
  layout.place_of.assign(data.contenders().size(), -1);
  layout.density = density_of(chosen.size(), layout.small);
  layout.row = row_measures(layout.density, data.sessions());
  int y = 0;
  const auto add = [&](RowKind kind, std::size_t index, int height, bool alternate) {
    layout.rows.push_back({kind, static_cast<int>(index), 0, y, height, alternate, kind == RowKind::kMutex});
    y += height;
  };
  // A lane's own rows have the strong line of what is above them.
  const auto add_own = [&](RowSpot spot, int mutex) {
    for (std::size_t i = 0; i < data.lanes().size(); ++i)
      for (const OwnRow& own : data.lanes()[i]->rows(data, layout, spot, mutex)) {
        const bool strong = spot == RowSpot::kUnderHeader && std::exchange(layout.rows.back().strong, false);
        add(RowKind::kOwn, static_cast<std::size_t>(own.index), own.height, own.alternate);
        layout.rows.back().strong = strong;
        layout.rows.back().spot = spot;
        layout.rows.back().lane = static_cast<LaneKind>(i);
      }
  };
  std::vector<int> folded(data.mutexes().size());
  if (chosen.size() < data.contenders().size())
    for (const ContenderRow& contender : data.contenders()) ++folded[static_cast<std::size_t>(contender.mutex)];
  for (std::size_t mutex = 0; mutex < data.mutexes().size(); ++mutex) {
    add(RowKind::kMutex, mutex, header_height(data.mutexes()[mutex]), false);
    add_own(RowSpot::kUnderHeader, static_cast<int>(mutex));
    bool alternate = true;
    for (const int who : chosen) {
      const auto i = static_cast<std::size_t>(who);
      if (data.contenders()[i].mutex != static_cast<int>(mutex)) continue;
      layout.place_of[i] = static_cast<int>(layout.rows.size());
      add(RowKind::kContender, i, layout.row.height, alternate);
      alternate = !alternate;
      --folded[mutex];
    }
    if (folded[mutex] > 0) {
      add(RowKind::kFold, mutex, kFoldHeight, alternate);
      layout.rows.back().count = folded[mutex];
    }
    add_own(RowSpot::kAfterContenders, static_cast<int>(mutex));
  }
  for (std::size_t i = 0; i < data.resources().size(); ++i) add(RowKind::kResource, i, m.resource_height, false);
  add_own(RowSpot::kAtEnd, -1);
  if (!layout.small || !data.store_bands().empty()) add(RowKind::kStore, 0, m.store_height, false);
  layout.rows_height = y;
  return layout;
}

}  // namespace leasescope
