// Asks which team's history is to be opened. A password is kept for as long as the history is open, and nowhere else.
#pragma once
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/recordings/history_place.h"

namespace leasescope {

class TeamDialog : public QDialog {
  Q_OBJECT
 public:
  explicit TeamDialog(QWidget* parent);

  // With that address, or the last one that is known; `why` says what was wrong with it. Waits for nobody.
  void ask(const QString& address, const QStringList& known, const QString& why = {});
  QLineEdit* address() const { return address_; }
  QLineEdit* password() const { return password_; }
  QPushButton* button() const { return open_; }
  QString error() const { return error_->isHidden() ? QString() : error_->text(); }

 signals:
  void chosen(const leasescope::HistoryPlace& place);

 private:
  void submit();
  void say(const QString& why);

  QLineEdit *address_, *password_;
  QLabel* error_;
  QPushButton* open_;
};

}  // namespace leasescope
