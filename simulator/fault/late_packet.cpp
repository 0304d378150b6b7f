#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

Duration by(const FaultCall& call) { return Duration(call.values[0]); }

}  // namespace

// Each write is a packet of its own: one sent after the end may overtake those that are late.
FaultKind late_packet() {
  FaultKind kind;
  kind.name = "late_packet";
  kind.about = "what the contender writes reaches the resource later by so much";
  kind.keys = {time_key("by", Draw::leases(0.01, 3))};
  kind.lasts = true;
  kind.live = false;
  kind.of_resource = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.delay_writes(call.node, by(call)); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.delay_writes(call.node, -by(call)); };
  return kind;
}

}  // namespace leasescope::faults
