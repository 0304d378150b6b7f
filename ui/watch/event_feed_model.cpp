#include "ui/watch/event_feed_model.h"

#include <algorithm>
#include <utility>

#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kMostWords = 31;

FeedKind kindOf(const Event& event) {
  switch (event.kind) {
    case EventKind::kGranted:
    case EventKind::kReleased:
    case EventKind::kExpired:
      return FeedKind::kOwners;
    case EventKind::kQueued:
    case EventKind::kDequeued:
      return FeedKind::kWaiters;
    case EventKind::kBelieved:
    case EventKind::kDisbelieved:
      return FeedKind::kBeliefs;
    case EventKind::kConnected:
    case EventKind::kDisconnected:
    case EventKind::kUnobservedBegan:
    case EventKind::kUnobservedEnded:
      return FeedKind::kSight;
    default:
      return FeedKind::kAll;  // of no other
  }
}

// Until it was first looked for nothing is known of a mutex: no news, and of ten thousand all that would be seen.
bool isOfFirstLook(const std::vector<Event>& events, std::size_t at) {
  const auto begins = [&](std::size_t i) {
    return events[i].kind == EventKind::kUnobservedBegan && events[i].lo == TrueTime{};
  };
  const bool ends = events[at].kind == EventKind::kUnobservedEnded;
  return begins(at) || (ends && at > 0 && begins(at - 1) && events[at - 1].mutex == events[at].mutex);
}

}  // namespace

EventFeedModel::EventFeedModel(WatchSession& session, QObject* parent) : QAbstractListModel(parent), session_(session) {
  connect(&session, &Session::runReset, this, &EventFeedModel::reset);
  connect(&session, &WatchSession::lookedAt, this, &EventFeedModel::sync);
  connect(&session, &Session::timeCounted, this, &EventFeedModel::countTime);
}

void EventFeedModel::reset() {
  beginResetModel();
  shown_.clear();
  known_.clear();
  read_ = counted_ = waiting_ = 0;
  // From the newest back, until there are as many as are kept.
  if (const History* const history = session_.history()) {
    read_ = counted_ = history->events.size();
    for (std::size_t i = read_; i > 0 && shown_.size() < kMost; --i)
      if (passes(i - 1)) shown_.push_front(static_cast<std::uint32_t>(i - 1));
  }
  endResetModel();
  emit synced();
}

void EventFeedModel::sync() {
  const History* const history = session_.history();
  if (history == nullptr) return;
  const std::size_t count = history->events.size();
  if (count < read_) return reset();
  if (!paused_) {
    letIn(read_);
  } else {
    for (; counted_ < count; ++counted_) waiting_ += passes(counted_);
  }
  emit synced();
}

// What came and is kept: of more than that the last.
void EventFeedModel::letIn(std::size_t from) {
  const std::vector<Event>& events = session_.history()->events;
  std::deque<std::uint32_t> more;
  for (std::size_t i = events.size(); i > from && more.size() < kMost; --i)
    if (passes(i - 1)) more.push_front(static_cast<std::uint32_t>(i - 1));
  read_ = counted_ = events.size();
  waiting_ = 0;
  if (more.empty()) return;
  beginInsertRows({}, 0, static_cast<int>(more.size()) - 1);
  shown_.insert(shown_.end(), more.begin(), more.end());
  endInsertRows();
  trim();
}

void EventFeedModel::trim() {
  if (shown_.size() <= kMost) return;
  const auto over = static_cast<std::ptrdiff_t>(shown_.size() - kMost);
  beginRemoveRows({}, static_cast<int>(kMost), static_cast<int>(shown_.size()) - 1);
  shown_.erase(shown_.begin(), shown_.begin() + over);
  endRemoveRows();
}

void EventFeedModel::setPaused(bool paused) {
  if (std::exchange(paused_, paused) == paused) return;
  if (!paused) sync();
  emit synced();
}

void EventFeedModel::setFilter(FeedKind kind, const QString& text) {
  const QStringList words = text.toLower().split(u' ', Qt::SkipEmptyParts).mid(0, kMostWords);
  if (kind == kind_ && words == words_) return;
  kind_ = kind;
  words_ = words;
  reset();
}

void EventFeedModel::countTime() {
  if (!shown_.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

bool EventFeedModel::bears(Name name, int word) {
  const auto [at, fresh] = known_.try_emplace(name.handle, 0);
  if (fresh) {
    const QString text = fromText(session_.history()->names.text(name));
    for (int i = 0; i < words_.size(); ++i)
      if (text.contains(words_[i], Qt::CaseInsensitive)) at->second |= 1U << i;
  }
  return (at->second >> word & 1U) != 0;
}

bool EventFeedModel::passes(std::size_t at) {
  const std::vector<Event>& events = session_.history()->events;
  const Event& event = events[at];
  if (kind_ != FeedKind::kAll && kindOf(event) != kind_) return false;
  if (isOfFirstLook(events, at)) return false;
  for (int i = 0; i < words_.size(); ++i)
    if (!bears(event.mutex, i) && !bears(event.node, i)) return false;
  return true;
}

const Event& EventFeedModel::eventAt(int row) const {
  return session_.history()->events[shown_[shown_.size() - 1 - static_cast<std::size_t>(row)]];
}

int EventFeedModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

// Between the end of a watch and the reset there is a moment without a history.
QVariant EventFeedModel::data(const QModelIndex& index, int role) const {
  const History* const history = session_.history();
  if (!index.isValid() || index.row() >= rowCount() || history == nullptr || history->events.size() < read_) return {};
  const Event& event = eventAt(index.row());
  const QString mutex = fromText(history->names.text(event.mutex));
  const QString head = session_.time().figure(event.at()) + (mutex.isEmpty() ? QString() : u' ' + mutex);
  // The chart's letter, and the name by which the table has it.
  const QString who = fromText(history->names.text(event.node));
  const bool named = session_.cast().indexOf(*history, event.node) >= 0;
  const QString what = sentence(*history, session_.cast(), event) + (named ? QStringLiteral(" · ") + who : QString());
  switch (role) {
    case Qt::DisplayRole:
      return head;
    case kAboutRole:
      return what;
    case Qt::AccessibleTextRole:
      return QString(head + QStringLiteral(", ") + what);
    case Qt::ToolTipRole:
      return QString(head + u'\n' + what).toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
    case kAtRole:
      return qint64(event.at().time_since_epoch().count());
    case kMutexRole:
      return mutex;
    default:
      return {};
  }
}

}  // namespace leasescope
