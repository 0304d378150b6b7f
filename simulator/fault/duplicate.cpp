#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind duplicate() {
  FaultKind kind;
  kind.name = "duplicate";
  kind.about = "so many of a million packets between the contender and the store arrive twice";
  kind.keys = {direction_key(), ppm_key()};
  kind.lasts = true;
  kind.live = false;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    LinkTrouble trouble;
    trouble.duplication_ppm = call.values[1];
    world.trouble(call.node, direction_of(call), trouble, call.key);
  };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.untrouble(call.node, direction_of(call), call.key); };
  return kind;
}

}  // namespace leasescope::faults
