// The plan of faults over the chart, on its scale of time: what is to happen, above what did. A drag on an empty place
// adds a fault, one on a fault moves it, one at its edge makes it longer or shorter; the same by keys. Each is one step
// of the document.
#pragma once
#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "ui/lab/lab_controller.h"
#include "ui/lab/plan_times.h"

namespace leasescope {

class TimelineView;

class PlanLane : public QWidget {
  Q_OBJECT
 public:
  PlanLane(LabController& lab, TimelineView* chart, QWidget* parent = nullptr);

  int selected() const { return selected_; }  // a row of the plan; -1: none
  void select(int row);
  // Where that row is drawn, whole; empty: there is no such row.
  QRect rectOf(int row) const;
  // One more, which is selected then, as one step of the document; false: it was refused, and the status bar says why.
  bool add(const std::string& kind, Duration at, Duration lasts, const std::string& target);

 signals:
  void chosen(int row);  // to be looked at

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  // What a drag does to a row, or to one that is not there yet.
  enum class Hold { kNothing, kNew, kMove, kBegin, kEnd };
  struct Bar {
    PlanStretch when;
    int level = 0;
  };
  void load();
  int rowAt(QPoint at) const;
  Hold holdAt(QPoint at, int row) const;
  Duration timeAt(int x, bool exact) const;
  Duration grain() const;
  PlanStretch dragged(QPoint to, bool exact) const;
  void commit(int row, const PlanStretch& before, const PlanStretch& after);
  void nudge(int steps, bool length);
  QRect rectOf(const PlanStretch& when, int level) const;
  void paintBar(QPainter& painter, int row) const;
  int plotLeft() const;

  LabController& lab_;
  TimelineView* chart_;
  std::vector<Bar> bars_;
  int levels_ = 1;
  int selected_ = -1;
  Hold hold_ = Hold::kNothing;
  QPoint pressed_;
  std::optional<PlanStretch> ghost_;
};

}  // namespace leasescope
