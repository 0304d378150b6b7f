// The whole run in a strip under the chart; its frame is dragged to move, its handles to resize what is shown.
#pragma once
#include <QWidget>

#include "ui/timeline/paint/painter.h"

namespace leasescope {

class MinimapView : public QWidget {
  Q_OBJECT
 public:
  MinimapView(const ChartData& chart, QWidget* parent);

  void setTheme(Theme theme);
  void setHead(int width);
  // Whose ownership it tells.
  void setMutex(int mutex);
  void setShown(TrueTime from, TrueTime to);
  void setPlayhead(std::optional<TrueTime> at);
  QSize sizeHint() const override;

 signals:
  void rangeRequested(leasescope::TrueTime from, leasescope::TrueTime to);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  enum class Grip { kNone, kMove, kFrom, kTo };
  Minimap minimap() const;
  Grip gripAt(int x) const;
  void drag(int x);

  const ChartData& data_;
  TileCache tiles_;
  Theme theme_ = Theme::kLight;
  int head_ = 0, mutex_ = 0;
  TrueTime from_{}, to_{};
  std::optional<TrueTime> playhead_;
  Grip grip_ = Grip::kNone;
  Duration grab_{};  // from the frame's left edge to where it was taken
};

}  // namespace leasescope
