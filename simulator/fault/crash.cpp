#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind crash() {
  FaultKind kind;
  kind.name = "crash";
  kind.about = "the contender's process ends without a word; nothing is called";
  kind.began = "{who} crashes";
  kind.disturbs = Disturbs::kKills;
  kind.band = BandKind::kNone;
  kind.undone_by = "restart";
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.crash(call.node); };
  return kind;
}

}  // namespace leasescope::faults
