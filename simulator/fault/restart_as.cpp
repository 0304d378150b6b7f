#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// Pid and host were used again, or a machine was cloned: to every store the two processes are one contender. Nothing
// behind the id can tell them apart, least of all the fence: it gives both the same token.
FaultKind restart_as() {
  FaultKind kind;
  kind.name = "restart_as";
  kind.about = "the contender's process ends and comes back under the id of another";
  kind.began = "{who} comes back under another's id";
  kind.disturbs = Disturbs::kKills;
  kind.keys = {{"as", FaultKeyType::kContender, {}, true}};
  kind.live = false;
  kind.may_break = "fence";
  kind.may_overlap = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    world.crash(call.node);
    world.restart_as(call.node, static_cast<NodeIndex>(call.values[0]));
  };
  return kind;
}

}  // namespace leasescope::faults
