#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind stop() {
  FaultKind kind;
  kind.name = "stop";
  kind.about = "the contender is stopped in good order";
  kind.began = "{who} is told to stop";
  kind.band = BandKind::kNone;
  kind.undone_by = "start";
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.stop(call.node); };
  return kind;
}

}  // namespace leasescope::faults
