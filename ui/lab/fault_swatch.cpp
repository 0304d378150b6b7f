#include "ui/lab/fault_swatch.h"

#include <QPainter>

#include "simulator/fault/kind.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"

namespace leasescope {

// What does not last has no band, and no pattern.
void paintFault(QPainter& painter, const QRect& room, const std::string& kind) {
  const Colours& c = ink();
  const FaultKind* const known = find_fault_kind(kind);
  switch (known != nullptr && known->lasts ? known->band : BandKind::kNone) {
    case BandKind::kPause:
      return paintTile(painter, room, Tile::kPause, c.pause_line, c.pause_fill);
    case BandKind::kPartition:
      return paintTile(painter, room, Tile::kPartition, c.partition_line, c.partition_fill);
    case BandKind::kServer:
      return paintTile(painter, room, Tile::kServer, c.server_line, c.server_fill);
    case BandKind::kSkew:
      return paintTile(painter, room, Tile::kSkew, c.skew_line, c.skew_fill);
    default:
      painter.fillRect(room, c.panel);
  }
}

FaultSwatch::FaultSwatch(std::string kind, QWidget* parent) : QWidget(parent), kind_(std::move(kind)) {
  setFixedSize(14, 14);
}

void FaultSwatch::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintFault(painter, rect(), kind_);
  painter.setPen(ink().line_strong);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace leasescope
