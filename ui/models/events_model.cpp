#include "ui/models/events_model.h"

#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {

EventsModel::EventsModel(QObject* parent) : QAbstractTableModel(parent) {}

void EventsModel::setHistory(const History* history, const Cast* cast) {
  beginResetModel();
  history_ = history;
  cast_ = cast;
  rows_ = history_ ? static_cast<int>(history_->events.size()) : 0;
  endResetModel();
}

void EventsModel::sync() {
  if (!history_) return;
  const int count = static_cast<int>(history_->events.size());
  if (count == rows_) return;
  if (count < rows_) {
    setHistory(history_, cast_);
    return;
  }
  beginInsertRows({}, rows_, count - 1);
  rows_ = count;
  endInsertRows();
}

int EventsModel::rowAt(TrueTime at) const {
  if (!history_) return 0;
  const auto end = history_->events.begin() + rows_;
  const auto found = std::lower_bound(history_->events.begin(), end, at,
                                      [](const Event& event, TrueTime time) { return event.at() < time; });
  return static_cast<int>(found - history_->events.begin());
}

int EventsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int EventsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant EventsModel::textOf(int row, int column) const {
  const Event& event = history_->events[static_cast<std::size_t>(row)];
  switch (column) {
    case kNumber:
      return countText(static_cast<std::uint64_t>(row) + 1);
    case kTime:
      return secondsText(event.at());
    case kWho:
      return cast_->indexOf(*history_, event.node) >= 0 ? QVariant()
                                                        : QVariant(fromText(history_->names.text(event.node)));
    case kKind:
      return kindText(event);
    case kToken:
      return event.token == kNoToken ? QVariant() : QVariant(tokenText(event.token));
    case kWhat:
      return sentence(*history_, *cast_, event);
    case kCausedBy:
      return event.cause == 0 ? QVariant() : QVariant(countText(event.cause));
    default:
      return {};
  }
}

QVariant EventsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_) return {};
  const Event& event = history_->events[static_cast<std::size_t>(index.row())];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return textOf(index.row(), column);
    case Qt::AccessibleTextRole:
      return column == kWho ? QVariant(cast_->shortName(*history_, event.node)) : textOf(index.row(), column);
    case kWhoRole: {
      const int place = column == kWho ? cast_->indexOf(*history_, event.node) : -1;
      return place < 0 ? QVariant() : QVariant(QVariantList{place});
    }
    case kNumericRole:
      return column == kNumber || column == kTime || column == kCausedBy;
    case kFixedRole:
      return column == kToken;
    case kMutedRole:
      return column == kNumber || column == kKind || column == kCausedBy;
    case kTimeRole:
      return qint64(event.at().time_since_epoch().count());
    default:
      return {};
  }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kNumericRole) return section == kNumber || section == kTime || section == kCausedBy;
  if (role != Qt::DisplayRole) return {};
  static const char* const kTitles[kColumns] = {"No.",   "Time, s",       "Who",      "Event",
                                                "Token", "What happened", "Caused by"};
  return section >= 0 && section < kColumns ? QVariant(QString::fromUtf8(kTitles[section])) : QVariant();
}

}  // namespace leasescope
