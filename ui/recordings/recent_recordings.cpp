#include "ui/recordings/recent_recordings.h"

#include <QFileInfo>
#include <QStringList>

#include "ui/recordings/history_place.h"

namespace leasescope {
namespace {

QString nameOf(const QString& path) {
  return HistoryPlace::namesTeam(path) ? path.section(QStringLiteral("://"), 1) : QFileInfo(path).fileName();
}

}  // namespace

RecentRecordings::RecentRecordings(QObject* parent) : QAbstractListModel(parent) {}

int RecentRecordings::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant RecentRecordings::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Entry& entry = entries_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return nameOf(entry.path);
    case Qt::ToolTipRole:
      return entry.gone ? tr("%1: it is not there any more").arg(entry.path) : entry.path;
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1, %2").arg(nameOf(entry.path), data(index, kAboutRole).toString());
    case kPathRole:
      return entry.path;
    case kAboutRole:
      return entry.gone ? tr("not there any more") : entry.about;
    case kGoneRole:
      return entry.gone;
    default:
      return {};
  }
}

int RecentRecordings::rowOf(const QString& path) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].path == path) return static_cast<int>(i);
  return -1;
}

void RecentRecordings::note(const QString& path, const QString& about) {
  const int row = rowOf(path);
  Entry entry{path, about, false};
  if (row >= 0 && about.isEmpty()) entry.about = entries_[static_cast<std::size_t>(row)].about;
  if (row == 0) {
    entries_.front() = entry;
    emit dataChanged(index(0), index(0));
    return;
  }
  if (row > 0) remove(path);
  beginInsertRows({}, 0, 0);
  entries_.insert(entries_.begin(), entry);
  endInsertRows();
  if (rowCount() > kMost) remove(entries_.back().path);
}

void RecentRecordings::remove(const QString& path) {
  const int row = rowOf(path);
  if (row < 0) return;
  beginRemoveRows({}, row, row);
  entries_.erase(entries_.begin() + row);
  endRemoveRows();
}

QStringList RecentRecordings::teams() const {
  QStringList out;
  for (const Entry& each : entries_)
    if (HistoryPlace::namesTeam(each.path)) out << each.path;
  return out;
}

void RecentRecordings::look() {
  for (int row = 0; row < rowCount(); ++row) {
    Entry& entry = entries_[static_cast<std::size_t>(row)];
    const bool gone = !HistoryPlace::namesTeam(entry.path) && !QFileInfo::exists(entry.path);
    if (std::exchange(entry.gone, gone) != gone) emit dataChanged(index(row), index(row));
  }
}

void RecentRecordings::remember(QSettings& settings) const {
  QStringList paths, abouts;
  for (const Entry& entry : entries_) {
    paths << entry.path;
    abouts << entry.about;
  }
  settings.setValue(QStringLiteral("recordings/recent"), paths);
  settings.setValue(QStringLiteral("recordings/abouts"), abouts);
}

void RecentRecordings::restore(const QSettings& settings) {
  const QStringList paths = settings.value(QStringLiteral("recordings/recent")).toStringList();
  const QStringList abouts = settings.value(QStringLiteral("recordings/abouts")).toStringList();
  beginResetModel();
  entries_.clear();
  for (qsizetype i = 0; i < paths.size() && i < kMost; ++i) entries_.push_back({paths[i], abouts.value(i), false});
  endResetModel();
  look();
}

}  // namespace leasescope
