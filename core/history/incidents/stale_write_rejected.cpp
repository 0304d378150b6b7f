// The resource refused a write with a token below the highest it had seen: the fence did its work.
#include "core/history/incidents/stale_writes.h"

namespace leasescope::incidents {

IncidentType stale_write_rejected() {
  return incident_type_of<StaleWrites<IncidentKind::kStaleWriteRejected, EventKind::kWriteRejected>>(
      "Stale write rejected", 3);
}

}  // namespace leasescope::incidents
