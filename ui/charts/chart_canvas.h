// The part of a chart that is Qt Charts' own: axes, bars as one area, lines; and over it marks and the current place.
#pragma once
#include <QtCharts/QChartView>

namespace leasescope {

class ChartView;

class ChartCanvas : public QChartView {
  Q_OBJECT
 public:
  explicit ChartCanvas(ChartView& view);
  // Anew from what the view shows, in the colours of now.
  void build();
  QPoint pointAt(double across) const;

 protected:
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  double acrossAt(QPoint at) const;
  void addAxes(double lowest, double highest);
  void addBars();
  void addLines();
  void drawMarks(QPainter& painter, const QRectF& plot) const;
  void drawCurrent(QPainter& painter, const QRectF& plot) const;

  ChartView& view_;
  QAbstractAxis *across_ = nullptr, *up_ = nullptr;
};

}  // namespace leasescope
