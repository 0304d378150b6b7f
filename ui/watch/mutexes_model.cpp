#include "ui/watch/mutexes_model.h"

#include <algorithm>
#include <numeric>

#include "ui/models/glyph.h"
#include "ui/models/words.h"
#include "ui/theme/tokens.h"

namespace leasescope {
namespace {

constexpr int kMarkRoom = 18;         // px; a state's mark stands before its word
constexpr std::size_t kFewRuns = 64;  // rows that go one by one cost a view more than all at once

std::size_t place(WatchState state) { return static_cast<std::size_t>(state); }

}  // namespace

MutexesModel::MutexesModel(QObject* parent) : QAbstractTableModel(parent) {}

void MutexesModel::setWatch(const Watch* watch, const Cast* cast) {
  beginResetModel();
  watch_ = watch;
  cast_ = cast;
  lines_.clear();
  order_.clear();
  counts_ = {};
  foreign_ = false;
  endResetModel();
}

void MutexesModel::sync(TrueTime now) {
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
    lines_.push_back(std::move(line));
  }
  for (Line& line : lines_) line.row = row_of(*line.of, now);
  arrange();
  if (!order_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void MutexesModel::setFilter(const QString& words, std::optional<WatchState> state) {
  words_ = words.toLower().split(u' ', Qt::SkipEmptyParts);
  state_ = state;
  arrange();
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

bool MutexesModel::passes(const Line& line) const { return !state_ || line.row.state == *state_; }

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

// Rows that go, rows that come, and then their order, so that what is selected and scrolled to stays.
void MutexesModel::arrange() {
  counts_ = {};
  std::vector<bool> wanted(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!bears(lines_[i])) continue;
    ++counts_[place(lines_[i].row.state)];
    wanted[i] = passes(lines_[i]);
  }
  drop(wanted);
  std::vector<bool> there(lines_.size());
  for (const std::size_t each : order_) there[each] = true;
  std::vector<std::size_t> come;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (wanted[i] && !there[i]) come.push_back(i);
  if (!come.empty()) {
    const int from = rowCount();
    beginInsertRows({}, from, from + static_cast<int>(come.size()) - 1);
    order_.insert(order_.end(), come.begin(), come.end());
    endInsertRows();
  }
  const auto in_order = [this](std::size_t a, std::size_t b) { return before(lines_[a], lines_[b]); };
  if (std::is_sorted(order_.begin(), order_.end(), in_order)) return;
  std::vector<std::size_t> sorted = order_;
  std::sort(sorted.begin(), sorted.end(),
            [this](std::size_t a, std::size_t b) { return before(lines_[a], lines_[b]); });
  if (sorted == order_) return;
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  std::vector<int> row_of_line(lines_.size(), -1);
  for (std::size_t row = 0; row < sorted.size(); ++row) row_of_line[sorted[row]] = static_cast<int>(row);
  const QModelIndexList old = persistentIndexList();
  QModelIndexList moved;
  for (const QModelIndex& each : old)
    moved << index(row_of_line[order_[static_cast<std::size_t>(each.row())]], each.column());
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
    if (wanted[order_[row]]) continue;
    if (!runs.empty() && runs.back().to == row)
      ++runs.back().to;
    else
      runs.push_back({row, row + 1});
  }
  if (runs.empty()) return;
  if (runs.size() > kFewRuns) {
    beginResetModel();
    order_.erase(std::remove_if(order_.begin(), order_.end(), [&](std::size_t each) { return !wanted[each]; }),
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
  return row >= 0 && row < rowCount() ? lines_[order_[static_cast<std::size_t>(row)]].of : nullptr;
}

int MutexesModel::rowOf(const WatchedMutex* mutex) const {
  for (std::size_t row = 0; row < order_.size(); ++row)
    if (lines_[order_[row]].of == mutex) return static_cast<int>(row);
  return -1;
}

// ---- what stands in the cells

int MutexesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}
int MutexesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

LeaseBar MutexesModel::bar(int row) const {
  const Line& line = lines_[order_[static_cast<std::size_t>(row)]];
  const LeaseShares shares = lease_shares(*line.of, line.row);
  const bool owned = !line.row.holders.empty() && !shares.unobserved;
  return {shares, owned ? std::max(0, cast_->placeOf(line.row.holders.front())) % kIdentities : 0};
}

QString MutexesModel::leftText(const Line& line) const {
  if (line.row.owner.empty() || line.row.state == WatchState::kNotObserved) return QStringLiteral("–");
  if (!line.row.left) return tr("no end");
  return QStringLiteral("%1 s").arg(secondsText(std::max(Duration::zero(), *line.row.left), 1));
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
      if (row.owner.empty()) return QStringLiteral("–");
      if (row.state == WatchState::kNotObserved) return QStringLiteral("≥ ") + fromText(length_text(row.lasts_least));
      return (row.lasts_most ? QString() : QStringLiteral("≥ ")) + fromText(length_text(row.lasts_least));
    case kLease:
      return leftText(line);
    case kWaiters:
      return row.waiters ? countText(*row.waiters) : QStringLiteral("?");
    case kToken:
      return row.token == kNoToken ? QStringLiteral("–") : QString::number(row.token);
    case kHandoffs:
      return countText(row.handoffs);
    case kState:
      return fromText(text(row.state));
    default:
      return {};
  }
}

QVariant MutexesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Line& line = lines_[order_[static_cast<std::size_t>(index.row())]];
  const int column = index.column();
  switch (role) {
    case Qt::AccessibleTextRole:
      if (column == kMutex && line.favourite) return tr("%1, a favourite").arg(line.name);
      return textOf(line, column);
    case Qt::DisplayRole:
      return textOf(line, column);
    case kAlikeRole:
      return column == kMutex ? line.name : textOf(line, column);
    case kNumericRole:
      return column == kHeldFor || column == kLease || column == kWaiters || column == kToken || column == kHandoffs;
    case kFixedRole:
      return column == kOwner;
    case kIndentRole:
      return column == kState ? kMarkRoom : 0;
    case kMutedRole:
      return column == kStore || column == kSystem || line.row.state == WatchState::kNotObserved ||
             (column == kState && line.row.state != WatchState::kLeaderless);
    default:
      return {};
  }
}

QVariant MutexesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == kNumericRole)
    return section == kHeldFor || section == kLease || section == kWaiters || section == kToken || section == kHandoffs;
  if (role != Qt::DisplayRole) return {};
  const QString titles[kColumns] = {tr("Store"),      tr("Mutex"),   tr("System"), tr("Owner"),       tr("Held for"),
                                    tr("Lease left"), tr("Waiters"), tr("Token"),  tr("Hand-offs/h"), tr("State")};
  return titles[section];
}

}  // namespace leasescope
