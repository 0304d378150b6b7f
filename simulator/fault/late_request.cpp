#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// A kernel goes on sending again what its program has given up, and later requests go by a new connection: those arrive
// first.
FaultKind late_request() {
  FaultKind kind = later_by<&FaultPort::delay_requests>(
      "late_request", "what the contender asks the store arrives later by so much, even when it has been given up",
      Draw::leases(0.01, 2));
  kind.may_overtake = true;
  kind.of_network = true;
  return kind;
}

}  // namespace leasescope::faults
