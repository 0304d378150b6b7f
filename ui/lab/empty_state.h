// What the chart's place shows when no scenario is open, and the two ways on from there.
#pragma once
#include <QPushButton>

#include "ui/panels/parts.h"

class QAction;

namespace leasescope {

class EmptyState : public Pane {
  Q_OBJECT
 public:
  EmptyState(int scenarios, QAction* openFile, QWidget* parent = nullptr);

 signals:
  void wanted(const QString& scenario);
};

}  // namespace leasescope
