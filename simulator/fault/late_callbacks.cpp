#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// A thread pool that is busy with other things. Up to 4.x a contender is owner only once that pool has told its
// application so; ours knows at once, and its application works, and stops working, late.
FaultKind late_callbacks() {
  FaultKind kind = later_by<&FaultPort::delay_callbacks>(
      "late_callbacks", "the application's executor comes to what the contender tells it later by so much",
      Draw::leases(0.001, 3));
  return kind;
}

}  // namespace leasescope::faults
