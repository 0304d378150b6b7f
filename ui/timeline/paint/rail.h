// The rail of incidents under the ruler: where each of them lies in it.
#pragma once
#include <vector>

#include "ui/timeline/paint/scene.h"

namespace leasescope {

struct PixelRange {
  int from = 0, to = 0;
};

// One that is seen in the rail: where it lies, and where its glyph does: within a span, or all there is of it.
struct RailMark {
  std::size_t incident = 0;
  IncidentKind kind = IncidentKind::kBeliefOverlap;
  int severity = 0;
  PixelRange range;
  QRect mark, glyph;
  bool stub = false;  // among so many others that its glyph would cover one of them

  bool is_span() const { return !mark.isEmpty() && mark != glyph; }
};
// In the order they are painted: the worst last.
using RailMarks = std::vector<RailMark>;

RailMarks rail_marks(const Scene& scene);
void paint_rail(Canvas& canvas, const Scene& scene, const RailMarks& marks);

// Where the incidents lie in the rail; empty: out of the picture, or folded into a neighbour of its kind.
using RailPlan = std::vector<QRect>;
RailPlan rail_plan(const Scene& scene);
// ... and their glyphs, or what is left of these in a crowd; empty: has none, or a near one of its kind stands for it.
RailPlan rail_glyphs(const Scene& scene);
// Of one that is folded: the neighbour that stands for it.
QRect rail_rect(const Scene& scene, const RailMarks& marks, std::size_t incident);
inline QRect rail_rect(const Scene& scene, std::size_t incident) {
  return rail_rect(scene, rail_marks(scene), incident);
}
// Whether a span's words fit into the rail, so that nobody else need say them.
bool rail_says(Canvas& canvas, const Scene& scene, std::size_t incident);

}  // namespace leasescope
