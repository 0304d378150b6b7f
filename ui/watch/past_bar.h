// Over the table, where it is of the past: which moment it shows, the way back to now, and the field in which another
// moment is named.
#pragma once
#include <QLineEdit>

#include "ui/panels/parts.h"
#include "ui/watch/watch_session.h"

class QPushButton;

namespace leasescope {

class PastBar : public Pane {
  Q_OBJECT
 public:
  // `live` goes back to now.
  PastBar(WatchSession& session, QAction* live, QWidget* parent = nullptr);

  QLineEdit* field() const { return field_; }
  QPushButton* back() const { return back_; }
  QString text() const { return said_; }  // "As at 03:12:04.000 UTC"
  QString error() const { return error_; }
  // Stays until a moment is gone to, or Esc.
  void ask();

 signals:
  void wanted(leasescope::TrueTime at);
  void left();  // by Esc or Enter: the table is meant again

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void load();
  void go();
  void say(const QString& error);

  WatchSession& session_;
  ElidedLabel* words_;
  QLineEdit* field_;
  QPushButton* back_;
  QWidget* key_;
  QString said_, error_;
  bool asked_ = false;
};

}  // namespace leasescope
