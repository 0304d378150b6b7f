// What several lanes, the rail, the ruler and the minimap paint with; painter.cpp has the order.
#pragma once
#include "ui/timeline/paint/scene.h"

namespace leasescope {

// lanes/refusals.cpp
// Refused writes that share a plate: of one fate and one term that follow each other closely, also beyond the picture's
// edges; of several terms where they lie on the same pixels. No more than the pixels have room for.
struct Refusals {
  WriteFate fate = WriteFate::kNone;
  std::size_t first = 0, last = 0;  // of the resource's writes
  std::uint64_t count = 0;
  bool one_height = true;  // all of one term, and the resource had seen the same before each
};
std::vector<Refusals> refusals_of(const Scene& scene, const std::vector<WriteMark>& writes);

// rail.cpp
void paint_rail(Canvas& canvas, const Scene& scene);
// Where the incidents lie in the rail; empty: out of the picture, or folded into a neighbour of its kind.
using RailPlan = std::vector<QRect>;
RailPlan rail_plan(const Scene& scene);
QRect rail_rect(const Scene& scene, std::size_t incident);
// Whether a span's words fit into the rail, so that nobody else need say them.
bool rail_says(Canvas& canvas, const Scene& scene, std::size_t incident);
// The stretch of pixels an incident's marks take: at least three wide.
struct PixelRange {
  int from = 0, to = 0;
};
PixelRange incident_range(const Scene& scene, const IncidentMark& incident);

// ruler.cpp
void paint_ruler(Canvas& canvas, const Scene& scene);
// Takes away the numbers that a flag over these pixels would cut.
void clear_ruler_under(Canvas& canvas, const Scene& scene, PixelRange flag);

// veil.cpp: what is recorded, but not yet to be seen
void paint_veil(Canvas& canvas, const Scene& scene, TrueTime from);

// heads.cpp
void paint_heads(Canvas& canvas, const Scene& scene);
// What changes with the cursor: states and the fence, written into the headers.
void paint_head_states(Canvas& canvas, const Scene& scene, TrueTime at);
QString state_text(const ChartData& data, int contender, TrueTime at);

// ---- helpers
inline constexpr int kHeadText = 12;                         // where the words of a row's header begin
inline int axis_of(const Scene& scene, const RowBox& row) {  // of a resource's
  return scene.y(row) + row.height - measures().resource_axis_from_bottom;
}
// The span in force at a moment, or none. Spans are in order.
const LeaseSpan* span_at(const std::vector<LeaseSpan>& spans, TrueTime at);
// The first span that ends after `at`.
std::size_t first_ending_after(const std::vector<LeaseSpan>& spans, TrueTime at);

}  // namespace leasescope
