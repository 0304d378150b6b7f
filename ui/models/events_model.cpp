#include "ui/models/events_model.h"

#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {

namespace {

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

void EventsModel::sync() {
  if (!history_) return;
  const std::size_t count = history_->events.size();
  if (count == read_) return;
  if (count < read_) return setHistory(history_, cast_);
  if (mapped_ && (column_ > kTime || order_ == Qt::DescendingOrder)) {
    beginResetModel();
    take(read_);
    arrange();
    endResetModel();
    return;
  }
  std::vector<std::uint32_t> before;
  const std::size_t from = read_;
  if (!mapped_) {
    beginInsertRows({}, rows_, static_cast<int>(count) - 1);
    read_ = count;
    rows_ = static_cast<int>(count);
    return endInsertRows();
  }
  before = shown_;
  take(from);
  const int more = static_cast<int>(shown_.size());
  if (more == rows_) return;
  shown_.swap(before);
  beginInsertRows({}, rows_, more - 1);
  shown_.swap(before);
  rows_ = more;
  endInsertRows();
}

void EventsModel::setFilter(const QString& text) {
  const QStringList words = text.toLower().split(u' ', Qt::SkipEmptyParts).mid(0, 32);
  if (words == words_) return;
  beginResetModel();
  words_ = words;
  rebuild();
  endResetModel();
}

void EventsModel::sort(int column, Qt::SortOrder order) {
  if (column < 0) column = kTime, order = Qt::AscendingOrder;
  if (column == column_ && order == order_) return;
  beginResetModel();
  column_ = column;
  order_ = order;
  rebuild();
  endResetModel();
}

void EventsModel::rebuild() {
  shown_.clear();
  kinds_.clear();
  nodes_.clear();
  read_ = 0;
  mapped_ = !words_.isEmpty() || column_ > kTime || order_ == Qt::DescendingOrder;
  if (!history_) {
    rows_ = 0;
    return;
  }
  if (mapped_) {
    take(0);
    arrange();
    return;
  }
  read_ = history_->events.size();
  rows_ = static_cast<int>(read_);
}

std::size_t EventsModel::eventAt(int row) const {
  return mapped_ ? shown_[static_cast<std::size_t>(row)] : static_cast<std::size_t>(row);
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
  std::uint32_t found = once(kinds_, kindKey(event), [&] { return wordsIn(kindText(event)); });
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
  if (event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded) found |= wordsIn(faultText(event));
  for (qsizetype i = 0; i < words_.size(); ++i)
    if (words_[i].startsWith(u'#') && event.token != kNoToken && words_[i] == tokenText(event.token)) found |= 1U << i;
  return found == all;
}

void EventsModel::take(std::size_t from) {
  const std::size_t count = history_->events.size();
  for (std::size_t i = from; i < count; ++i)
    if (passes(history_->events[i])) shown_.push_back(static_cast<std::uint32_t>(i));
  read_ = count;
}

void EventsModel::arrange() {
  const std::vector<Event>& events = history_->events;
  std::sort(shown_.begin(), shown_.end());  // those taken last stand at the end
  const auto by = [&](auto key) {
    std::stable_sort(shown_.begin(), shown_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(events[a]) < key(events[b]); });
  };
  if (column_ == kWho) by([this](const Event& e) { return cast_->indexOf(*history_, e.node); });
  if (column_ == kKind || column_ == kWhat) by(kindKey);
  if (column_ == kToken) by([](const Event& e) { return e.token; });
  if (column_ == kCausedBy) by([](const Event& e) { return e.cause; });
  if (order_ == Qt::DescendingOrder) std::reverse(shown_.begin(), shown_.end());
  rows_ = static_cast<int>(shown_.size());
}

int EventsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int EventsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant EventsModel::textOf(std::size_t number, int column) const {
  const Event& event = history_->events[number];
  switch (column) {
    case kNumber:
      return countText(static_cast<std::uint64_t>(number) + 1);
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
  const std::size_t number = eventAt(index.row());
  const Event& event = history_->events[number];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return textOf(number, column);
    case Qt::AccessibleTextRole:
      return column == kWho ? QVariant(cast_->shortName(*history_, event.node)) : textOf(number, column);
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
