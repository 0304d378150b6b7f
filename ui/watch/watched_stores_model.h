// Watched stores as a list: how each answers, and what was said of it.
#pragma once
#include <QAbstractListModel>

#include "ui/watch/watch_session.h"

namespace leasescope {

class WatchedStoresModel : public QAbstractListModel {
  Q_OBJECT
 public:
  // kErrorRole: what is wrong now, or was last and how long ago; empty: nothing.
  enum Role { kAboutRole = Qt::UserRole, kBlindRole, kPlaceRole, kErrorRole };

  explicit WatchedStoresModel(WatchSession& session, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  void reset();
  void sync();
  QString about(std::size_t store) const;
  QString lastError(std::size_t store) const;

  WatchSession& session_;
  std::vector<std::size_t> places_;  // of those that are watched
};

}  // namespace leasescope
