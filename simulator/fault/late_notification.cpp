#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

Duration by(const FaultCall& call) { return Duration(call.values[0]); }

}  // namespace

// They keep their order, as one connection does: what is sent after the end waits for what was held up.
FaultKind late_notification() {
  FaultKind kind;
  kind.name = "late_notification";
  kind.about = "messages the store publishes reach the contender later by so much; replies do not";
  kind.keys = {time_key("by", Draw::leases(0.001, 2))};
  kind.lasts = true;
  kind.live = false;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.delay_messages(call.node, by(call)); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.delay_messages(call.node, -by(call)); };
  return kind;
}

}  // namespace leasescope::faults
