#include "core/observe/meters.h"

#include <algorithm>

namespace leasescope {
namespace {

void time_answer(StoreMeter& into, Duration took) {
  ++into.answers_timed;
  into.answering += took;
  for (std::size_t i = 0; i < kLatencyBounds.size(); ++i) into.answered_within[i] += took <= kLatencyBounds[i];
}

}  // namespace

void Meters::bring_up_to(const Watch& watch, TrueTime now) {
  count_mutexes(watch, now);
  count_stores(watch);
  last_ = now;
}

void Meters::count_mutexes(const Watch& watch, TrueTime now) {
  const Duration since = last_ ? now - *last_ : Duration::zero();
  now_.by_state = {};
  const auto& mutexes = watch.mutexes();
  for (std::size_t i = 0; i < mutexes.size(); ++i) {
    const WatchedMutex& of = *mutexes[i];
    const WatchedRow row = row_of(of, now);
    ++now_.by_state[static_cast<std::size_t>(row.state)];
    if (i >= most_) continue;
    if (i >= now_.mutexes.size()) {
      MutexMeter& fresh = now_.mutexes.emplace_back();
      fresh.mutex = of.name;
      fresh.store = watch.stores()[of.source]->name;
      // What is learnt of it later would make another series of it.
      fresh.system = of.maker.empty() ? of.book.last().system : of.maker;
    } else {
      // It was so since the last time, for all that was seen.
      MutexMeter& known = now_.mutexes[i];
      if (known.state == WatchState::kLeaderless) known.leaderless += since;
      if (known.state == WatchState::kNotObserved) known.unobserved += since;
    }
    MutexMeter& meter = now_.mutexes[i];
    meter.owner = row.owner;
    meter.state = row.state;
    meter.token = row.token;
    meter.left = row.left;
    meter.waiters = row.waiters;
    meter.handoffs = of.book.handoffs();
  }
  now_.left_out = mutexes.size() - now_.mutexes.size();
}

void Meters::count_stores(const Watch& watch) {
  now_.stores.resize(watch.stores().size());
  answers_.resize(now_.stores.size());
  for (std::size_t i = 0; i < now_.stores.size(); ++i) {
    const WatchedStore& of = *watch.stores()[i];
    StoreMeter& meter = now_.stores[i];
    meter.store = of.name;
    meter.answers = of.observer != nullptr && !of.blind;
    meter.gaps = of.gaps;
    if (of.observer == nullptr) continue;
    const ObserverFigures figures = of.observer->figures();
    if (figures.answers > answers_[i]) time_answer(meter, figures.latency);
    answers_[i] = figures.answers;
    meter.commands = figures.commands;
  }
}

}  // namespace leasescope
