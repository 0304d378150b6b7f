#include "ui/panels/pane_layout.h"

#include "ui/look/tokens.h"

namespace leasescope {

QWidget* section(QVBoxLayout*& column, bool line) {
  auto* pane = new Pane(Ground::kPanel);
  if (line) pane->setEdges(Qt::BottomEdge);
  column = new QVBoxLayout(pane);
  column->setContentsMargins(12, 8, 12, 10);
  column->setSpacing(6);
  return pane;
}

QHBoxLayout* stripRow(Pane& strip) {
  strip.setEdges(Qt::BottomEdge);
  strip.setFixedHeight(measures().view_strip);
  auto* row = new QHBoxLayout(&strip);
  row->setContentsMargins(12, 0, 8, 1);
  row->setSpacing(6);
  return row;
}

}  // namespace leasescope
