#include "ui/models/events_model.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/history/kind_words.h"
#include "ui/models/aside.h"
#include "ui/models/words.h"

namespace leasescope {

namespace {

constexpr qint64 kArrangeEveryMs = 2000;
constexpr qint64 kPauses = 8;  // times as long as it took

std::uint64_t keyOf(const History& history, const Cast& cast, const Event& event, int column) {
  switch (column) {
    case EventsModel::kWho:
      return static_cast<std::uint64_t>(cast.indexOf(history, event.node) + 1);
    case EventsModel::kKind:
    case EventsModel::kWhat:
      return kind_key(event);
    case EventsModel::kToken:
      return event.token;
    case EventsModel::kCausedBy:
      return event.cause;
    default:
      return 0;  // in the order of time
  }
}

}  // namespace

EventsModel::EventsModel(QObject* parent) : QAbstractTableModel(parent) {
  sinceArranged_.start();
  connect(&scan_, &EventScan::found, this, &EventsModel::take);
  connect(&making_, &EventOrder::ready, this, [this](std::vector<std::uint32_t>& events) {
    reorder([&] { adopt(events); });
    arrangingMs_ = sinceBegun_.elapsed();
    emit arrangesChanged();
    settle();  // the run may have ended meanwhile, and nobody asks once more
  });
}

void EventsModel::setHistory(const History* history, const Cast* cast) {
  beginResetModel();
  history_ = history;
  cast_ = cast;
  rebuild();
  endResetModel();
  arrange();
}

void EventsModel::sync(bool runs) {
  if (!history_) return;
  runs_ = runs;
  const bool fewer = history_->events.size() < read_;
  if (fewer || (filter_.any() && scan_.outdated(*cast_))) return setHistory(history_, cast_);
  follow();
  settle();
}

// What has come since.
void EventsModel::follow() {
  if (filter_.any()) return look();
  const std::size_t count = history_->events.size(), more = count - read_;
  std::vector<std::uint32_t> places(listed() ? more : 0);
  std::iota(places.begin(), places.end(), static_cast<std::uint32_t>(read_));
  read_ = count;
  insert(more, places);
}

// A few events are looked through at once; many beside the window, slice by slice, for as long as nothing else is
// wanted.
void EventsModel::look() {
  const std::size_t count = history_->events.size();
  if (scan_.looks() || read_ == count) return;
  if (count - read_ > EventScan::kAtOnce) return scan_.beside(*history_, *cast_, read_);
  const std::vector<std::uint32_t> places = scan_.here(*history_, *cast_, read_);
  read_ = count;
  insert(places.size(), places);
}

void EventsModel::take(const std::vector<std::uint32_t>& places, std::size_t upTo) {
  // They were taken back meanwhile, or a letter that is looked for has come to mean somebody.
  if (upTo > history_->events.size() || scan_.outdated(*cast_)) {
    setHistory(history_, cast_);
  } else {
    read_ = upTo;
    insert(places.size(), places);
    look();
    if (!looks()) shown_.shrink_to_fit();
    settle();
  }
  emit looked();
}

// `places`: of the events, where rows are listed.
void EventsModel::insert(std::size_t rows, const std::vector<std::uint32_t>& places) {
  if (rows == 0) return;
  const int more = static_cast<int>(rows);
  // Backwards in time what is new comes first.
  const int at = !sorted() && by_.backwards() ? 0 : rows_;
  beginInsertRows({}, at, at + more - 1);
  const std::size_t size = shown_.size() + places.size();
  if (size > shown_.capacity()) shown_.reserve(size + size / 8);  // not twice as many: there may be millions
  shown_.insert(shown_.end(), places.begin(), places.end());
  rows_ += more;
  if (sorted()) arranged_ = false;
  endInsertRows();
}

// A million rows are not put in order ten times a second: while more come what is new waits at the end.
void EventsModel::settle() {
  if ((arranged_ && !arranges()) || looks() || making_.busy()) return;
  const qint64 pause = std::max(kArrangeEveryMs, kPauses * arrangingMs_);
  if (!runs_ || arranges() || sinceArranged_.elapsed() > pause) arrange();
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
  std::map<std::size_t, int> rows;  // to look for one takes a while, and the cells of a row are asked for one by one
  for (qsizetype i = 0; i < before.size(); ++i) {
    const std::size_t event = events[static_cast<std::size_t>(i)];
    const auto known = rows.find(event);
    const int row = known != rows.end() ? known->second : rows.emplace(event, rowOf(event)).first->second;
    after << (row < 0 ? QModelIndex() : index(row, before[i].column()));
  }
  changePersistentIndexList(before, after);
  emit layoutChanged();
}

std::optional<FilterError> EventsModel::setFilter(const QString& text) {
  auto filter = EventFilter::parse(text.toStdString());
  if (!filter) return filter.error();
  if (text.trimmed() == text_) return {};
  beginResetModel();
  text_ = text.trimmed();
  filter_ = std::move(*filter);
  rebuild();
  endResetModel();
  arrange();
  return {};
}

void EventsModel::setTime(const CountedTime& time) {
  time_ = time;
  emit headerDataChanged(Qt::Horizontal, kTime, kTime);
  if (rows_ > 0) emit dataChanged(index(0, kTime), index(rows_ - 1, kTime));
}

void EventsModel::sort(int column, Qt::SortOrder order) {
  if (column < 0) column = kTime, order = Qt::AscendingOrder;
  const Order asked{column, order};
  if (asked == wanted_) return;
  wanted_ = asked;
  arrange();
}

// Within a reset of the model: what is looked for beside the window comes afterwards.
void EventsModel::rebuild() {
  scan_.reset(filter_);
  making_.cancel();
  letGoAside(std::exchange(shown_, {}));  // millions, perhaps
  read_ = 0;
  rows_ = 0;
  by_ = wanted_.sorted() ? Order() : wanted_;
  arranged_ = true;
  if (!history_) return;
  const std::size_t count = history_->events.size();
  if (filter_.any() && count > EventScan::kAtOnce) return scan_.beside(*history_, *cast_, 0);
  if (filter_.any()) shown_ = scan_.here(*history_, *cast_, 0);
  read_ = count;
  rows_ = static_cast<int>(listed() ? shown_.size() : count);
}

std::size_t EventsModel::eventAt(int row) const {
  const bool backwards = !sorted() && by_.backwards();
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
  return !sorted() && by_.backwards() ? rows_ - 1 - place : place;
}

// Towards the order that is wanted.
void EventsModel::arrange() {
  making_.cancel();
  if (arranges() || !arranged_) order();
  emit arrangesChanged();
}

// At once where that is little work, else beside the window; what is looked through still is put in order afterwards.
void EventsModel::order() {
  if (!wanted_.sorted() && (!sorted() || !filter_.any())) return reorder([this] { inTime(); });
  if (looks()) return;
  const auto rows = static_cast<std::size_t>(rows_);
  const auto filling = [this](std::vector<EventOrder::Row>& out, std::size_t from, std::size_t to) {
    return fill(out, from, to);
  };
  const bool backwards = wanted_.sorted() && wanted_.backwards();  // by time no list is the other way round
  if (rows > EventOrder::kAtOnce) {
    sinceBegun_.start();
    return making_.begin(rows, filling, backwards);
  }
  std::vector<std::uint32_t> events = EventOrder::here(rows, filling, backwards);
  if (events.size() == rows) reorder([&] { adopt(events); });
}

// By time all events are their own rows, and what passes a filter was found in its order.
void EventsModel::inTime() {
  by_ = wanted_;
  arranged_ = true;
  if (!listed()) letGoAside(std::exchange(shown_, {}));
}

// What rows are sorted by, and where their events are. False: they were taken back, and sync() will say so.
bool EventsModel::fill(std::vector<EventOrder::Row>& rows, std::size_t from, std::size_t to) const {
  if (from == to) return true;  // perhaps there is no history
  const std::vector<Event>& events = history_->events;
  for (std::size_t place = from; place < to; ++place) {
    const std::size_t number = listed() ? shown_[place] : place;
    if (number >= events.size()) return false;
    rows.push_back(EventOrder::Row::of(keyOf(*history_, *cast_, events[number], wanted_.column), number));
  }
  return true;
}

// The order is there; what came while it was made waits at its end.
void EventsModel::adopt(std::vector<std::uint32_t>& events) {
  const auto rows = static_cast<std::size_t>(rows_);
  const std::size_t made = events.size();
  for (std::size_t place = made; place < rows; ++place)
    events.push_back(listed() ? shown_[place] : static_cast<std::uint32_t>(place));
  by_ = wanted_;
  arranged_ = made == rows || !sorted();
  shown_.swap(events);
  letGoAside(std::exchange(events, {}));
  sinceArranged_.start();
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

// The filter that finds it; a sentence is found by its kind and by whom it tells of.
QString EventsModel::alike(const Event& event, int column) const {
  const auto term = [](const char* field, const QString& value) {
    return QLatin1String(field) + fromText(filter_value(value.toStdString()));
  };
  const QString kind = term("kind:", kindText(*history_, event));
  const QString who = event.node.empty() ? QString() : term("by:", cast_->shortName(*history_, event.node));
  switch (column) {
    case kWho:
      return who;
    case kKind:
      return kind;
    case kToken:
      return event.token == kNoToken ? QString() : tokenText(event.token);
    case kWhat:
      return who.isEmpty() ? kind : kind + u' ' + who;
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
  if (section == kTime) return tr("Time, %1").arg(time_.unit());
  static const char* const kTitles[kColumns] = {
      QT_TR_NOOP("No."),   QT_TR_NOOP("Time"),          QT_TR_NOOP("Who"),       QT_TR_NOOP("Event"),
      QT_TR_NOOP("Token"), QT_TR_NOOP("What happened"), QT_TR_NOOP("Caused by"),
  };
  return section >= 0 && section < kColumns ? QVariant(tr(kTitles[section])) : QVariant();
}

}  // namespace leasescope
