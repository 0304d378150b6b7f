// The events of a history that pass a filter, looked for beside the window. The history grows in the window's thread,
// so a slice of it at a time is copied there, which takes a millisecond or two, and matched on another.
#pragma once
#include <QFutureWatcher>
#include <QThreadPool>
#include <memory>
#include <vector>

#include "core/history/event_matcher.h"
#include "ui/models/cast.h"

namespace leasescope {

class EventScan : public QObject {
  Q_OBJECT
 public:
  static constexpr std::size_t kAtOnce = 16'384;  // events that are looked through here in less than a frame
  static constexpr std::size_t kSlice = 65'536;

  explicit EventScan(QObject* parent = nullptr);

  // Begins anew, with another filter or another history. Nobody is waited for: what is being matched is thrown away.
  void reset(const EventFilter& filter);
  // A slice is matched. Until found() nothing else may be asked for.
  bool looks() const { return slice_ != nullptr; }

  // Whether somebody has got a letter since reset() that the filter asks for: what was found is not all.
  bool outdated(const Cast& cast);
  // Of the events from place `from` on, which must be few, the places of those that pass.
  std::vector<std::uint32_t> here(const History& history, const Cast& cast, std::size_t from);
  // Of the next slice, beside the window.
  void beside(const History& history, const Cast& cast, std::size_t from);

 signals:
  void found(const std::vector<std::uint32_t>& places, std::size_t upTo);  // all before `upTo` are looked at

 private:
  struct Slice {
    EventMatcher matcher;
    std::vector<Event> events;
    std::size_t from = 0;
    std::vector<std::uint32_t> places;
  };
  void learn(const History& history, const Cast& cast);
  static void match(Slice& slice);
  void watch(const QFuture<void>& slice);
  void let_go();
  void take();

  EventMatcher matcher_;       // is away with a slice
  std::vector<Event> buffer_;  // likewise
  int met_ = -1;               // contenders whose letters it knows; -1: it has not learnt any yet
  std::shared_ptr<Slice> slice_;
  QFutureWatcher<void>* watcher_ = nullptr;  // of the slice alone: another may still tell of the one before
  QThreadPool pool_;  // one thread of its own: others of the window's may be busy for long. It is last, and waits.
};

}  // namespace leasescope
