// The stores that are watched, and the field that adds one. A password is kept for as long as the store is watched, and
// nowhere else.
#pragma once
#include <QCheckBox>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>

#include "ui/panels/parts.h"
#include "ui/watch/watch_session.h"

namespace leasescope {

class WatchedStoresModel;

class StoresPanel : public Pane {
  Q_OBJECT
 public:
  explicit StoresPanel(WatchSession& session, QWidget* parent = nullptr);

  // Types the text into the field and adds it; false: it was refused, and is said why.
  bool add(const QString& text, const QString& password = {});
  void focusField();
  QLineEdit* field() const { return url_; }
  QLineEdit* password() const { return password_; }
  // Of the next store: what only looks like a lock of another maker is told of too.
  QCheckBox* likely() const { return likely_; }
  QListView* list() const { return list_; }
  QString error() const;
  // Addresses of stores that were watched, without passwords, the latest first.
  const QStringList& known() const { return known_; }
  void setKnown(const QStringList& known);

 private:
  void submit();
  void noteKnown();

  WatchSession& session_;
  QLineEdit *url_, *password_;
  QPushButton* button_;
  QCheckBox* likely_;
  QLabel *error_, *hint_;
  QListView* list_;
  WatchedStoresModel* model_;
  QStringList known_;
};

}  // namespace leasescope
