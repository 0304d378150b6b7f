#include "ui/theme/glyphs.h"

#include "ui/look/fonts.h"
#include "ui/models/cast.h"
#include "ui/timeline/paint/glyphs.h"

namespace leasescope {

void paintTile(QPainter& painter, const QRect& rect, Tile tile, const QColor& line, const QColor& ground) {
  const TileBits& bits = tile_bits(tile);
  painter.fillRect(rect, ground);
  for (int y = 0; y < rect.height(); ++y)
    for (int x = 0; x < rect.width(); ++x) {
      if (!bits.at(x, y)) continue;
      int run = x;
      while (run < rect.width() && bits.at(run, y)) ++run;
      painter.fillRect(rect.x() + x, rect.y() + y, run - x, 1, line);
      x = run;
    }
}

QSize glyphSize(Glyph glyph) {
  const std::optional<IncidentKind> kind = kindOf(glyph);
  return kind ? glyph_size(*kind, GlyphSize::kLarge) : QSize(0, 0);
}

void paintGlyph(QPainter& painter, const QRect& rect, Glyph glyph, Theme theme, GlyphSize size) {
  const std::optional<IncidentKind> kind = kindOf(glyph);
  if (!kind) return;
  static TileCache tiles;
  painter.save();
  Canvas canvas(painter, theme, tiles);
  paint_glyph(canvas, *kind, rect, size, Qt::transparent);
  painter.restore();
}

int badgeWidth(int place) {
  const int letters = place < 0 ? 1 : static_cast<int>(Cast::letter(place).size());
  return kBadge + 6 * (letters - 1);
}

void paintBadge(QPainter& painter, const QPoint& at, int place, Theme theme) {
  const auto& hue = colours(theme).id[static_cast<std::size_t>(place < 0 ? 0 : place % kIdentities)];
  const QRect box(at, QSize(badgeWidth(place), kBadge));
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(hue.ink);
  painter.drawRoundedRect(box, measures().radius_badge, measures().radius_badge);
  painter.setPen(hue.on);
  painter.setFont(font(Face::kText, measures().font_small, 600));
  painter.drawText(box, Qt::AlignCenter, Cast::letter(place < 0 ? 0 : place));
  painter.restore();
}

}  // namespace leasescope
