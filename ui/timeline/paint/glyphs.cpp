#include "ui/timeline/paint/glyphs.h"

#include <QPainterPath>

namespace leasescope {
namespace {

// Tape and lattice are pieces of their tiles, begun at the corner, so that each place shows the same bits.
void paint_piece(Canvas& canvas, const QRect& box, bool twice) {
  const Colours& c = canvas.colours();
  const TileBits& bits = tile_bits(twice ? Tile::kCritical : Tile::kOverlap);
  canvas.fill(box.x(), box.y(), box.width(), box.height(), twice ? c.critical : c.overlap);
  for (int y = 0; y < box.height(); ++y)
    for (int x = 0; x < box.width();) {
      int run = 0;
      while (x + run < box.width() && bits.at(x + run, y)) ++run;
      canvas.fill(box.x() + x, box.y() + y, run, 1, twice ? c.on_critical : c.overlap_ink);
      x += std::max(run, 1);
    }
  const QColor outline = canvas.theme() == Theme::kLight ? c.overlap_ink : c.overlap;
  canvas.frame(box.x(), box.y(), box.width(), box.height(), twice ? c.critical : outline);
}

void paint_bits(Canvas& canvas, const QRect& box, const GlyphBits& bits) {
  const Theme theme = canvas.theme();
  const QColor ink = glyph_colour(theme, bits.ink);
  const QColor on = bits.on.isEmpty() ? ink : glyph_colour(theme, bits.on);
  int y = box.y();
  for (const std::string& row : bits.rows) {
    for (std::size_t x = 0; x < row.size();) {
      std::size_t end = x;
      while (end < row.size() && row[end] == row[x]) ++end;
      const bool outline = row[x] == 'e' && theme == Theme::kDark;
      if (row[x] != '.')
        canvas.fill(box.x() + static_cast<int>(x), y, static_cast<int>(end - x), 1,
                    row[x] == 'o' || outline ? on : ink);
      x = end;
    }
    ++y;
  }
}

// Nothing is painted inside: what it stands on shows through.
void paint_ring(Canvas& canvas, QPointF middle) {
  QPainterPath path;
  for (const double r : {5.25, 3.75}) path.addEllipse(middle, r, r);
  canvas.painter().setRenderHint(QPainter::Antialiasing, true);
  canvas.painter().fillPath(path, canvas.colours().attempt_lost);
  canvas.painter().setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace

QSize glyph_size(IncidentKind kind, GlyphSize size) {
  if (size == GlyphSize::kSmall) return {8, 8};
  return kind == IncidentKind::kBeliefOverlap || kind == IncidentKind::kDoubleGrant ? QSize(14, 10) : QSize(12, 12);
}

void paint_glyph(Canvas& canvas, IncidentKind kind, const QRect& place, GlyphSize size, const QColor& ground) {
  const QSize extent = glyph_size(kind, size);
  const QRect box(place.x() + (place.width() - extent.width()) / 2, place.y() + (place.height() - extent.height()) / 2,
                  extent.width(), extent.height());
  const GlyphBits& bits = glyph_bits(text(kind), size);
  if (!bits.rows.empty()) return paint_bits(canvas, box, bits);
  const double x = box.x() + box.width() / 2.0, y = box.y() + box.height() / 2.0;
  switch (kind) {
    case IncidentKind::kDoubleGrant:
    case IncidentKind::kBeliefOverlap:
      return paint_piece(canvas, box, kind == IncidentKind::kDoubleGrant);
    case IncidentKind::kStaleWriteAccepted:
      return canvas.diamond(x, y, 6, ground);
    case IncidentKind::kStaleWriteRejected:
      return canvas.barred_disc(x, y, 5.5, ground);
    default:
      return paint_ring(canvas, {x, y});
  }
}

QColor glyph_ink(const Canvas& canvas, IncidentKind kind) {
  const Colours& c = canvas.colours();
  if (const GlyphBits& bits = glyph_bits(text(kind), GlyphSize::kLarge); !bits.rows.empty())
    return glyph_colour(canvas.theme(), bits.ink);
  switch (kind) {
    case IncidentKind::kDoubleGrant:
      return c.critical;
    case IncidentKind::kBeliefOverlap:
      return c.overlap;
    case IncidentKind::kStaleWriteAccepted:
      return c.write_stale;
    case IncidentKind::kStaleWriteRejected:
      return c.write_rejected;
    default:
      return c.attempt_lost;
  }
}

}  // namespace leasescope
