// What stands in the chart's place when nothing is open, and the ways on from there.
#pragma once
#include "ui/panels/parts.h"

class QAction;
class QHBoxLayout;
class QPushButton;

namespace leasescope {

class EmptyPage : public Pane {
  Q_OBJECT
 public:
  EmptyPage(const QString& title, const QString& text, QWidget* parent = nullptr);
  // From left to right; the first is the one that most want.
  QPushButton* addButton(const QString& text);
  void addButton(const QString& text, QAction* action);

 private:
  QHBoxLayout* buttons_;
};

}  // namespace leasescope
