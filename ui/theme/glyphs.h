// The marks that stand for incidents in lists, and the badge that stands for a contender; the same tiles as the chart.
#pragma once
#include <QPainter>

#include "ui/look/tokens.h"
#include "ui/models/glyph.h"

namespace leasescope {

QSize glyphSize(Glyph glyph);
// Centred in `rect`.
void paintGlyph(QPainter& painter, const QRect& rect, Glyph glyph, Theme theme, GlyphSize size = GlyphSize::kLarge);
// Fills with a tile, its origin at the rectangle's corner.
void paintTile(QPainter& painter, const QRect& rect, Tile tile, const QColor& line, const QColor& ground);
inline constexpr int kBadge = 16;
// 16 px square with the contender's letter, in its hue.
void paintBadge(QPainter& painter, const QPoint& at, int place, Theme theme);
int badgeWidth(int place);

}  // namespace leasescope
