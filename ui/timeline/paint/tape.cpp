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
    if (text.isEmpty() || canvas.plate_width(text, style) > range.to - range.from - tape_left) continue;
    canvas.plate((range.from + range.to) / 2, y, text, style);
    return;
  }
}

void paint_edge_pair(Canvas& canvas, const Scene& scene, const IncidentMark& incident, PixelRange range, Band band,
                     int width) {
  const QColor colour = edge_of(canvas, incident.kind);
  const bool narrow = range.to - range.from < 12 || incident.kind == IncidentKind::kDoubleGrant;
  const int left = narrow ? range.from - width : range.from - 1, right = narrow ? range.to : range.to - 1;
  if (scene.shows(incident.start)) canvas.fill(std::max(left, scene.left()), band.y, width, band.height, colour);
  if (!incident.open && scene.shows(incident.end)) canvas.fill(right, band.y, width, band.height, colour);
}

PixelRange incident_range(const Scene& scene, const IncidentMark& incident) {
  const int width = measures().incident_min_width;
  PixelRange range;
  range.from = std::clamp(scene.x(incident.start), scene.left(), scene.right());
  range.to = std::clamp(scene.x(incident.end), scene.left(), scene.right());
  if (range.to - range.from >= width) return range;
  range.from = std::min(range.from, scene.right() - width);
  range.to = range.from + width;
  return range;
}

}  // namespace leasescope
