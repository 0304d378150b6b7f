#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind clog() {
  FaultKind kind;
  kind.name = "clog";
  kind.about = "packets between the contender and the store wait for the end, then arrive in their order";
  kind.keys = {direction_key()};
  kind.lasts = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.clog(call.node, direction_of(call)); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.unclog(call.node, direction_of(call)); };
  kind.of_network = true;
  return kind;
}

}  // namespace leasescope::faults
