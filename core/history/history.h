// An append-only sequence of events with the names they use, and what the checkers found on append.
#pragma once
#include <vector>

#include "core/history/event.h"
#include "core/history/incident_list.h"
#include "core/history/summary.h"
#include "core/lease/lease_terms.h"

namespace leasescope {

// What every view reads: live, recorded and simulated data look the same. Held in memory, for the window and reports.
struct History {
  NameTable names;
  std::vector<Event> events;  // in order of appending; events[i] has the sequence number forgotten + i + 1
  Sequence forgotten = 0;     // events before those, that are no longer held: a sink has them
  IncidentList incidents;
  Summary summary;
  TrueTime now{};  // covered up to here
};

}  // namespace leasescope
