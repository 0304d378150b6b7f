#include "ui/models/comparison_model.h"

#include "ui/models/words.h"

namespace leasescope {
namespace {

// "double_grants" of a summary, for a reader.
QString figureName(std::string_view name) { return fromText(name).replace(u'_', u' '); }

QString momentText(const std::optional<ComparedMoment>& moment) {
  if (!moment) return QStringLiteral("–");
  if (moment->lo == moment->hi) return secondsText(moment->hi);
  return QStringLiteral("%1 … %2").arg(secondsText(moment->lo), secondsText(moment->hi));
}

QVariant aligned(int section, int role, std::initializer_list<int> numeric) {
  if (role != kNumericRole) return {};
  return std::find(numeric.begin(), numeric.end(), section) != numeric.end();
}

}  // namespace

// ---- figures

void ComparedFiguresModel::setComparison(const ComparedHistories* comparison) {
  beginResetModel();
  rows_.clear();
  if (comparison != nullptr) {
    for (const ComparedCount& each : comparison->counts)
      rows_.push_back({figureName(each.name), countText(each.a), countText(each.b)});
    for (const ComparedLength& each : comparison->lengths)
      rows_.push_back({figureName(each.name), spanText(each.a), spanText(each.b)});
  }
  endResetModel();
}

int ComparedFiguresModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int ComparedFiguresModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant ComparedFiguresModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const QString* const cells[kColumns]{&row.name, &row.a, &row.b};
  switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
      return *cells[index.column()];
    case kMutedRole:
      return row.a == row.b;
    default:
      return aligned(index.column(), role, {kA, kB});
  }
}

QVariant ComparedFiguresModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role != Qt::DisplayRole) return aligned(section, role, {kA, kB});
  const QString titles[kColumns]{tr("Figure"), tr("A"), tr("B")};
  return section >= 0 && section < kColumns ? QVariant(titles[section]) : QVariant();
}

// ---- events

void ComparedEventsModel::setComparison(const ComparedHistories* comparison, Side a, Side b) {
  beginResetModel();
  comparison_ = comparison;
  a_ = a;
  b_ = b;
  list();
  endResetModel();
}

void ComparedEventsModel::showDifferencesOnly(bool only) {
  if (only == differencesOnly_) return;
  beginResetModel();
  differencesOnly_ = only;
  list();
  endResetModel();
}

void ComparedEventsModel::list() {
  rows_.clear();
  if (comparison_ == nullptr) return;
  for (std::size_t i = 0; i < comparison_->events.size(); ++i)
    if (!differencesOnly_ || !comparison_->events[i].at_once()) rows_.push_back(static_cast<std::uint32_t>(i));
}

const ComparedEvent& ComparedEventsModel::event(int row) const {
  return comparison_->events[rows_[static_cast<std::size_t>(row)]];
}

int ComparedEventsModel::nextDifference(int row, int step) const {
  for (row += step; row >= 0 && row < static_cast<int>(rows_.size()); row += step)
    if (!event(row).at_once()) return row;
  return -1;
}

int ComparedEventsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int ComparedEventsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

// Of the side that has it: the same letter stands on its chart.
int ComparedEventsModel::placeOf(const ComparedEvent& event) const {
  const Side& side = event.a ? a_ : b_;
  const Event& told = side.history->event((event.a ? event.a : event.b)->event);
  return side.cast->indexOf(*side.history, told.node);
}

QVariant ComparedEventsModel::textOf(const ComparedEvent& event, int column) const {
  switch (column) {
    case kWho:
      return placeOf(event) >= 0 ? QVariant() : QVariant(fromText(event.who));
    case kWhat: {
      const Side& side = event.a ? a_ : b_;
      const Event& told = side.history->event((event.a ? event.a : event.b)->event);
      return QString(kindText(*side.history, told) + u' ' + tokenMark(event.token)).trimmed();
    }
    case kA:
      return momentText(event.a);
    case kB:
      return momentText(event.b);
    case kLater:
      return event.in_both() && event.later() != Duration{} ? QVariant(signedText(event.later())) : QVariant();
    default:
      return {};
  }
}

QVariant ComparedEventsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ComparedEvent& of = event(index.row());
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return textOf(of, column);
    case Qt::AccessibleTextRole:
      return column == kWho ? QVariant(fromText(of.who)) : textOf(of, column);
    case kWhoRole: {
      const int place = column == kWho ? placeOf(of) : -1;
      return place < 0 ? QVariant() : QVariant(QVariantList{place});
    }
    case kMutedRole:
      return of.at_once();
    case kTimeRole:
      return qint64(of.at().time_since_epoch().count());
    default:
      return aligned(column, role, {kA, kB, kLater});
  }
}

QVariant ComparedEventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role != Qt::DisplayRole) return aligned(section, role, {kA, kB, kLater});
  const QString titles[kColumns]{QString(), tr("What happened"), tr("A, s"), tr("B, s"), tr("Later")};
  return section >= 0 && section < kColumns ? QVariant(titles[section]) : QVariant();
}

}  // namespace leasescope
