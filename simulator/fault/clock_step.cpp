#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// The same clock objects stand over virtual and over real time.
FaultKind clock_step() {
  FaultKind kind;
  kind.name = "clock_step";
  kind.about = "the contender's wall clock is set forward or back; its steady clock is not";
  kind.keys = {{"by", FaultKeyType::kTime, {}, true}};
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.step_clock(call.node, Duration(call.values[0])); };
  return kind;
}

}  // namespace leasescope::faults
