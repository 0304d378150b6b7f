// Hazard tape and lattice: on the bands of those who are wrong together, and in the rail.
#pragma once
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {

inline bool is_tape(IncidentKind kind) {
  return kind == IncidentKind::kBeliefOverlap || kind == IncidentKind::kDoubleGrant;
}

inline constexpr int kEdgesApart = 12;  // px; narrow ones nearer to each other have no edges

// The ink of its outline and edges.
QColor edge_of(const Canvas& canvas, IncidentKind kind);
void paint_tape(Canvas& canvas, PixelRange range, int y, int height, IncidentKind kind);
// ... without an outline: of many that are too narrow for one.
void paint_bare_tape(Canvas& canvas, PixelRange range, int y, int height, IncidentKind kind);
// The longest text that leaves so many pixels of tape to be seen, where nothing else is written; none rather than tape
// hidden by its own label.
void paint_tape_label(Canvas& canvas, PixelRange range, int y, int height, std::initializer_list<QString> texts,
                      IncidentKind kind, int tape_left);
// On a narrow tape the edges stand outside it, so that its colours are still to be seen; the broad red ones always,
// because a grant to a second owner is where beliefs begin to overlap.
void fill_edge_pair(Strip& strip, const Canvas& canvas, const Scene& scene, const IncidentMark& incident,
                    PixelRange range, int width);

}  // namespace leasescope
