// What is done before there is something to see, over the chart, from when it takes longer than a moment: step, time,
// progress, and Cancel.
#pragma once
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include "ui/models/session.h"

class QAction;
class QShortcut;

namespace leasescope {

class PreparationBox : public QWidget {
  Q_OBJECT
 public:
  // `cancel` is what its button and Esc do.
  PreparationBox(Session& session, QAction* cancel, QWidget* parent);
  // All of it as one text.
  QString text() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void onState(RunState state);
  void appear();
  void load();
  void place();

  Session& session_;
  QLabel *title_, *time_, *step_;
  QWidget* bar_;
  QPushButton* cancel_;
  QShortcut* escape_;
  QElapsedTimer since_;
  QTimer delay_;
  QTimer tick_;
};

}  // namespace leasescope
