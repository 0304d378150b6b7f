#include "ui/models/event_scan.h"

#include <QPromise>
#include <utility>

#include "ui/models/words.h"

namespace leasescope {

EventScan::EventScan(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

void EventScan::watch(const QFuture<void>& slice) {
  watcher_ = new QFutureWatcher<void>(this);
  connect(watcher_, &QFutureWatcher<void>::finished, this, &EventScan::take);
  watcher_->setFuture(slice);
}

// It may be the one that is telling.
void EventScan::let_go() {
  slice_.reset();
  if (watcher_ == nullptr) return;
  watcher_->disconnect(this);
  std::exchange(watcher_, nullptr)->deleteLater();
}

void EventScan::reset(const EventFilter& filter) {
  let_go();
  matcher_ = EventMatcher(filter, [](std::string_view text) { return fromText(text).toCaseFolded().toStdString(); });
  met_ = -1;
}

bool EventScan::outdated(const Cast& cast) {
  for (int place = met_; met_ >= 0 && place < cast.size(); ++place)
    if (matcher_.means(Cast::letter(place).toStdString())) return true;
  return false;
}

void EventScan::learn(const History& history, const Cast& cast) {
  if (met_ != cast.size()) matcher_.forget_names();
  met_ = cast.size();
  matcher_.learn(history.names, history.legend, [&](Name name) {
    const int place = cast.indexOf(history, name);
    return place < 0 ? std::string() : Cast::letter(place).toStdString();
  });
}

void EventScan::match(Slice& slice) {
  for (std::size_t i = 0; i < slice.events.size(); ++i)
    if (slice.matcher.matches(slice.events[i])) slice.places.push_back(static_cast<std::uint32_t>(slice.from + i));
}

std::vector<std::uint32_t> EventScan::here(const History& history, const Cast& cast, std::size_t from) {
  learn(history, cast);
  std::vector<std::uint32_t> places;
  for (std::size_t i = from; i < history.events.size(); ++i)
    if (matcher_.matches(history.events[i])) places.push_back(static_cast<std::uint32_t>(i));
  return places;
}

void EventScan::beside(const History& history, const Cast& cast, std::size_t from) {
  learn(history, cast);
  slice_ = std::make_shared<Slice>();
  slice_->matcher = std::move(matcher_);
  slice_->events = std::move(buffer_);
  slice_->from = from;
  const auto begin = history.events.begin() + static_cast<std::ptrdiff_t>(from);
  const std::size_t count = std::min(kSlice, history.events.size() - from);
  slice_->events.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  auto promise = std::make_shared<QPromise<void>>();
  promise->start();
  watch(promise->future());
  // The thread knows nothing of this object; until it has ended the slice is its alone.
  pool_.start([promise, slice = slice_] {
    match(*slice);
    promise->finish();
  });
}

void EventScan::take() {
  const std::shared_ptr<Slice> slice = slice_;
  let_go();
  const std::size_t up_to = slice->from + slice->events.size();
  matcher_ = std::move(slice->matcher);
  buffer_ = std::move(slice->events);
  emit found(slice->places, up_to);
}

}  // namespace leasescope
