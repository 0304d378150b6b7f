// The resource accepted a write with a token below the highest it had seen, or without one after it had seen one.
#include "core/history/incidents/stale_writes.h"

namespace leasescope::incidents {

IncidentType stale_write_accepted() {
  return incident_type_of<StaleWrites<IncidentKind::kStaleWriteAccepted, EventKind::kWriteStaleAccepted>>(
      "Stale write accepted", 1);
}

}  // namespace leasescope::incidents
