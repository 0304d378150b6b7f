#include "ui/watch/lease_bar.h"

#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr QSize kMark(12, 9);

void frame(QPainter& painter, const QRect& room, const QColor& colour) {
  painter.setPen(colour);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(room.adjusted(0, 0, -1, -1));
}

}  // namespace

void paintLeaseBar(QPainter& painter, const QRect& room, const LeaseBar& bar) {
  const Colours& c = ink();
  painter.save();
  if (bar.unobserved) {
    paintTile(painter, room, Tile::kUnobserved, c.unobserved_line, c.unobserved_fill);
    frame(painter, room, c.line_strong);
    return painter.restore();
  }
  painter.fillRect(room, c.chart);
  const int left = static_cast<int>(bar.left * room.width());
  const int transition = static_cast<int>(bar.transition * room.width());
  const IdentityColours& hue = c.id[static_cast<std::size_t>(bar.hue)];
  const QRect whole(room.right() + 1 - left, room.y(), left, room.height());
  if (left > 0) {
    painter.fillRect(whole, hue.ink);
    const QRect hatched(whole.right() + 1 - transition, whole.y(), transition, whole.height());
    if (transition > 0) paintTile(painter, hatched, Tile::kTransitionHeld, hue.ink, hue.mid);
    painter.fillRect(QRect(whole.x(), whole.y() - 1, 1, whole.height() + 2), c.text);
  }
  frame(painter, room, c.line_strong);
  painter.restore();
}

void paintWatchState(QPainter& painter, const QRect& room, WatchState state) {
  const Colours& c = ink();
  const QRect at(QPoint(room.x() + (room.width() - kMark.width()) / 2, room.y() + (room.height() - kMark.height()) / 2),
                 kMark);
  painter.save();
  switch (state) {
    case WatchState::kHeld:
      painter.fillRect(at, c.text);
      break;
    case WatchState::kInTransition:
      paintTile(painter, at, Tile::kTransitionHeld, c.text, c.panel);
      frame(painter, at, c.text);
      break;
    case WatchState::kLeaderless:
    case WatchState::kFree:
      painter.setPen(state == WatchState::kFree ? c.muted : c.text);
      painter.drawLine(at.bottomLeft(), at.bottomRight());
      painter.drawLine(at.bottomLeft(), at.bottomLeft() - QPoint(0, 4));
      painter.drawLine(at.bottomRight(), at.bottomRight() - QPoint(0, 4));
      break;
    case WatchState::kNotObserved:
      paintTile(painter, at, Tile::kUnobserved, c.unobserved_line, c.unobserved_fill);
      frame(painter, at, c.line_strong);
      break;
  }
  painter.restore();
}

}  // namespace leasescope
