#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// The same clock objects stand over virtual and over real time.
FaultKind clock_step() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "clock_step";
  kind.about = "the contender's wall clock is set forward or back; its steady clock is not";
  kind.disturbs = Disturbs::kSetsClock;
  kind.band = BandKind::kNone;
  kind.keys = {{"by", FaultKeyType::kTime, {}, true, -1, 0, Draw::time(11ms, 288s).forth_and_back()}};
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.step_clock(call.node, Duration(call.values[0])); };
  return kind;
}

}  // namespace leasescope::faults
