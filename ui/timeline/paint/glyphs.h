// The marks that stand for incidents, one for each kind: in the rail, in lists, in the minimap, on the transport bar.
#pragma once
#include <QRect>

#include "core/history/incident.h"
#include "ui/timeline/paint/canvas.h"

namespace leasescope {

// Of the large one: bit maps are 12 x 12, tape and lattice 14 x 10. Small ones are 8 x 8.
QSize glyph_size(IncidentKind kind, GlyphSize size);
// In the middle of `place`; `ground` is what lies round it.
void paint_glyph(Canvas& canvas, IncidentKind kind, const QRect& place, GlyphSize size, const QColor& ground);
// What most of it is painted with.
QColor glyph_ink(const Canvas& canvas, IncidentKind kind);

}  // namespace leasescope
