#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// Virtual: the model's messages to this node are lost. Live: the proxy drops the store's push frames, replies pass.
FaultKind lost_notification() {
  FaultKind kind;
  kind.name = "lost_notification";
  kind.about = "messages the store publishes do not reach the contender; replies do";
  kind.lasts = true;
  kind.begin = [](FaultPort& world, NodeIndex node, const FaultValues&) { world.mute(node); };
  kind.end = [](FaultPort& world, NodeIndex node, const FaultValues&) { world.unmute(node); };
  return kind;
}

}  // namespace leasescope::faults
