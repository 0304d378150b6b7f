// An append-only sequence of events with the names they use, and what the checkers found on append.
#pragma once
#include <cstddef>
#include <vector>

#include "core/history/event.h"
#include "core/history/incident_list.h"
#include "core/history/legend.h"
#include "core/history/summary.h"
#include "core/simba/lease_terms.h"

namespace leasescope {

// What every view reads: live, recorded and simulated data look the same. Held in memory, for the window and reports.
struct History {
  NameTable names;
  Legend legend;
  std::vector<Event> events;  // in order of appending; events[i] has the sequence number forgotten + i + 1
  Sequence forgotten = 0;     // events before those, that are no longer held: a sink has them
  IncidentList incidents;
  Summary summary;
  TrueTime now{};  // covered up to here

  // The number of the last event; 0 = none yet.
  Sequence last() const { return forgotten + static_cast<Sequence>(events.size()); }
  // Whether the event of that number is still held.
  bool holds(Sequence number) const { return number > forgotten && number <= last(); }
  // ... which it must be. Who reads events by their numbers asks here: a number is no place in the list.
  const Event& event(Sequence number) const { return events[number - forgotten - 1]; }
  // The number of an event by its place in the list.
  Sequence number(std::size_t place) const { return forgotten + static_cast<Sequence>(place) + 1; }
  // Of the events only the last so many are held from now on.
  void forget_all_but(std::size_t count) {
    if (events.size() <= count) return;
    const std::size_t gone = events.size() - count;
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(gone));
    forgotten += static_cast<Sequence>(gone);
  }
};

}  // namespace leasescope
