#include "ui/watch/mutexes_model.h"

#include <algorithm>
#include <utility>

#include "ui/look/tokens.h"
#include "ui/models/glyph.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kMarkRoom = 18;         // px; a state's mark stands before its word
constexpr std::size_t kFewRuns = 64;  // rows that go one by one cost a view more than all at once

std::size_t place(WatchState state) { return static_cast<std::size_t>(state); }

bool isFigure(int column) {
  using M = MutexesModel;
  return column == M::kHeldFor || column == M::kLease || column == M::kTransition || column == M::kWaiters ||
         column == M::kToken || column == M::kHandoffs || column == M::kChanged;
}

}  // namespace

MutexesModel::MutexesModel(QObject* parent) : QAbstractTableModel(parent) {}

void MutexesModel::setWatch(const Watch* watch, const Cast* cast) {
  beginResetModel();
  watch_ = watch;
  cast_ = cast;
  lines_.clear();
  order_.clear();
  groups_.divideBy(groups_.by());
  alarmedLines_.clear();
  places_.clear();
  counts_ = {};
  alarmed_ = 0;
  foreign_ = false;
  isPast_ = false;
  endResetModel();
}

void MutexesModel::sync(TrueTime at, const PastWatch* past) {
  if (watch_ == nullptr) return;
  const auto& mutexes = watch_->mutexes();
  for (std::size_t i = lines_.size(); i < mutexes.size(); ++i) {
    Line line;
    line.of = mutexes[i].get();
    line.name = fromText(line.of->name);
    line.store = fromText(watch_->stores()[line.of->source]->name);
    line.searched = (line.name + u'\n' + line.store + u'\n' + fromText(line.of->maker)).toLower();
    line.key = keyOf(*line.of);
    line.favourite = favourites_.contains(line.key);
    foreign_ = foreign_ || !line.of->maker.empty();
    places_.emplace(line.of->shown, lines_.size());
    lines_.push_back(std::move(line));
  }
  isPast_ = past != nullptr;
  at_ = at;
  const NameTable& names = watch_->seen_history().names;
  for (Line& line : lines_) line.row = isPast_ ? past_row(past->of(*line.of), names, at) : row_of(*line.of, at);
  arrange();
  if (!order_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

// Few have alerts, so that each tick looks at these alone.
void MutexesModel::setAlarmed(const std::unordered_set<std::string>& mutexes) {
  for (const std::size_t each : std::exchange(alarmedLines_, {})) lines_[each].alarmed = false;
  for (const std::string& each : mutexes) {
    const auto found = places_.find(each);
    if (found == places_.end()) continue;
    lines_[found->second].alarmed = true;
    alarmedLines_.push_back(found->second);
  }
}

void MutexesModel::setFilter(const QString& words, std::optional<WatchState> state, bool alarmed) {
  words_ = words.toLower().split(u' ', Qt::SkipEmptyParts);
  state_ = state;
  alarmedAlone_ = alarmed;
  arrange();
  // Groups count what passes.
  if (groups_.by() != Grouping::kNone && !order_.empty())
    emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

// ---- favourites

QString MutexesModel::keyOf(const WatchedMutex& mutex) const {
  return fromText(watch_->stores()[mutex.source]->name) + u'\n' + fromText(mutex.maker) + u'\n' + fromText(mutex.name);
}

void MutexesModel::setFavourites(const QStringList& keys) {
  favourites_ = QSet<QString>(keys.begin(), keys.end());
  for (Line& line : lines_) line.favourite = favourites_.contains(line.key);
  arrange();
}

QStringList MutexesModel::favourites() const {
  QStringList keys(favourites_.begin(), favourites_.end());
  keys.sort();
  return keys;
}

bool MutexesModel::isFavourite(const WatchedMutex* mutex) const {
  return mutex != nullptr && favourites_.contains(keyOf(*mutex));
}

void MutexesModel::setFavourite(const WatchedMutex* mutex, bool on) {
  const QString key = keyOf(*mutex);
  if (on)
    favourites_.insert(key);
  else
    favourites_.remove(key);
  setFavourites(favourites());
  if (const int row = rowOf(mutex); row >= 0) emit dataChanged(index(row, 0), index(row, kColumns - 1));
}

void MutexesModel::sort(int column, Qt::SortOrder order) {
  column_ = column;
  descending_ = order == Qt::DescendingOrder;
  arrange();
}

bool MutexesModel::bears(const Line& line) const {
  for (const QString& word : words_) {
    const auto& holders = line.row.holders;
    const bool owner = std::any_of(holders.begin(), holders.end(),
                                   [&](const std::string& each) { return fromText(each).toLower().contains(word); });
    const bool token = line.row.token != kNoToken && word == QString::number(line.row.token);
    if (!line.searched.contains(word) && !owner && !token) return false;
  }
  return true;
}

bool MutexesModel::passes(const Line& line) const {
  return (!state_ || line.row.state == *state_) && (!alarmedAlone_ || line.alarmed);
}

bool MutexesModel::before(const Line& a, const Line& b) const {
  if (a.favourite != b.favourite) return a.favourite;
  const auto compared = [&](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  int order = 0;
  switch (column_) {
    case kStore:
      order = compared(a.store, b.store);
      break;
    case kSystem:
      order = compared(system_text(a.of->book.last()), system_text(b.of->book.last()));
      break;
    case kOwner:
      order = compared(a.row.owner, b.row.owner);
      break;
    case kHeldFor:
      order = compared(a.row.lasts_least, b.row.lasts_least);
      break;
    case kLease:
      order = compared(a.row.left.value_or(Duration::max()), b.row.left.value_or(Duration::max()));
      break;
    case kTransition:
      order = compared(a.of->book.transition(), b.of->book.transition());
      break;
    case kChanged:
      order = compared(changed(a), changed(b));
      break;
    case kWaiters:
      order = compared(a.row.waiters, b.row.waiters);
      break;
    case kToken:
      order = compared(a.row.token, b.row.token);
      break;
    case kHandoffs:
      order = compared(a.row.handoffs, b.row.handoffs);
      break;
    case kState:
      order = compared(a.row.state, b.row.state);
      break;
    default:
      break;
  }
  if (order == 0) order = descending_ && column_ != kMutex ? -compared(a.name, b.name) : compared(a.name, b.name);
  if (order == 0) order = compared(a.of->source, b.of->source);
  return descending_ ? order > 0 : order < 0;
}

bool MutexesModel::rowBefore(std::size_t a, std::size_t b) const {
  if (groups_.by() != Grouping::kNone) {
    if (const int x = rankOf(a), y = rankOf(b); x != y) return x < y;
    if (a >= kHead || b >= kHead) return a >= kHead && b < kHead;
  }
  return before(lines_[a], lines_[b]);
}

int MutexesModel::rankOf(std::size_t row) const {
  return groups_[row >= kHead ? static_cast<int>(row - kHead) : lines_[row].group].rank;
}

// ---- groups

void MutexesModel::setGrouping(Grouping by) {
  if (by == groups_.by()) return;
  // Of rows of groups nothing is left; those of mutexes stay, with what is selected.
  std::vector<bool> wanted(lines_.size(), true);
  wanted.resize(lines_.size() + static_cast<std::size_t>(groups_.size()), false);
  drop(wanted);
  groups_.divideBy(by);
  for (Line& line : lines_) line.group = -1;
  arrange();
}

// A store's name is its mutexes' for ever; what system a lock is of may be known better later.
void MutexesModel::assignGroup(Line& line) {
  switch (groups_.by()) {
    case Grouping::kState:
      line.group = static_cast<int>(place(line.row.state));
      break;
    case Grouping::kStore:
      if (line.group < 0) line.group = groups_.of(line.store);
      break;
    case Grouping::kSystem: {
      const Sighting& last = line.of->book.last();
      if (line.group >= 0 && line.system == last.system && line.likely == last.likely) break;
      line.system = last.system;
      line.likely = last.likely;
      line.group = groups_.of(fromText(system_text(last)));
      break;
    }
    case Grouping::kNone:
      break;
  }
}

const MutexGroup* MutexesModel::group(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  const std::size_t id = order_[static_cast<std::size_t>(row)];
  return id >= kHead ? &groups_[static_cast<int>(id - kHead)] : nullptr;
}

void MutexesModel::setFolded(int row, bool folded) {
  if (const MutexGroup* const of = group(row); of == nullptr || of->folded == folded) return;
  groups_[static_cast<int>(order_[static_cast<std::size_t>(row)] - kHead)].folded = folded;
  arrange();
  emit dataChanged(index(row, 0), index(row, kColumns - 1));
}

int MutexesModel::groupRowOf(int row) const {
  for (; row >= 0 && row < rowCount(); --row)
    if (order_[static_cast<std::size_t>(row)] >= kHead) return row;
  return -1;
}

// ---- which rows, and in which order

// Rows that go, rows that come, and then their order, so that what is selected and scrolled to stays.
void MutexesModel::arrange() {
  const std::vector<bool> wanted = chooseRows();
  drop(wanted);
  add(wanted);
  reorder();
}

// By slot.
std::vector<bool> MutexesModel::chooseRows() {
  counts_ = {};
  alarmed_ = 0;
  groups_.uncount();
  const bool grouped = groups_.by() != Grouping::kNone;
  std::vector<bool> wanted(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    assignGroup(line);
    if (!bears(line)) continue;
    ++counts_[place(line.row.state)];
    alarmed_ += line.alarmed;
    wanted[i] = passes(line);
    if (!grouped || !wanted[i]) continue;
    MutexGroup& its = groups_[line.group];
    ++its.count;
    wanted[i] = !its.folded;
  }
  for (int i = 0; i < groups_.size(); ++i) wanted.push_back(groups_[i].count > 0);
  return wanted;
}

void MutexesModel::add(const std::vector<bool>& wanted) {
  std::vector<bool> there(wanted.size());
  for (const std::size_t each : order_) there[slot(each)] = true;
  std::vector<std::size_t> come;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] && !there[i]) come.push_back(i < lines_.size() ? i : kHead + (i - lines_.size()));
  if (come.empty()) return;
  const int from = rowCount();
  beginInsertRows({}, from, from + static_cast<int>(come.size()) - 1);
  order_.insert(order_.end(), come.begin(), come.end());
  endInsertRows();
}

void MutexesModel::reorder() {
  const auto in_order = [this](std::size_t a, std::size_t b) { return rowBefore(a, b); };
  if (std::is_sorted(order_.begin(), order_.end(), in_order)) return;
  std::vector<std::size_t> sorted = order_;
  std::sort(sorted.begin(), sorted.end(), in_order);
  if (sorted == order_) return;
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  std::vector<int> row_of_slot(lines_.size() + static_cast<std::size_t>(groups_.size()), -1);
  for (std::size_t row = 0; row < sorted.size(); ++row) row_of_slot[slot(sorted[row])] = static_cast<int>(row);
  const QModelIndexList old = persistentIndexList();
  QModelIndexList moved;
  for (const QModelIndex& each : old)
    moved << index(row_of_slot[slot(order_[static_cast<std::size_t>(each.row())])], each.column());
  order_ = std::move(sorted);
  changePersistentIndexList(old, moved);
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void MutexesModel::drop(const std::vector<bool>& wanted) {
  struct Run {
    std::size_t from, to;
  };
  std::vector<Run> runs;
  for (std::size_t row = 0; row < order_.size(); ++row) {
    if (wanted[slot(order_[row])]) continue;
    if (!runs.empty() && runs.back().to == row)
      ++runs.back().to;
    else
      runs.push_back({row, row + 1});
  }
  if (runs.empty()) return;
  if (runs.size() > kFewRuns) {
    beginResetModel();
    order_.erase(std::remove_if(order_.begin(), order_.end(), [&](std::size_t each) { return !wanted[slot(each)]; }),
                 order_.end());
    return endResetModel();
  }
  for (std::size_t i = runs.size(); i > 0; --i) {
    const Run& run = runs[i - 1];
    beginRemoveRows({}, static_cast<int>(run.from), static_cast<int>(run.to) - 1);
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(run.from),
                 order_.begin() + static_cast<std::ptrdiff_t>(run.to));
    endRemoveRows();
  }
}

const WatchedMutex* MutexesModel::mutex(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  const std::size_t id = order_[static_cast<std::size_t>(row)];
  return id < kHead ? lines_[id].of : nullptr;
}

int MutexesModel::rowOf(const WatchedMutex* mutex) const {
  for (std::size_t row = 0; row < order_.size(); ++row)
    if (order_[row] < kHead && lines_[order_[row]].of == mutex) return static_cast<int>(row);
  return -1;
}

// ---- what stands in the cells

int MutexesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}
int MutexesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

LeaseBar MutexesModel::bar(int row) const {
  const Line& line = lines_[order_[static_cast<std::size_t>(row)]];
  LeaseShares shares;
  if (isPast_)
    shares.unobserved = line.row.state == WatchState::kNotObserved;
  else
    shares = lease_shares(*line.of, line.row);
  const bool owned = !line.row.holders.empty() && !shares.unobserved;
  return {shares, owned ? std::max(0, cast_->placeOf(line.row.holders.front())) % kIdentities : 0};
}

// Of the past neither leases nor who waited are kept.
QString MutexesModel::leftText(const Line& line) const {
  if (line.row.owner.empty() || line.row.state == WatchState::kNotObserved) return QStringLiteral("–");
  if (isPast_) return QStringLiteral("?");
  if (!line.row.left) return tr("no end");
  return fromText(length_text(std::max(Duration::zero(), *line.row.left)));
}

QString MutexesModel::heldText(const WatchedRow& row) const {
  if (row.owner.empty()) return QStringLiteral("–");
  const bool unknown = row.state == WatchState::kNotObserved;
  if (isPast_ && unknown) return QStringLiteral("?");
  return (row.lasts_most && !unknown ? QString() : QStringLiteral("≥ ")) + fromText(length_text(row.lasts_least));
}

// How long its owner alone may renew it, as it was seen last.
QString MutexesModel::transitionText(const Line& line) const {
  if (isPast_) return QStringLiteral("?");
  const Duration transition = line.of->book.transition();
  return transition > Duration::zero() ? fromText(length_text(transition)) : QStringLiteral("–");
}

// Of the past only the begin of who owned it then; min(): it is not known.
TrueTime MutexesModel::changed(const Line& line) const {
  if (!isPast_) return line.of->book.since_hi();
  return line.row.state == WatchState::kHeld ? at_ - line.row.lasts_least : TrueTime::min();
}

QString MutexesModel::changedText(const Line& line) const {
  const TrueTime at = changed(line);
  if (at == TrueTime::min()) return QStringLiteral("?");
  const bool before = isPast_ ? !line.row.lasts_most : line.of->book.since_lo() == TrueTime::min();
  return (before ? QStringLiteral("≤ ") : QString()) + time_.figure(at);
}

QString MutexesModel::textOf(const Line& line, int column) const {
  const WatchedRow& row = line.row;
  switch (column) {
    case kMutex:
      return line.favourite ? QStringLiteral("★ ") + line.name : line.name;
    case kStore:
      return line.store;
    case kSystem:
      return fromText(system_text(line.of->book.last()));
    case kOwner:
      return row.owner.empty() ? QStringLiteral("–") : fromText(row.owner);
    case kHeldFor:
      return heldText(row);
    case kLease:
      return leftText(line);
    case kTransition:
      return transitionText(line);
    case kChanged:
      return changedText(line);
    case kWaiters:
      return row.waiters ? countText(*row.waiters) : QStringLiteral("?");
    case kToken:
      return row.token == kNoToken ? QStringLiteral("–") : QString::number(row.token);
    case kHandoffs:
      return isPast_ ? QStringLiteral("?") : countText(row.handoffs);
    case kState:
      return stateText(row);
    default:
      return {};
  }
}

// What is believed stands beside it where that is something else.
QString MutexesModel::stateText(const WatchedRow& row) {
  const QString state = fromText(text(row.state));
  if (row.believers > 1) return tr("%1, %2 believe").arg(state, countText(row.believers));
  return row.at_odds ? tr("%1, another believes").arg(state) : state;
}

QVariant MutexesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  if (const MutexGroup* const its = group(index.row())) return groupData(*its, index.column(), role);
  const Line& line = lines_[order_[static_cast<std::size_t>(index.row())]];
  const int column = index.column();
  switch (role) {
    case Qt::AccessibleTextRole:
      if (column == kMutex && line.favourite) return tr("%1, a favourite").arg(line.name);
      return textOf(line, column);
    case Qt::DisplayRole:
      return textOf(line, column);
    case Qt::ToolTipRole:
      return column == kWaiters ? fromText(counted_text(line.row)) : QString();
    case kAlikeRole:
      return column == kMutex ? line.name : textOf(line, column);
    case kNumericRole:
      return isFigure(column);
    case kFixedRole:
      return column == kOwner;
    case kIndentRole:
      return column == kState ? kMarkRoom : 0;
    case kMutedRole:
      return column == kStore || column == kSystem || line.row.state == WatchState::kNotObserved ||
             (column == kState && line.row.state != WatchState::kLeaderless && line.row.believers < 2 &&
              !line.row.at_odds);
    default:
      return {};
  }
}

// The column that is always shown has its words.
QVariant MutexesModel::groupData(const MutexGroup& group, int column, int role) const {
  const QString mutexes =
      tr("%1 mutex(es)", nullptr, group.count).arg(countText(static_cast<std::uint64_t>(group.count)));
  switch (role) {
    case Qt::AccessibleTextRole:
      if (column != kMutex) return {};
      return tr("Group %1, %2, %3").arg(group.title, mutexes, group.folded ? tr("folded") : tr("unfolded"));
    case Qt::DisplayRole:
      return column == kMutex ? QStringLiteral("%1 · %2").arg(group.title, mutexes) : QString();
    case kAlikeRole:
      return QString();
    default:
      return {};
  }
}

QVariant MutexesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == kNumericRole) return isFigure(section);
  if (role != Qt::DisplayRole) return {};
  const QString titles[kColumns] = {tr("Store"),    tr("Mutex"),       tr("System"),      tr("Owner"),
                                    tr("Held for"), tr("Lease left"),  tr("Transition"),  tr("Waiters"),
                                    tr("Token"),    tr("Hand-offs/h"), tr("Last change"), tr("State")};
  return titles[section];
}

}  // namespace leasescope
