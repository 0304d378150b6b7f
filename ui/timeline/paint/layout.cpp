#include "ui/timeline/paint/layout.h"

#include <algorithm>
#include <utility>

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
int ChartLayout::first_mutex() const {
  for (const RowBox& box : rows)
    if (box.kind == RowKind::kMutex) return box.index;
  return 0;
}
const RowBox* ChartLayout::own_row(LaneKind lane, int index) const {
  for (const RowBox& box : rows)
    if (box.kind == RowKind::kOwn && box.lane == lane && box.index == index) return &box;
  return nullptr;
}

const RowBox* ChartLayout::pinned_row(int scroll) const {
  const RowBox* found = nullptr;
  if (scroll > 0)
    for (const RowBox& box : rows) {
      if (box.y > scroll + kept_height) break;
      if (box.kind == RowKind::kMutex) found = &box;
      const bool of_all = box.kind == RowKind::kResource || box.kind == RowKind::kStore || at_end(box);
      if (of_all && !one_mutex) found = nullptr;
    }
  return found;
}

Band ChartLayout::mutex_block(int index) const {
  Band block;
  bool inside = false;
  for (const RowBox& box : rows) {
    if (box.kind == RowKind::kMutex) inside = box.index == index;
    const bool of_all = box.kind == RowKind::kResource || at_end(box);
    if (box.kind == RowKind::kStore || (of_all && !one_mutex)) inside = false;
    if (!inside) continue;
    if (box.kind == RowKind::kMutex) block.y = box.y;
    block.height = box.y + box.height - block.y;
  }
  return block;
}

namespace {

// Adds rows one below the other.
class Rows {
 public:
  Rows(const ChartData& data, ChartLayout& layout) : data_(data), layout_(layout) {}

  RowBox& add(RowKind kind, int index, int height, bool alternate) {
    layout_.rows.push_back({kind, index, 0, layout_.rows_height, height, alternate, kind == RowKind::kMutex});
    layout_.rows_height += height;
    return layout_.rows.back();
  }

  RowBox& add_contender(int who, bool alternate) {
    layout_.place_of[static_cast<std::size_t>(who)] = static_cast<int>(layout_.rows.size());
    return add(RowKind::kContender, who, layout_.row.height, alternate);
  }

  // A lane's own rows have the strong line of what is above them.
  void add_own(RowSpot spot, int mutex) {
    for (std::size_t i = 0; i < data_.lanes().size(); ++i)
      for (const OwnRow& own : data_.lanes()[i]->rows(data_, layout_, spot, mutex)) {
        const bool strong = spot == RowSpot::kUnderHeader && std::exchange(layout_.rows.back().strong, false);
        RowBox& row = add(RowKind::kOwn, own.index, own.height, own.alternate);
        row.strong = strong;
        row.spot = spot;
        row.lane = static_cast<LaneKind>(i);
      }
  }

 private:
  const ChartData& data_;
  ChartLayout& layout_;
};

// On top of all others; the last of those that stay there has a strong line.
void add_pinned(Rows& rows, ChartLayout& layout, const RowPick& pick, int room) {
  bool alternate = true;
  for (const int who : pick.pinned) {
    RowBox& row = rows.add_contender(who, alternate);
    alternate = !alternate;
    row.pinned = true;
    row.kept = layout.rows_height <= room / 2;
    if (row.kept) layout.kept_height = layout.rows_height;
  }
  if (!layout.rows.empty()) layout.rows.back().strong = true;
}

void add_mutex(Rows& rows, const ChartData& data, const RowPick& pick, int mutex, int folded) {
  rows.add(RowKind::kMutex, mutex, header_height(data.mutexes()[static_cast<std::size_t>(mutex)]), false);
  rows.add_own(RowSpot::kUnderHeader, mutex);
  bool alternate = true;
  for (const int who : pick.shown) {
    if (data.contenders()[static_cast<std::size_t>(who)].mutex != mutex) continue;
    rows.add_contender(who, alternate);
    alternate = !alternate;
  }
  const LeftOut hidden = left_out(data, pick, mutex);
  if (folded > 0 || hidden.rows > 0) {
    RowBox& fold = rows.add(RowKind::kFold, mutex, kFoldHeight, alternate);
    fold.count = folded;
    fold.left_out = hidden;
  }
  rows.add_own(RowSpot::kAfterContenders, mutex);
}

// By mutex: who has no row, and was not left out by the reader.
std::vector<int> folded_of(const ChartData& data, const RowPick& pick) {
  std::vector<int> folded(data.mutexes().size());
  const auto mutex_of = [&](std::size_t who) { return static_cast<std::size_t>(data.contenders()[who].mutex); };
  for (std::size_t i = 0; i < data.contenders().size(); ++i)
    if (!pick.left_out[i]) ++folded[mutex_of(i)];
  for (const std::vector<int>* drawn : {&pick.shown, &pick.pinned})
    for (const int who : *drawn) --folded[mutex_of(static_cast<std::size_t>(who))];
  return folded;
}

}  // namespace

ChartLayout layout_chart(const ChartData& data, int width, const RowChoice& choice, int room, Density least) {
  const Measures& m = measures();
  ChartLayout layout;
  layout.width = width;
  layout.small = width < kSmallWidth;
  layout.head = layout.small ? m.row_header_small : m.row_header;
  layout.ruler = m.ruler;
  layout.rail = m.incident_rail;
  layout.one_mutex = data.mutexes().size() <= 1;
  const RowPick pick = pick_rows(data, choice);
  layout.cut = pick.cut;
  layout.left_out = left_out(data, pick);
  layout.place_of.assign(data.contenders().size(), -1);
  layout.density = std::max(density_of(pick.shown.size() + pick.pinned.size(), layout.small), least);
  layout.row = row_measures(layout.density, data.sessions());
  Rows rows(data, layout);
  add_pinned(rows, layout, pick, room);
  const std::vector<int> folded = folded_of(data, pick);
  for (std::size_t i = 0; i < data.mutexes().size(); ++i)
    if (!pick.mutex_left_out[i]) add_mutex(rows, data, pick, static_cast<int>(i), folded[i]);
  for (std::size_t i = 0; i < data.resources().size(); ++i)
    rows.add(RowKind::kResource, static_cast<int>(i), m.resource_height, false);
  rows.add_own(RowSpot::kAtEnd, -1);
  if (!layout.small || !data.store_bands().empty()) rows.add(RowKind::kStore, 0, m.store_height, false);
  return layout;
}

}  // namespace leasescope
