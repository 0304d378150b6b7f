#include "ui/models/comparison_model.h"

#include "simulator/scenario/differences.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

// "double_grants" of a summary, for a reader.
QString figureName(std::string_view name) {
  if (name == "gap, median") return ComparedFiguresModel::tr("leaderless gap, median");
  if (name == "gap, longest") return ComparedFiguresModel::tr("leaderless gap, longest");
  if (name == "store round trip, median") return ComparedFiguresModel::tr("store latency, median");
  if (name == "requests") return ComparedFiguresModel::tr("requests a second");
  return fromText(name).replace(u'_', u' ');
}

// Of incidents with when the first began: "2 · 17.378 s".
QString countedText(const ComparedCount& of, std::uint64_t count, const std::optional<TrueTime>& at) {
  const bool when = at && count > 0 && of.name.rfind("incidents: ", 0) == 0;
  return when ? QStringLiteral("%1 · %2 s").arg(countText(count), secondsText(*at)) : countText(count);
}

QString aSecondText(std::uint64_t thousandths) {
  return QString::number(static_cast<double>(thousandths) / 1000, 'f', 1);
}

QString lines(const std::vector<std::string>& reasons) {
  QStringList out;
  for (const std::string& reason : reasons) out << fromText(reason);
  return out.join(u'\n');
}

// The last word of a path and its value: "ttl = 5s".
QString settingText(const Difference& setting) {
  constexpr int kLongest = 24;
  const QString key = fromText(setting.path).section(u'.', -1);
  const QString text = setting.value.empty()
                           ? ComparedFiguresModel::tr("without %1").arg(key)
                           : QStringLiteral("%1 = %2").arg(key, shownText(setting.value).remove(u'"'));
  return text.size() <= kLongest ? text : text.left(kLongest - 1) + u'…';
}

QString worldText(const HistoryHeader& header) {
  return header.world == "live" ? ComparedFiguresModel::tr("live: %1").arg(fromText(header.store))
                                : fromText(header.world);
}

QString forkText(const HistoryHeader& header) {
  if (!header.fork) return ComparedFiguresModel::tr("origin");
  return ComparedFiguresModel::tr("fork at %1 s").arg(secondsText(Duration(header.fork->at_ns)));
}

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

// ---- what tells them apart

ComparedNames namesOfTwo(const ComparedRun& a, const ComparedRun& b) {
  const HistoryHeader &of_a = a.header, &of_b = b.header;
  if (of_a.scenario != of_b.scenario) return {fromText(of_a.scenario), fromText(of_b.scenario)};
  if (of_a.world != of_b.world || (of_a.world == "live" && of_a.store != of_b.store))
    return {worldText(of_a), worldText(of_b)};
  if (of_a.fork.has_value() != of_b.fork.has_value()) return {forkText(of_a), forkText(of_b)};
  if (of_a.seed != of_b.seed)
    return {ComparedFiguresModel::tr("seed %1").arg(of_a.seed), ComparedFiguresModel::tr("seed %1").arg(of_b.seed)};
  const std::vector<Difference> to_b = differences(a.scenario, b.scenario), to_a = differences(b.scenario, a.scenario);
  if (to_b.empty() || to_a.empty()) return {};
  const QString more = to_b.size() == 1 ? QString() : QStringLiteral(" …");
  return {settingText(to_a.front()) + more, settingText(to_b.front()) + more};
}

// ---- figures

void ComparedFiguresModel::setComparison(const ComparedHistories* comparison,
                                         const std::optional<ComparedOutcomes>& outcomes) {
  beginResetModel();
  rows_.clear();
  if (outcomes) {
    const Outcome &a = outcomes->a, &b = outcomes->b;
    rows_.push_back(
        {tr("outcome"), fromText(verdict_text(a)), fromText(verdict_text(b)), {}, lines(a.reasons), lines(b.reasons)});
  }
  if (comparison != nullptr) list(*comparison);
  endResetModel();
}

void ComparedFiguresModel::list(const ComparedHistories& comparison) {
  for (const ComparedCount& each : comparison.counts)
    rows_.push_back(
        {figureName(each.name), countedText(each, each.a, each.at.a), countedText(each, each.b, each.at.b), each.at});
  for (const ComparedLength& each : comparison.lengths)
    rows_.push_back({figureName(each.name), spanText(each.a), spanText(each.b), each.at});
  for (const ComparedRate& each : comparison.rates)
    rows_.push_back({figureName(each.name), aSecondText(each.a), aSecondText(each.b), each.at});
  const ComparedEvent* const first = comparison.first_difference();
  if (first == nullptr) return;
  for (Row& row : rows_) {
    if (row.at.a || row.at.b) continue;
    if (first->a) row.at.a = first->a->hi;
    if (first->b) row.at.b = first->b->hi;
  }
}

void ComparedFiguresModel::setNames(const ComparedNames& names) {
  names_ = names;
  emit headerDataChanged(Qt::Horizontal, kA, kB);
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
    case Qt::ToolTipRole: {
      const QString& why = index.column() == kA ? row.tipA : row.tipB;
      return index.column() == kName || why.isEmpty() ? QVariant() : QVariant(why);
    }
    case kMutedRole:
      return row.a == row.b;
    default:
      return aligned(index.column(), role, {kA, kB});
  }
}

QVariant ComparedFiguresModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role != Qt::DisplayRole) return aligned(section, role, {kA, kB});
  const QString titles[kColumns]{tr("Figure"), names_.a.isEmpty() ? tr("A") : names_.a,
                                 names_.b.isEmpty() ? tr("B") : names_.b};
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
