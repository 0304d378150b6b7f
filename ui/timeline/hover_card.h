// A small card that tells what is under the pointer; it never covers the row it explains.
#pragma once
#include <QWidget>

#include "ui/timeline/paint/hit.h"

namespace leasescope {

class HoverCard : public QWidget {
  Q_OBJECT
 public:
  explicit HoverCard(QWidget* parent);

  void setTheme(Theme theme) { theme_ = theme; }
  // `anchor`: the row or bar that must stay visible, in the parent's coordinates.
  void tell(const ChartData& chart, const HoverText& text, const QRect& anchor, int x);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QStringList warningLines(int width) const;

  TileCache tiles_;
  Theme theme_ = Theme::kLight;
  HoverText text_;
  QString letter_;
  int hue_ = 0;
  QStringList warning_;
};

}  // namespace leasescope
