#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// A busy thread, or a scheduler that gives the renewer nothing: what is due waits for the end, as in a pause, but the
// work under the mutex goes on.
FaultKind starve() {
  FaultKind kind;
  kind.name = "starve";
  kind.about = "the contender's timers, replies and messages wait while its work goes on";
  kind.disturbs = Disturbs::kStarves;
  kind.lasts = true;
  kind.may_overlap = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.starve(call.node); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.feed(call.node); };
  return kind;
}

}  // namespace leasescope::faults
