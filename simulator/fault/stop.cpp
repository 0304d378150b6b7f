#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind stop() {
  FaultKind kind;
  kind.name = "stop";
  kind.about = "the contender is stopped in good order";
  kind.begin = [](FaultPort& world, NodeIndex node, const FaultValues&) { world.stop(node); };
  return kind;
}

}  // namespace leasescope::faults
