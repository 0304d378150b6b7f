// A small chart, drawn by Qt Charts: nobody else includes its headers. A bar or a place is chosen by a click, or by
// keys: Left and Right go from one to the next, Enter chooses.
#pragma once
#include <QWidget>

#include "ui/charts/chart_drawing.h"

class QLabel;

namespace leasescope {

class ChartCanvas;
class ElidedLabel;

class ChartView : public QWidget {
  Q_OBJECT
 public:
  explicit ChartView(QWidget* parent = nullptr);
  ~ChartView() override;

  // Replaces all of it at once: lines of many points are to be thinned before.
  void setDrawing(ChartDrawing drawing);
  const ChartDrawing& drawing() const { return drawing_; }
  int current() const { return current_; }  // bar, or point of the lines, from left to right; -1: none
  // Where a place of the axis, and half of the height, lies in this widget.
  QPoint pointAt(double across) const;

 signals:
  void barChosen(int bar);
  void placeChosen(double across);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  friend class ChartCanvas;
  // What Left and Right go through.
  std::size_t stops() const { return drawing_.bars.empty() ? places_.size() : drawing_.bars.size(); }
  double stopAt(std::size_t i) const;
  int barAt(double across) const;
  QString textAt(double across) const;
  void move(int to);
  void choose(double across);
  void describe();

  ChartDrawing drawing_;
  std::vector<double> places_;  // of the lines' points, each once
  int current_ = -1;
  QLabel* title_;
  ElidedLabel* note_;
  ChartCanvas* canvas_;
};

}  // namespace leasescope
