#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// A second answer to one request is heeded by nobody. Live, the proxy keeps it to itself: the streams of most stores do
// not say what an answer is to.
FaultKind duplicate() {
  FaultKind kind;
  kind.name = "duplicate";
  kind.about = "so many of a million packets between the contender and the store arrive twice";
  kind.keys = {direction_key(), ppm_key()};
  kind.lasts = true;
  kind.of_network = kind.reads_messages = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    LinkTrouble trouble;
    trouble.duplication_ppm = call.values[1];
    world.trouble(call.node, direction_of(call), trouble, call.key);
  };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.untrouble(call.node, direction_of(call), call.key); };
  return kind;
}

}  // namespace leasescope::faults
