#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind loss() {
  FaultKind kind;
  kind.name = "loss";
  kind.about = "so many of a million packets between the contender and the store are lost";
  kind.keys = {direction_key(), ppm_key()};
  kind.lasts = true;
  kind.live = false;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    LinkTrouble trouble;
    trouble.loss_ppm = call.values[1];
    world.trouble(call.node, direction_of(call), trouble, call.key);
  };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.untrouble(call.node, direction_of(call), call.key); };
  return kind;
}

}  // namespace leasescope::faults
