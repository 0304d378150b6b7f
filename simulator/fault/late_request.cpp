#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

Duration by(const FaultCall& call) { return Duration(call.values[0]); }

}  // namespace

// A kernel goes on sending again what its program has given up, and later requests go by a new connection: those arrive
// first.
FaultKind late_request() {
  FaultKind kind;
  kind.name = "late_request";
  kind.about = "what the contender asks the store arrives later by so much, even when it has been given up";
  kind.keys = {time_key("by", Draw::leases(0.01, 2))};
  kind.lasts = true;
  kind.may_overtake = true;
  kind.of_network = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.delay_requests(call.node, by(call)); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.delay_requests(call.node, -by(call)); };
  return kind;
}

}  // namespace leasescope::faults
