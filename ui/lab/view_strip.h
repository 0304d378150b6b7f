// The strip over the chart: which mutex on which store, what stretch is shown, and what can be done with the view.
#pragma once
#include "ui/lab/lab_controller.h"
#include "ui/lab/parts.h"

namespace leasescope {

class ViewStrip : public Pane {
  Q_OBJECT
 public:
  struct Actions {
    QAction *scenarios, *fitAll, *undoZoom, *follow, *exportPng, *exportSvg;
  };
  ViewStrip(LabController& lab, const Actions& actions, QWidget* parent = nullptr);
  void setCompact(bool compact);
  void setRange(TrueTime from, TrueTime to, int pixels);

 private:
  void load();

  LabController& lab_;
  ElidedLabel *mutex_, *store_;
  ElidedLabel* range_;
  QToolButton* scenarios_;
  QWidget* line_;
};

}  // namespace leasescope
