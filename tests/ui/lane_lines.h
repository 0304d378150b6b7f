// Lines of pixels through a chart's rows of which it is known who painted what: what was there before any bar, the
// marks of one lane by themselves, and whether a lane further down in the z-order, or words, lie on them.
#pragma once
#include <optional>
#include <vector>

#include "ui/timeline/paint/painter.h"

namespace leasescope::tests {

struct LaneLine {
  static constexpr QRgb kNothing = 0;

  LaneKind lane = LaneKind::kNone;  // of those that are asked for the first has the ground of all below it
  const RowBox* row = nullptr;
  int y = 0;  // of the picture

  // By column of the picture.
  std::vector<QRgb> below{}, own{};  // kNothing: the lane painted nothing there
  std::vector<char> above{};         // something lies on it
};

// Fills these lines by painting the rows as paint_chart does: the same lanes, parts and words in the same order. The
// scene has its pinned header already.
void paint_lines(const Scene& scene, Theme theme, double ratio, std::vector<LaneLine>& lines);

// Where a band of a row lies that is seen whole.
std::optional<Band> seen_whole(const Scene& scene, const RowBox& row, Band band);

}  // namespace leasescope::tests
