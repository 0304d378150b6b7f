#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

Duration by(const FaultCall& call) { return Duration(call.values[0]); }

}  // namespace

// A thread pool that is busy with other things. Up to 4.x a contender is owner only once that pool has told its
// application so; ours knows at once, and its application works, and stops working, late.
FaultKind late_callbacks() {
  FaultKind kind;
  kind.name = "late_callbacks";
  kind.about = "the application's executor comes to what the contender tells it later by so much";
  kind.keys = {time_key("by", Draw::leases(0.001, 3))};
  kind.lasts = true;
  kind.live = false;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.delay_callbacks(call.node, by(call)); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.delay_callbacks(call.node, -by(call)); };
  return kind;
}

}  // namespace leasescope::faults
