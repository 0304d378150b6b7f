#include "ui/watch/watched_stores_model.h"

#include <algorithm>

#include "core/observe/watched_row.h"
#include "ui/models/words.h"

namespace leasescope {

WatchedStoresModel::WatchedStoresModel(WatchSession& session, QObject* parent)
    : QAbstractListModel(parent), session_(session) {
  connect(&session, &WatchSession::storesChanged, this, &WatchedStoresModel::reset);
  connect(&session, &WatchSession::lookedAt, this, &WatchedStoresModel::sync);
  reset();
}

void WatchedStoresModel::reset() {
  beginResetModel();
  places_.clear();
  if (const Watch* const watch = session_.watch())
    for (std::size_t i = 0; i < watch->stores().size(); ++i)
      if (session_.watches(i)) places_.push_back(i);
  endResetModel();
}

void WatchedStoresModel::sync() {
  if (!places_.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

int WatchedStoresModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(places_.size());
}

QString WatchedStoresModel::about(std::size_t place) const {
  const WatchedStore& store = *session_.watch()->stores()[place];
  if (store.blind && store.why.empty()) return tr("connecting");
  if (store.blind)
    return tr("not observed for %1: %2")
        .arg(fromText(length_text(std::max(Duration::zero(), session_.liveNow() - store.blind_since))),
             fromText(store.why));
  QString out = tr("%1 mutexes · %2").arg(countText(store.mutexes), spanText(store.observer->figures().latency));
  if (!store.parts.empty()) out += tr(" · not observed: %1").arg(fromText(unobserved_text(store)));
  if (const QString error = lastError(place); !error.isEmpty()) out += QStringLiteral(" · ") + error;
  if (const auto clock = store.observer->figures().clock)
    out += tr(" · clock %1 ahead of ours, ± %2")
               .arg(spanText(clock->at_zero - Duration(session_.epochNs().value_or(0))), spanText(clock->bound));
  for (const std::string& remark : store.remarks) out += QStringLiteral(" · ") + fromText(remark);
  return out;
}

// What is over; what lasts is told as such.
QString WatchedStoresModel::lastError(std::size_t place) const {
  const StoreError& error = session_.lastError(place);
  if (error.words.isEmpty() || session_.watch()->stores()[place]->blind) return {};
  const Duration age = std::max(Duration::zero(), session_.liveNow() - error.at);
  return tr("last error %1 ago: %2").arg(fromText(length_text(age)), error.words);
}

QVariant WatchedStoresModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount() || session_.watch() == nullptr) return {};
  const std::size_t place = places_[static_cast<std::size_t>(index.row())];
  const WatchedStore& store = *session_.watch()->stores()[place];
  switch (role) {
    case Qt::DisplayRole:
      return fromText(store.name);
    case Qt::ToolTipRole:
      return QString(fromText(store.name) + u'\n' + about(place))
          .toHtmlEscaped()
          .replace(u'\n', QStringLiteral("<br>"));
    case Qt::AccessibleTextRole:
      return QString(fromText(store.name) + QStringLiteral(", ") + about(place));
    case kAboutRole:
      return about(place);
    case kBlindRole:
      return store.blind || !store.parts.empty();
    case kErrorRole:
      return store.blind || !store.parts.empty() ? fromText(unobserved_text(store)) : lastError(place);
    case kPlaceRole:
      return static_cast<qulonglong>(place);
    default:
      return {};
  }
}

}  // namespace leasescope
