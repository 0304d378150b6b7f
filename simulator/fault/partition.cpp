#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

LinkDirection direction(const FaultCall& call) { return static_cast<LinkDirection>(call.values[0]); }

}  // namespace

// Virtual: messages on the link are lost. Live: the contender's own listener on the fault proxy stalls that direction.
FaultKind partition() {
  FaultKind kind;
  kind.name = "partition";
  kind.about = "the contender is cut off from the store, not from the resource";
  kind.keys = {{"direction", FaultKeyType::kWord, {"both", "to_store", "from_store"}, false}};
  kind.lasts = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.cut(call.node, direction(call)); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.heal(call.node, direction(call)); };
  return kind;
}

}  // namespace leasescope::faults
