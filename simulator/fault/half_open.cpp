#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// The other side of its connections is gone without a word, as after a firewall's idle time-out: requests go nowhere
// until the first of them times out and a new connection is opened, messages until keep-alive notices, which is the
// end.
FaultKind half_open() {
  FaultKind kind;
  kind.name = "half_open";
  kind.about = "the contender's connections are dead: requests until the first time-out, messages until the end";
  kind.lasts = true;
  kind.of_network = kind.loses_messages = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.half_open(call.node); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.close_half_open(call.node); };
  return kind;
}

}  // namespace leasescope::faults
