// A small card that tells what is under the pointer; it covers neither the row it explains nor the pointer. It lies on
// the window: where the chart is too low for it, it reaches beyond.
#pragma once
#include <QWidget>

#include "ui/timeline/paint/hit.h"

namespace leasescope {

class HoverCard : public QWidget {
  Q_OBJECT
 public:
  explicit HoverCard(QWidget* parent);

  void setTheme(Theme theme) { theme_ = theme; }
  // In the parent's coordinates.
  struct Place {
    QRect anchor;  // the row or bar that must stay visible
    QPoint pointer;
    QRect chart;  // where it lies, if there is room
  };
  void tell(const ChartData& chart, const HoverText& text, const Place& place);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QStringList warningLines(int width) const;
  QPoint freeOf(const Place& place, QSize card) const;

  TileCache tiles_;
  Theme theme_ = Theme::kLight;
  HoverText text_;
  QString letter_;
  int hue_ = 0;
  QStringList warning_;
};

}  // namespace leasescope
