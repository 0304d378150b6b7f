// The stores that are watched, and the field that adds one. A password is kept for as long as the store is watched, and
// nowhere else but in the system's keyring, where its reader wants that.
#pragma once
#include <QCheckBox>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <map>
#include <optional>

#include "ui/keyring/kept_passwords.h"
#include "ui/panels/parts.h"
#include "ui/watch/watch_session.h"

namespace leasescope {

class ConnectionDialog;
class WatchedStoresModel;

class StoresPanel : public Pane {
  Q_OBJECT
 public:
  explicit StoresPanel(WatchSession& session, QWidget* parent = nullptr);

  // Types the text into the field and adds it, as soon as the keyring has told its password where that is kept there;
  // false: it was refused, and is said why.
  bool add(const QString& text, const QString& password = {});
  void focusField();
  // Asks by a form, which begins with what stands in the field.
  void openForm();
  // The store that is current in the list, by the same form.
  void changeCurrent();
  ConnectionDialog* dialog() const { return dialog_; }
  QPushButton* formButton() const { return formButton_; }
  QLineEdit* field() const { return url_; }
  QLineEdit* password() const { return password_; }
  // Of the next store: what only looks like a lock of another maker is told of too.
  QCheckBox* likely() const { return likely_; }
  // Whether its password is kept in the keyring.
  QCheckBox* keep() const { return keep_; }
  KeptPasswords& kept() { return *kept_; }
  QString note() const { return note_->isHidden() ? QString() : note_->text(); }
  QListView* list() const { return list_; }
  QString error() const;
  // Addresses of stores that were watched, without passwords, the latest first.
  const QStringList& known() const { return known_; }
  void setKnown(const QStringList& known);

 private:
  QWidget* makeForm();
  void makeList();
  void makeDialog();
  void clearField();
  void submit();
  void ask(const QString& typed, Foreign foreign, std::optional<std::size_t> instead);
  // Its place; none: it was refused.
  std::optional<std::size_t> watch(const QString& typed, const QString& password, Foreign foreign,
                                   std::optional<std::size_t> instead);
  void keepProven();
  void refuse(const QString& why, QLineEdit* mended);
  void say(const QString& words);
  void noteKnown(const QString& typed);

  WatchSession& session_;
  QLineEdit *url_, *password_;
  QPushButton *button_, *formButton_;
  QCheckBox *likely_, *keep_;
  QLabel *error_, *note_, *hint_;
  KeptPasswords* kept_;
  std::map<std::size_t, TypedPassword> unproven_;  // by places of their stores
  QStringList awaited_;                            // addresses whose passwords the keyring was asked for
  QListView* list_;
  WatchedStoresModel* model_;
  QStringList known_;
  ConnectionDialog* dialog_;
  std::optional<std::size_t> instead_;  // of what is submitted: the store that goes
};

}  // namespace leasescope
