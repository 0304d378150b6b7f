#include "ui/models/events_model.h"

#include <algorithm>
#include <numeric>

#include "ui/models/words.h"

namespace leasescope {

namespace {

constexpr int kArrangeEveryMs = 2000;

// Equal for events that kindText() calls the same; what is asked for stands in `b` of an attempt.
std::uint32_t kindKey(const Event& event) {
  const auto asked = event.kind == EventKind::kAttempt ? static_cast<std::uint32_t>(event.b) & 0xffU : 0U;
  return static_cast<std::uint32_t>(event.kind) << 16 | asked << 8 | event.detail;
}

}  // namespace

EventsModel::EventsModel(QObject* parent) : QAbstractTableModel(parent) {}

void EventsModel::setHistory(const History* history, const Cast* cast) {
  beginResetModel();
  history_ = history;
  cast_ = cast;
  rebuild();
  endResetModel();
}

void EventsModel::sync(bool runs) {
  if (!history_) return;
  const std::size_t count = history_->events.size();
  if (count == read_ && rows_ == static_cast<int>(listed() ? shown_.size() : count) && arranged_) return;
  if (count < read_) return setHistory(history_, cast_);
  std::vector<std::uint32_t> more = listed() ? passing(read_) : std::vector<std::uint32_t>();
  const int rows = listed() ? static_cast<int>(shown_.size() + more.size()) : static_cast<int>(count);
  read_ = count;
  if (rows > rows_) {
    // Backwards in time what is new comes first.
    const bool first = !sorted() && order_ == Qt::DescendingOrder;
    beginInsertRows({}, first ? 0 : rows_, (first ? 0 : rows_) + rows - rows_ - 1);
    shown_.insert(shown_.end(), more.begin(), more.end());
    rows_ = rows;
    arranged_ = !sorted();
    endInsertRows();
  }
  // A million rows are not put in order ten times a second: while the run goes on what is new waits at the end.
  if (!arranged_ && (!runs || sinceArranged_.elapsed() > kArrangeEveryMs)) reorder([this] { arrange(); });
}

// Whatever row an event goes to, those that are chosen stay so.
template <class Do>
void EventsModel::reorder(Do&& action) {
  emit layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  std::vector<std::size_t> events;
  for (const QModelIndex& index : before) events.push_back(eventAt(index.row()));
  action();
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) {
    const int row = rowOf(events[static_cast<std::size_t>(i)]);
    after << (row < 0 ? QModelIndex() : index(row, before[i].column()));
  }
  changePersistentIndexList(before, after);
  emit layoutChanged();
}

void EventsModel::setFilter(const QString& text) {
  const QStringList words = text.toLower().split(u' ', Qt::SkipEmptyParts).mid(0, 32);
  if (words == words_) return;
  beginResetModel();
  words_ = words;
  rebuild();
  endResetModel();
}

void EventsModel::setTime(const CountedTime& time) {
  time_ = time;
  emit headerDataChanged(Qt::Horizontal, kTime, kTime);
  if (rows_ > 0) emit dataChanged(index(0, kTime), index(rows_ - 1, kTime));
}

void EventsModel::sort(int column, Qt::SortOrder order) {
  if (column < 0) column = kTime, order = Qt::AscendingOrder;
  if (column == column_ && order == order_) return;
  reorder([&] {
    const bool before = listed();
    column_ = column;
    order_ = order;
    if (listed() && !before) {
      shown_.resize(static_cast<std::size_t>(rows_));
      std::iota(shown_.begin(), shown_.end(), 0U);
    } else if (!listed()) {
      shown_.clear();
    }
    arrange();
  });
}

void EventsModel::rebuild() {
  shown_.clear();
  kinds_.clear();
  nodes_.clear();
  read_ = 0;
  rows_ = 0;
  if (!history_) return;
  if (listed()) shown_ = passing(0);
  read_ = history_->events.size();
  rows_ = static_cast<int>(listed() ? shown_.size() : read_);
  arrange();
}

std::size_t EventsModel::eventAt(int row) const {
  const bool backwards = !sorted() && order_ == Qt::DescendingOrder;
  const auto place = static_cast<std::size_t>(backwards ? rows_ - 1 - row : row);
  return listed() ? shown_[place] : place;
}

int EventsModel::rowOf(std::size_t event) const {
  int place = static_cast<int>(event);
  if (listed()) {
    const auto found = sorted() ? std::find(shown_.begin(), shown_.end(), event)
                                : std::lower_bound(shown_.begin(), shown_.end(), event);
    if (found == shown_.end() || *found != event) return -1;
    place = static_cast<int>(found - shown_.begin());
  }
  return !sorted() && order_ == Qt::DescendingOrder ? rows_ - 1 - place : place;
}

