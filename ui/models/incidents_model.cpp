#include "ui/models/incidents_model.h"

#include "ui/models/words.h"

namespace leasescope {

IncidentsModel::IncidentsModel(QObject* parent) : QAbstractTableModel(parent) {}

void IncidentsModel::setHistory(const History* history, const Cast* cast) {
  beginResetModel();
  history_ = history;
  cast_ = cast;
  rows_ = history_ ? static_cast<int>(history_->incidents.size()) : 0;
  firstOpen_ = 0;
  endResetModel();
}

void IncidentsModel::sync() {
  if (!history_) return;
  const int count = static_cast<int>(history_->incidents.size());
  if (count < rows_) {
    setHistory(history_, cast_);
    return;
  }
  const int known = rows_;
  if (count > rows_) {
    beginInsertRows({}, rows_, count - 1);
    rows_ = count;
    endInsertRows();
  }
  if (firstOpen_ < known) emit dataChanged(index(firstOpen_, 0), index(known - 1, kColumns - 1));
  while (firstOpen_ < count && !history_->incidents[static_cast<std::size_t>(firstOpen_)].open) ++firstOpen_;
}

void IncidentsModel::setTime(const CountedTime& time) {
  time_ = time;
  emit headerDataChanged(Qt::Horizontal, kStart, kStart);
  if (rows_ > 0) emit dataChanged(index(0, kStart), index(rows_ - 1, kLasts));
}

int IncidentsModel::worst() const {
  int found = -1;
  for (int row = 0; row < rows_; ++row) {
    const Incident& incident = history_->incidents[static_cast<std::size_t>(row)];
    if (found < 0) {
      found = row;
      continue;
    }
    const Incident& best = history_->incidents[static_cast<std::size_t>(found)];
    const int mine = severity(incident.kind), its = severity(best.kind);
    if (mine < its || (mine == its && incident.end - incident.start > best.end - best.start)) found = row;
  }
  return found;
}

int IncidentsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int IncidentsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariantList IncidentsModel::whoOf(const Incident& incident) const {
  QVariantList who;
  for (const Name name : incident.contenders) who << cast_->indexOf(*history_, name);
  return who;
}

QVariant IncidentsModel::textOf(const Incident& incident, int column) const {
  const Duration lasts = time_.between(incident.start, incident.end);
  switch (column) {
    case kKind:
      return fromText(title(incident.kind));
    case kStart:
      return time_.figure(incident.start);
    case kLasts:
      if (incident.open) return spanText(lasts) + QStringLiteral(" …");
      return incident.end == incident.start ? QStringLiteral("–") : spanText(lasts);
    case kWho:
      return incident.contenders.empty() ? QVariant(QStringLiteral("–")) : QVariant();
    case kTokens:
      return tokensText(incident.kind, incident.tokens);
    case kCause:
      return fromText(incident.cause);
    default:
      return {};
  }
}

QVariant IncidentsModel::sortOf(const Incident& incident, int column) const {
  switch (column) {
    case kMark:
    case kKind:
      return severity(incident.kind);
    case kStart:
      return qint64(incident.start.time_since_epoch().count());
    case kLasts:
      return qint64((incident.end - incident.start).count());
    case kWho:
      return incident.contenders.empty() ? -1 : cast_->indexOf(*history_, incident.contenders.front());
    case kTokens:
      return incident.tokens.empty() ? qulonglong(0) : qulonglong(incident.tokens.front());
    default:
      return textOf(incident, column);
  }
}

// As the cells' kSortRole has them.
std::optional<bool> IncidentsModel::before(int row, int other, int column) const {
  const Incident& a = history_->incidents[static_cast<std::size_t>(row)];
  const Incident& b = history_->incidents[static_cast<std::size_t>(other)];
  switch (column) {
    case kMark:
    case kKind:
      return severity(a.kind) < severity(b.kind);
    case kStart:
      return a.start < b.start;
    case kLasts:
      return a.end - a.start < b.end - b.start;
    default:
      return {};
  }
}

QVariant IncidentsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_) return {};
  const Incident& incident = history_->incidents[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return textOf(incident, index.column());
    case Qt::ToolTipRole:
      return index.column() == kCause ? QVariant(fromText(incident.cause)) : QVariant();
    case Qt::AccessibleTextRole:
      if (index.column() == kMark) return fromText(title(incident.kind));
      if (index.column() == kWho) {
        QStringList who;
        for (const Name name : incident.contenders) who << cast_->shortName(*history_, name);
        return who.join(u' ');
      }
      return {};
    case kGlyphRole:
      return index.column() == kMark ? QVariant(static_cast<int>(glyph_of(incident.kind))) : QVariant();
    case kWhoRole:
      return index.column() == kWho ? QVariant(whoOf(incident)) : QVariant();
    case kNumericRole:
      return index.column() == kStart || index.column() == kLasts;
    case kFixedRole:
      return index.column() == kTokens;
    case kMutedRole:
      return index.column() == kCause;
    case kSortRole:
      return sortOf(incident, index.column());
    case kTimeRole:
      return qint64(incident.start.time_since_epoch().count());
    default:
      return {};
  }
}

QVariant IncidentsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kNumericRole) return section == kStart || section == kLasts;
  if (role != Qt::DisplayRole) return {};
  if (section == kStart) return tr("Start, %1").arg(time_.unit());
  static const char* const kTitles[kColumns] = {
      "",
      QT_TR_NOOP("Incident"),
      QT_TR_NOOP("Start"),
      QT_TR_NOOP("Lasts"),
      QT_TR_NOOP("Who"),
      QT_TR_NOOP("Tokens"),
      QT_TR_NOOP("Cause"),
  };
  if (section < 0 || section >= kColumns) return {};
  return section == 0 ? QString() : tr(kTitles[section]);
}

}  // namespace leasescope
