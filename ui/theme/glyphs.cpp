#include "ui/theme/glyphs.h"

#include <QPainterPath>

#include "ui/models/cast.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {
namespace {

QRect centred(const QRect& rect, const QSize& size) {
  return QRect(rect.x() + (rect.width() - size.width()) / 2, rect.y() + (rect.height() - size.height()) / 2,
               size.width(), size.height());
}

void paintTape(QPainter& painter, const QRect& box, Theme theme) {
  const Colours& c = colours(theme);
  paintTile(painter, box, Tile::kOverlap, c.overlap_ink, c.overlap);
  painter.setPen(theme == Theme::kLight ? c.overlap_ink : c.overlap);
  painter.drawRect(box.adjusted(0, 0, -1, -1));
}

void paintLattice(QPainter& painter, const QRect& box, Theme theme) {
  const Colours& c = colours(theme);
  paintTile(painter, box, Tile::kCritical, c.on_critical, c.critical);
  painter.setPen(c.critical);
  painter.drawRect(box.adjusted(0, 0, -1, -1));
}

void paintDiamond(QPainter& painter, const QRectF& box, Theme theme) {
  const Colours& c = colours(theme);
  const QPointF m = box.center();
  QPainterPath path(QPointF(m.x(), box.top()));
  path.lineTo(box.right(), m.y());
  path.lineTo(m.x(), box.bottom());
  path.lineTo(box.left(), m.y());
  path.closeSubpath();
  painter.fillPath(path, c.write_stale);
  painter.setPen(QPen(c.on_critical, 1.6, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(m.x(), m.y() - 3.2), QPointF(m.x(), m.y() + 0.6));
  painter.drawLine(QPointF(m.x(), m.y() + 1.8), QPointF(m.x(), m.y() + 3.2));
}

void paintDisc(QPainter& painter, const QRectF& box, Theme theme) {
  const Colours& c = colours(theme);
  painter.setPen(Qt::NoPen);
  painter.setBrush(c.write_rejected);
  painter.drawEllipse(box);
  painter.fillRect(QRectF(box.left() + 2.5, box.center().y() - 1, box.width() - 5, 2), c.write_on_rejected);
}

void paintLines(QPainter& painter, const QRectF& box, Glyph glyph, Theme theme) {
  const Colours& c = colours(theme);
  const qreal l = box.left() + 1, r = box.right() - 1, b = box.bottom() - 2, m = box.center().y();
  painter.setBrush(Qt::NoBrush);
  if (glyph == Glyph::kRing) {
    painter.setPen(QPen(c.muted, 1.5));
    painter.drawEllipse(box.adjusted(1.5, 1.5, -1.5, -1.5));
  } else if (glyph == Glyph::kGap) {
    painter.setPen(QPen(c.text, 1.2));
    painter.drawPolyline(QPolygonF({{l, m}, {l, b}, {r, b}, {r, m}}));
  } else if (glyph == Glyph::kStep) {
    painter.setPen(QPen(c.critical, 2));
    painter.drawPolyline(QPolygonF({{l, m - 3}, {box.center().x(), m - 3}, {box.center().x(), m + 3}, {r, m + 3}}));
  } else {  // flapping: to and fro
    painter.setPen(QPen(c.text, 1.5));
    painter.drawPolyline(QPolygonF({{l, m + 3}, {l + 2.5, m - 3}, {l + 5, m + 3}, {l + 7.5, m - 3}, {r, m + 3}}));
  }
}

}  // namespace

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
  if (glyph == Glyph::kNone) return {0, 0};
  if (glyph == Glyph::kTape || glyph == Glyph::kLattice) return {14, 10};
  return {12, 12};
}

void paintGlyph(QPainter& painter, const QRect& rect, Glyph glyph, Theme theme) {
  if (glyph == Glyph::kNone) return;
  const QRect box = centred(rect, glyphSize(glyph));
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, glyph != Glyph::kTape && glyph != Glyph::kLattice);
  painter.setBrush(Qt::NoBrush);
  switch (glyph) {
    case Glyph::kTape:
      paintTape(painter, box, theme);
      break;
    case Glyph::kLattice:
      paintLattice(painter, box, theme);
      break;
    case Glyph::kDiamond:
      paintDiamond(painter, box, theme);
      break;
    case Glyph::kDisc:
      paintDisc(painter, QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), theme);
      break;
    default:
      paintLines(painter, box, glyph, theme);
      break;
  }
  painter.restore();
}

int badgeWidth(int place) { return place < 10 ? kBadge : kBadge + 6; }

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
