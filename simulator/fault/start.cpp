#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind start() {
  FaultKind kind;
  kind.name = "start";
  kind.about = "a stopped contender is started again";
  kind.begin = [](FaultPort& world, NodeIndex node, const FaultValues&) { world.start(node); };
  return kind;
}

}  // namespace leasescope::faults
