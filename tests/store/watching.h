// A watch of one store, for tests: what it says of a mutex.
#pragma once
#include <QStringList>
#include <algorithm>

#include "core/observe/watch.h"
#include "tests/store/rig.h"

namespace leasescope::tests {

inline constexpr milliseconds kPoll{200};

// As a table has it; empty: not known, "-": nobody.
struct Watching {
  Watching(QtLoop& loop, const StoreUrl& url, WatchTerms terms = {}, milliseconds poll = kPoll)
      : watch(loop, with_poll(terms, poll)) {
    watch.add(printable(url), [&loop, url, look = with_poll(terms, poll).look](ObserverListener& listener) {
      return url.type->observe(loop, url, look, listener);
    });
    watch.begin();
  }
  // Where a test's terms do not say how often.
  static WatchTerms with_poll(WatchTerms terms, milliseconds poll) {
    if (terms.look.poll == ObserverTerms().poll) terms.look.poll = poll;
    return terms;
  }
  const WatchedMutex* find(const std::string& name) const {
    for (const auto& each : watch.mutexes())
      if (each->name == name) return each.get();
    return nullptr;
  }
  std::string owner(const std::string& name) const {
    const WatchedMutex* const of = find(name);
    if (of == nullptr || of->book.known() == SeenMutex::Known::kNothing) return "";
    return of->book.last().owner.empty() ? "-" : of->book.last().owner;
  }
  bool sees(const std::string& name, const std::string& who, milliseconds within = milliseconds(3000)) const {
    return wait_until([&] { return owner(name) == who; }, within);
  }
  // The kinds of the events of a mutex, but for those that say that nothing was known before, or who waits.
  QStringList told(const std::string& name) {
    QStringList out;
    const History& history = watch.history();
    for (const Event& event : history.events)
      if (history.names.text(event.mutex) == name && event.kind != EventKind::kUnobservedBegan &&
          event.kind != EventKind::kUnobservedEnded && event.kind != EventKind::kQueued &&
          event.kind != EventKind::kDequeued)
        out << QString::fromUtf8(text(event.kind).data());
    return out;
  }

  // So many times it began not to be observed.
  std::size_t gaps(const std::string& name) {
    const History& history = watch.history();
    const auto is_gap = [&](const Event& event) {
      return event.kind == EventKind::kUnobservedBegan && history.names.text(event.mutex) == name;
    };
    return static_cast<std::size_t>(std::count_if(history.events.begin(), history.events.end(), is_gap));
  }

  Watch watch;
};

}  // namespace leasescope::tests
