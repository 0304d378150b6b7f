// Asks which team's history is to be opened. A password is kept for as long as the history is open, and nowhere else
// but in the system's keyring, where its reader wants that.
#pragma once
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/keyring/kept_passwords.h"

namespace leasescope {

class TeamDialog : public QDialog {
  Q_OBJECT
 public:
  TeamDialog(const KeptPasswords& kept, QWidget* parent);

  // With that address, or the last one that is known; `why` says what was wrong with it. Waits for nobody.
  void ask(const QString& address, const QStringList& known, const QString& why = {});
  QLineEdit* address() const { return address_; }
  QLineEdit* password() const { return password_; }
  QCheckBox* keep() const { return keep_; }
  QPushButton* button() const { return open_; }
  QString error() const { return error_->isHidden() ? QString() : error_->text(); }

 signals:
  // An address that is one, a password if one was typed, and whether it is to be kept in the keyring.
  void chosen(const QString& address, const QString& password, bool keep);

 private:
  void submit();
  void say(const QString& why);

  const KeptPasswords& kept_;
  QLineEdit *address_, *password_;
  QCheckBox* keep_;
  QLabel* error_;
  QPushButton* open_;
};

}  // namespace leasescope
