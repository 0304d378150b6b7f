#include "ui/timeline/paint/hit.h"

#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

constexpr int kMarkReach = 5;  // px that are outlined on both sides of a mark without width

// The lanes on top first.
Hit hit_row(const Scene& scene, const RowBox& row, QPoint at) {
  const Lanes& lanes = scene.data.lanes();
  for (std::size_t i = lanes.size(); i-- > 0;)
    if (const Hit hit = lanes[i]->hit(scene, row, at)) return hit;
  return {};
}

}  // namespace

Hit hit_test(const Scene& whole, QPoint at) {
  Scene scene = whole;
  scene.pinned = scene.layout.pinned_row(scene.scroll);
  if (at.x() < scene.left() || at.x() >= scene.right() || at.y() >= scene.height) return {};
  if (at.y() < scene.layout.ruler) return {};
  if (at.y() < scene.layout.top()) return rail_hit(scene, at);
  const bool on_top = at.y() < scene.rows_top();
  for (const RowBox& row : scene.layout.rows)
    if (scene.stays(row) == on_top && at.y() >= scene.y(row) && at.y() < scene.y(row) + row.height)
      return hit_row(scene, row, at);
  return {};
}

QRect bar_of(const Scene& scene, const Hit& hit, const RailMarks* rail) {
  if (!hit) return {};
  if (hit.lane == LaneKind::kIncidents)
    return rail != nullptr ? rail_rect(scene, *rail, hit.index) : rail_rect(scene, hit.index);
  for (const RowBox& row : scene.layout.rows) {
    const std::optional<Band> band = scene.data.lane(hit.lane).place(scene, row, hit);
    if (!band || !scene.shows(hit.from, hit.to)) continue;
    const int x = scene.x(hit.from), y = scene.y(row) + band->y;
    return hit.mark ? QRect(x - kMarkReach, y, 2 * kMarkReach + 1, band->height)
                    : QRect(x, y, std::max(scene.x(hit.to) - x, 1), band->height);
  }
  return {};
}

HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) {
  return hit ? data.lane(hit.lane).describe(data, hit, at) : HoverText{};
}

}  // namespace leasescope
