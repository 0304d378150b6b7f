// The strip over the chart: which mutex on which store, what stretch is shown, and what can be done with the view.
#pragma once
#include "ui/models/session.h"
#include "ui/panels/parts.h"

namespace leasescope {

class ViewStrip : public Pane {
  Q_OBJECT
 public:
  struct Actions {
    QAction* list;  // shows what there is to be opened, where its dock has no room
    QAction *fitAll, *undoZoom, *follow;
    QList<QAction*> exports;
  };
  ViewStrip(Session& session, const Actions& actions, QWidget* parent = nullptr);
  void setCompact(bool compact);
  void setRange(const QString& range, Duration pixel);

 private:
  void load();

  Session& session_;
  ElidedLabel *mutex_, *store_;
  ElidedLabel* range_;
  QToolButton* list_;
  QWidget* line_;
};

}  // namespace leasescope
