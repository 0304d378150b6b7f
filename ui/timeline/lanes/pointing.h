// How lanes find what lies under a pointer: a lease with its renewals as one, a mark with some reach around it.
#pragma once
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {

inline constexpr int kReach = 6;  // px around a mark without width

inline bool inside(Band band, int y) { return y >= band.y && y < band.y + band.height; }

// Whose spans these are follows from the row.
inline Hit hit_span(const Scene& scene, const SpanTrack& spans, LaneKind lane, const RowBox& row, Band band,
                    TrueTime at) {
  const std::size_t found = spans.first_ending_after(at);
  if (found >= spans.size() || spans.start(found) > at) return {};
  const std::size_t first = spans.holding_first(found), last = spans.holding_end(found) - 1;
  Hit hit{lane, row.kind, row.index, first, {}, spans.start(first), scene.until(spans.end_of(last))};
  const int y = scene.y(row) + band.y;
  hit.bar = QRect(QPoint(scene.x(hit.from), y),
                  QPoint(std::max(scene.x(hit.to), scene.x(hit.from) + 1) - 1, y + band.height - 1));
  return hit;
}

// The nearest of those that `counts` says yes to.
template <class Marks, class Counts>
Hit hit_mark(const Scene& scene, const Marks& marks, LaneKind lane, const RowBox& row, Band band, int x,
             Counts&& counts) {
  Hit best;
  int distance = kReach + 1;
  const TrueTime from = scene.viewport.time(x - scene.left() - kReach);
  for (std::size_t i = first_at(marks, from); i < marks.size() && scene.x(marks[i].at) <= x + kReach; ++i) {
    const int away = std::abs(scene.x(marks[i].at) - x);
    if (away >= distance || !counts(marks[i])) continue;
    distance = away;
    best = {
        lane,        row.kind,    row.index, i, QRect(scene.x(marks[i].at) - 5, scene.y(row) + band.y, 11, band.height),
        marks[i].at, marks[i].at, true};
  }
  return best;
}
template <class Marks>
Hit hit_mark(const Scene& scene, const Marks& marks, LaneKind lane, const RowBox& row, Band band, int x) {
  return hit_mark(scene, marks, lane, row, band, x, [](const auto&) { return true; });
}

}  // namespace leasescope
