#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// As SIGSTOP does: connections stand, clocks run on, and what was asked meanwhile is done afterwards, also for those
// who have given up on it.
FaultKind store_freeze() {
  FaultKind kind;
  kind.name = "store_freeze";
  kind.about = "the store's process stands still; requests wait in its sockets and are served afterwards";
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kStore;
  kind.lasts = true;
  kind.begin = [](FaultPort& world, const FaultCall&) { world.freeze_store(); };
  kind.end = [](FaultPort& world, const FaultCall&) { world.thaw_store(); };
  return kind;
}

}  // namespace leasescope::faults
