#include "ui/timeline/paint/tape.h"

namespace leasescope {
namespace {

constexpr int kLeastLabel = 16;  // px; no plate is narrower

}  // namespace

QColor edge_of(const Canvas& canvas, IncidentKind kind) {
  const Colours& c = canvas.colours();
  if (kind == IncidentKind::kDoubleGrant) return c.critical;
  return canvas.theme() == Theme::kLight ? c.overlap_ink : c.overlap;
}

void paint_bare_tape(Canvas& canvas, PixelRange range, int y, int height, IncidentKind kind) {
  const Colours& c = canvas.colours();
  const int width = range.to - range.from;
  if (kind == IncidentKind::kDoubleGrant)
    canvas.hatch(range.from, y, width, height, Tile::kCritical, c.on_critical, c.critical);
  else
    canvas.hatch(range.from, y, width, height, Tile::kOverlap, c.overlap_ink, c.overlap);
}

void paint_tape(Canvas& canvas, PixelRange range, int y, int height, IncidentKind kind) {
  const int width = range.to - range.from;
  paint_bare_tape(canvas, range, y, height, kind);
  if (width > 4)
    canvas.frame(range.from, y, width, height, edge_of(canvas, kind), kind == IncidentKind::kDoubleGrant ? 2 : 1);
}

void paint_tape_label(Canvas& canvas, PixelRange range, int y, int height, std::initializer_list<QString> texts,
                      IncidentKind kind, int tape_left) {
  if (range.to - range.from - tape_left < kLeastLabel) return;
  const Colours& c = canvas.colours();
  const bool critical = kind == IncidentKind::kDoubleGrant;
  PlateStyle style{critical ? c.critical : c.overlap, critical ? c.on_critical : c.overlap_ink,
                   critical ? QColor() : c.overlap_ink};
  style.weight = 600;
  style.px = height >= 13 ? 11 : 10;
  style.height = height;
  style.padding = 6;
  style.align = Align::kCentre;
  for (const QString& text : texts) {
    const int width = canvas.plate_width(text, style), middle = (range.from + range.to) / 2;
    if (text.isEmpty() || width > range.to - range.from - tape_left) continue;
    if (!canvas.places().claim({middle - width / 2, y, width, height})) continue;
    canvas.plate(middle, y, text, style);
    return;
  }
}

void fill_edge_pair(Strip& strip, const Canvas& canvas, const Scene& scene, const IncidentMark& incident,
                    PixelRange range, int width) {
  const QColor colour = edge_of(canvas, incident.kind);
  const bool narrow = range.to - range.from < 12 || incident.kind == IncidentKind::kDoubleGrant;
  const int left = narrow ? range.from - width : range.from - 1, right = narrow ? range.to : range.to - 1;
  // Beside the plot it is not seen, rather than over what begins there.
  if (scene.shows(incident.start) && left + width > scene.left())
    strip.fill(std::max(left, scene.left()), left + width, colour);
  if (!incident.open && scene.shows(incident.end)) strip.fill(right, right + width, colour);
}

PixelRange incident_range(const Scene& scene, TrueTime start, TrueTime end) {
  const int width = measures().incident_min_width;
  PixelRange range;
  range.from = scene.clipped_x(start);
  range.to = scene.clipped_x(end);
  if (range.to - range.from >= width) return range;
  range.from = std::min(range.from, scene.right() - width);
  range.to = range.from + width;
  return range;
}

}  // namespace leasescope
