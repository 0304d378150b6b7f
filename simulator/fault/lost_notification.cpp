#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// Virtual: the model's messages to this node are lost. Live: the proxy drops the store's push frames, replies pass.
FaultKind lost_notification() {
  FaultKind kind;
  kind.name = "lost_notification";
  kind.about = "messages the store publishes do not reach the contender; replies do";
  kind.lasts = true;
  kind.of_network = kind.reads_messages = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.mute(call.node); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.unmute(call.node); };
  return kind;
}

}  // namespace leasescope::faults
