#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// Live, a connection is a stream: of one that has lost a request or a reply nothing more arrives in that direction,
// until its client gives it up. A message that nobody asked for is lost alone.
FaultKind loss() {
  FaultKind kind;
  kind.name = "loss";
  kind.about = "so many of a million packets between the contender and the store are lost";
  kind.keys = {direction_key(), ppm_key()};
  kind.lasts = true;
  kind.of_network = kind.reads_messages = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    LinkTrouble trouble;
    trouble.loss_ppm = call.values[1];
    world.trouble(call.node, direction_of(call), trouble, call.key);
  };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.untrouble(call.node, direction_of(call), call.key); };
  return kind;
}

}  // namespace leasescope::faults
