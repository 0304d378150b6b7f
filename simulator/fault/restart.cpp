#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind restart() {
  FaultKind kind;
  kind.name = "restart";
  kind.about = "a crashed contender comes back with the same id and no memory";
  kind.disturbs = Disturbs::kKills;
  kind.band = BandKind::kNone;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.restart(call.node); };
  return kind;
}

}  // namespace leasescope::faults
