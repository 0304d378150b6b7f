#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// A garbage collection or a VM migration. Virtual: the node's inputs are kept and handed over afterwards. Live: the
// contender's timers and replies are held back; its sockets stay open.
FaultKind pause() {
  FaultKind kind;
  kind.name = "pause";
  kind.about = "the contender takes no input for a while; its clocks run on";
  kind.lasts = true;
  kind.during_compute = true;
  kind.may_overlap = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.pause(call.node); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.resume(call.node); };
  return kind;
}

}  // namespace leasescope::faults
