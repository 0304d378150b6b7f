// Help beside the chart: how it is read, and every mark with its meaning; in as many columns as have room.
#pragma once
#include <QScrollArea>

namespace leasescope {

class LegendPanel : public QScrollArea {
  Q_OBJECT
 public:
  // `how`: what is done first where the panel stands, in a sentence or two.
  explicit LegendPanel(const QString& how, QWidget* parent = nullptr);
  QSize sizeHint() const override { return {380, 300}; }
  QSize minimumSizeHint() const override { return {200, 80}; }
};

}  // namespace leasescope
