// The part of a chart that is Qt Charts' own: axes, bars as one area, lines; and over it marks and the current place.
#pragma once
#include <QTimer>
#include <QtCharts/QChartView>

namespace leasescope {

class ChartView;

class ChartCanvas : public QChartView {
  Q_OBJECT
 public:
  explicit ChartCanvas(ChartView& view);
  // Anew from what the view shows, in the colours and the size of now: once, in a turn of the event loop of its own,
  // however often it was asked for until then and only where it can be seen. To build one takes Qt Charts as long as a
  // whole window takes to be painted, so a page of them is built one after the other.
  void buildLater();
  QPoint pointAt(double across);

 protected:
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void build();
  void buildNow();
  double acrossAt(QPoint at) const;
  // How many of an axis have room in the size of now.
  struct TicksOf {
    int across = 0, up = 0;
    bool operator==(const TicksOf&) const = default;
  };
  TicksOf room() const;
  void addAxes(double lowest, double highest);
  void addBars();
  void addLines();
  void drawMarks(QPainter& painter, const QRectF& plot) const;
  void drawCurrent(QPainter& painter, const QRectF& plot) const;

  ChartView& view_;
  QAbstractAxis *across_ = nullptr, *up_ = nullptr;
  TicksOf built_for_;
  QTimer later_;
  bool stale_ = false;
};

}  // namespace leasescope
