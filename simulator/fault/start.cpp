#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind start() {
  FaultKind kind;
  kind.name = "start";
  kind.about = "a stopped contender is started again";
  kind.band = BandKind::kNone;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.start(call.node); };
  return kind;
}

}  // namespace leasescope::faults
