#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// Each write is a packet of its own: one sent after the end may overtake those that are late.
FaultKind late_packet() {
  FaultKind kind = later_by<&FaultPort::delay_writes>(
      "late_packet", "what the contender writes reaches the resource later by so much", Draw::leases(0.01, 3));
  kind.disturbs = Disturbs::kDelaysWrites;
  kind.of_resource = true;
  return kind;
}

}  // namespace leasescope::faults
