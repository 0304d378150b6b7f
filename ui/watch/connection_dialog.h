// Asks for a store to be watched, or changes one that is: by its address or by a form, which say the same at any time,
// with a test of both. A password is in its field alone, and nowhere once the dialog is closed.
#pragma once
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <functional>
#include <optional>

#include "ui/keyring/kept_passwords.h"
#include "ui/watch/store_check.h"
#include "ui/watch/watch_session.h"

namespace leasescope {

class StoreForm;

class ConnectionDialog : public QDialog {
  Q_OBJECT
 public:
  struct Wanted {
    QString address, password;
    bool keep = false, likely = false;
    std::optional<std::size_t> instead;  // of the store at that place
  };

  ConnectionDialog(const WatchSession& session, KeptPasswords& kept, QWidget* parent);

  // For a new one. Waits for nobody.
  void ask(const Wanted& begin);
  // Of one that is watched.
  void change(std::size_t store);
  // What is done with what was asked for: why not, or empty.
  void submitWith(std::function<QString(const Wanted&)> submit) { submit_ = std::move(submit); }

  QLineEdit* address() const { return address_; }
  QLineEdit* password() const { return password_; }
  QCheckBox* keep() const { return keep_; }
  StoreForm* form() const { return form_; }
  QPushButton* testButton() const { return test_; }
  QPushButton* button() const { return watch_; }
  StoreCheck& check() { return check_; }
  QString said() const { return said_->text(); }

 private:
  void build();
  void begin(const Wanted& with);
  Wanted wanted() const;
  void takeAddress();
  void takeForm();
  void submit();
  void test();
  void testAs(const StoreUrl& url);
  void stopTest();
  void refuse(const QString& why);
  void say(const QString& words, bool wrong = false);
  void tell(bool answers, const QString& words, const QStringList& remarks);

  const WatchSession& session_;
  KeptPasswords& kept_;
  std::function<QString(const Wanted&)> submit_;
  std::optional<std::size_t> instead_;
  QLineEdit *address_ = nullptr, *password_ = nullptr;
  QCheckBox *keep_ = nullptr, *likely_ = nullptr;
  StoreForm* form_ = nullptr;
  QLabel* said_ = nullptr;
  QPushButton *test_ = nullptr, *watch_ = nullptr;
  StoreCheck check_;
  bool taken_ = false;      // the form shows what the address says
  bool asks_ = false;       // the keyring, for a test
  int asked_ = 0;           // how often it was
  bool ofAddress_ = false;  // the password was in the address that was typed
};

}  // namespace leasescope
