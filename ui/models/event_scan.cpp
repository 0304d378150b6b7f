#include "ui/models/event_scan.h"

#include <QPromise>

#include "ui/models/words.h"

namespace leasescope {

EventScan::EventScan(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
  connect(&watcher_, &QFutureWatcher<void>::finished, this, &EventScan::take);
}

void EventScan::reset(const EventFilter& filter) {
  slice_.reset();
  watcher_.setFuture(QFuture<void>());
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
  watcher_.setFuture(promise->future());
  // The thread knows nothing of this object; until it has ended the slice is its alone.
  pool_.start([promise, slice = slice_] {
    match(*slice);
    promise->finish();
  });
}

void EventScan::take() {
  if (!slice_ || !watcher_.future().isFinished()) return;
  const std::shared_ptr<Slice> slice = std::move(slice_);
  slice_.reset();
  matcher_ = std::move(slice->matcher);
  buffer_ = std::move(slice->events);
  emit found(slice->places, slice->from + slice->events.size());
}

}  // namespace leasescope
