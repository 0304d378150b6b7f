#include "ui/timeline/paint/layout.h"

namespace leasescope {
namespace {

Density density_of(std::size_t contenders, bool small) {
  const Measures& m = measures();
  const auto count = static_cast<int>(contenders);
  if (count > m.regular.up_to) return Density::kCompact;
  if (count > m.comfortable.up_to || small) return Density::kRegular;
  return Density::kComfortable;
}

const RowMeasures& row_measures(Density density) {
  switch (density) {
    case Density::kComfortable:
      return measures().comfortable;
    case Density::kRegular:
      return measures().regular;
    case Density::kCompact:
      break;
  }
  return measures().compact;
}

const RowBox* find(const std::vector<RowBox>& rows, RowKind kind, int index) {
  for (const RowBox& row : rows)
    if (row.kind == kind && row.index == index) return &row;
  return nullptr;
}

}  // namespace

const RowBox* ChartLayout::contender_row(int index) const { return find(rows, RowKind::kContender, index); }
const RowBox* ChartLayout::mutex_row(int index) const { return find(rows, RowKind::kMutex, index); }

Band ChartLayout::mutex_block(int index) const {
  Band block;
  bool inside = false;
  const bool only = mutex_row(1) == nullptr;
  for (const RowBox& box : rows) {
    if (box.kind == RowKind::kMutex) inside = box.index == index;
    if (box.kind == RowKind::kStore || (box.kind == RowKind::kResource && !only)) inside = false;
    if (!inside) continue;
    if (box.kind == RowKind::kMutex) block.y = box.y;
    block.height = box.y + box.height - block.y;
  }
  return block;
}

ChartLayout layout_chart(const ChartData& data, int width) {
  const Measures& m = measures();
  ChartLayout layout;
  layout.width = width;
  layout.small = width < kSmallWidth;
  layout.head = layout.small ? m.row_header_small : m.row_header;
  layout.ruler = m.ruler;
  layout.rail = m.incident_rail;
  layout.density = density_of(data.contenders().size(), layout.small);
  layout.row = row_measures(layout.density);
  int y = 0;
  const auto add = [&](RowKind kind, std::size_t index, int height, bool alternate) {
    layout.rows.push_back({kind, static_cast<int>(index), y, height, alternate});
    y += height;
  };
  for (std::size_t mutex = 0; mutex < data.mutexes().size(); ++mutex) {
    add(RowKind::kMutex, mutex, m.mutex_height, false);
    bool alternate = true;
    for (std::size_t i = 0; i < data.contenders().size(); ++i) {
      if (data.contenders()[i].mutex != static_cast<int>(mutex)) continue;
      add(RowKind::kContender, i, layout.row.height, alternate);
      alternate = !alternate;
    }
  }
  for (std::size_t i = 0; i < data.resources().size(); ++i) add(RowKind::kResource, i, m.resource_height, false);
  if (!layout.small || !data.store_bands().empty()) add(RowKind::kStore, 0, m.store_height, false);
  layout.rows_height = y;
  return layout;
}

}  // namespace leasescope
