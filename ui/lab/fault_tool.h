// The tool with which faults are planned on the chart itself: over its rows, while it is taken. A drag on a contender's
// row, or on what tells of the store, is a fault of whoever that is, from where it began to where it ended; the same by
// keys. What is made goes to the plan of faults, selected, as one step of the document.
#pragma once
#include <QWidget>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ui/lab/lab_controller.h"
#include "ui/lab/plan_times.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {

class PlanLane;

class FaultTool : public QWidget {
  Q_OBJECT
 public:
  FaultTool(LabController& lab, TimelineView* chart, PlanLane* plan);

  // Whoever puts it away is where what was made can be moved and resized, or at the chart.
  void take(bool on);
  bool isTaken() const { return isVisibleTo(parentWidget()); }
  // The kinds that fit whoever it is, in the order of the register.
  static std::vector<std::string> kindsFor(const Scenario& scenario, bool store);
  std::string kind(bool store) const;
  void choose(const std::string& kind, bool store);
  // What is about to be planned: "pause of c1 at 12 s, for 3 s"; empty: nothing.
  QString words() const;

 signals:
  void taken(bool on);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Draft : PlanStretch {
    int contender = -1;  // -1: the store

    bool store() const { return contender < 0; }
  };
  std::string target(const Draft& of) const;
  Duration timeAt(int x, bool exact) const;
  QRect rectOf(const Draft& of) const;
  void begin(int contender);
  void stepKind(int by);
  void stepTarget(int key);
  void nudge(int steps, bool length);
  void tell();
  void commit();
  void letGo();

  LabController& lab_;
  TimelineView* chart_;
  PlanLane* plan_;
  std::array<std::string, 2> kinds_{"pause", "store_slow"};  // of a contender, of the store
  std::optional<Draft> draft_;
  std::optional<TimelineView::Aim> pressed_;
  QPoint pressedAt_;
  bool made_ = false;  // since it was taken
};

}  // namespace leasescope
