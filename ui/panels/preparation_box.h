// What is done before there is something to see, over the chart, from when it takes longer than a moment: step, time,
// progress, and Cancel.
#pragma once
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <functional>

#include "ui/models/session.h"

class QAction;
class QShortcut;

namespace leasescope {

class PreparationBox : public QWidget {
  Q_OBJECT
 public:
  // What is prepared, and whether it is just now; whoever has it calls turn() and load() when either changes.
  struct Prepared {
    std::function<bool()> now;
    std::function<const Preparation&()> what;
  };
  // `cancel` is what its button and Esc do.
  PreparationBox(Prepared prepared, QAction* cancel, QWidget* parent);
  // Of a session, while it prepares.
  PreparationBox(Session& session, QAction* cancel, QWidget* parent);

  void turn();
  void load();
  // All of it as one text.
  QString text() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void appear();
  void place();

  Prepared prepared_;
  QLabel *title_, *time_, *step_;
  QWidget* bar_;
  QPushButton* cancel_;
  QShortcut* escape_;
  QElapsedTimer since_;
  QTimer delay_;
  QTimer tick_;
};

}  // namespace leasescope