std::uint32_t EventsModel::wordsIn(const QString& text) const {
  std::uint32_t found = 0;
  for (qsizetype i = 0; i < words_.size(); ++i)
    if (text.contains(words_[i], Qt::CaseInsensitive)) found |= 1U << i;
  return found;
}

bool EventsModel::passes(const Event& event) {
  if (words_.isEmpty()) return true;
  const auto once = [](auto& known, std::uint32_t key, auto ask) {
    const auto found = known.find(key);
    return found != known.end() ? found->second : (known[key] = ask());
  };
  std::uint32_t found = once(kinds_, kindKey(event), [&] { return wordsIn(kindText(*history_, event)); });
  found |= once(nodes_, event.node.handle, [&] {
    const int place = cast_->indexOf(*history_, event.node);
    std::uint32_t is = wordsIn(fromText(history_->names.text(event.node)));
    // A letter is meant whole, or every word with an "a" in it would be one.
    for (qsizetype i = 0; place >= 0 && i < words_.size(); ++i)
      if (words_[i].compare(Cast::letter(place), Qt::CaseInsensitive) == 0) is |= 1U << i;
    return is;
  });
  const std::uint32_t all = words_.size() == 32 ? ~0U : (1U << words_.size()) - 1;
  if (found == all) return true;
  if (event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded)
    found |= wordsIn(faultText(*history_, event));
  for (qsizetype i = 0; i < words_.size(); ++i)
    if (words_[i].startsWith(u'#') && event.token != kNoToken && words_[i] == tokenText(event.token)) found |= 1U << i;
  return found == all;
}

std::vector<std::uint32_t> EventsModel::passing(std::size_t from) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = from; i < history_->events.size(); ++i)
    if (passes(history_->events[i])) found.push_back(static_cast<std::uint32_t>(i));
  return found;
}

void EventsModel::arrange() {
  arranged_ = true;
  sinceArranged_.start();
  if (!listed()) return;
  const std::vector<Event>& events = history_->events;
  std::sort(shown_.begin(), shown_.end());
  if (!sorted()) return;
  const auto by = [&](auto key) {
    std::stable_sort(shown_.begin(), shown_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(events[a]) < key(events[b]); });
  };
  if (column_ == kWho) by([this](const Event& e) { return cast_->indexOf(*history_, e.node); });
  if (column_ == kKind || column_ == kWhat) by(kindKey);
  if (column_ == kToken) by([](const Event& e) { return e.token; });
  if (column_ == kCausedBy) by([](const Event& e) { return e.cause; });
  if (order_ == Qt::DescendingOrder) std::reverse(shown_.begin(), shown_.end());
}

int EventsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int EventsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant EventsModel::textOf(std::size_t number, int column) const {
  const Event& event = history_->events[number];
  switch (column) {
    case kNumber:
      return countText(static_cast<std::uint64_t>(number) + 1);
    case kTime:
      return time_.figure(event.at());
    case kWho:
      return cast_->indexOf(*history_, event.node) >= 0 ? QVariant()
                                                        : QVariant(fromText(history_->names.text(event.node)));
    case kKind:
      return kindText(*history_, event);
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

// Words that setFilter() finds it by; a sentence is found by its kind and by whom it tells of.
QString EventsModel::alike(const Event& event, int column) const {
  QString who = event.node.empty() ? QString() : cast_->shortName(*history_, event.node);
  switch (column) {
    case kWho:
      return who;
    case kKind:
      return kindText(*history_, event);
    case kToken:
      return event.token == kNoToken ? QString() : tokenText(event.token);
    case kWhat:
      return kindText(*history_, event) + u' ' + who;
    default:
      return QStringLiteral("");
  }
}

QVariant EventsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_) return {};
  const std::size_t number = eventAt(index.row());
  const Event& event = history_->events[number];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return textOf(number, column);
    case Qt::AccessibleTextRole:
      return column == kWho ? QVariant(cast_->shortName(*history_, event.node)) : textOf(number, column);
    case kAlikeRole:
      return alike(event, column);
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
  if (section == kTime) return QStringLiteral("Time, ") + time_.unit();
  static const char* const kTitles[kColumns] = {"No.", "Time", "Who", "Event", "Token", "What happened", "Caused by"};
  return section >= 0 && section < kColumns ? QVariant(QString::fromUtf8(kTitles[section])) : QVariant();
}

}  // namespace leasescope
