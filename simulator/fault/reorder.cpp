#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// No stream of bytes does that; calls over several connections do. Live, what falls behind holds up what follows it on
// its connection, and what its client asks anew by another one overtakes; messages that nobody asked for fall behind
// alone.
FaultKind reorder() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "reorder";
  kind.about = "so many of a million packets fall behind, by up to `by`, and those sent after them overtake";
  kind.keys = {direction_key(), ppm_key(), time_key("by", Draw::time(1ms, 5s))};
  kind.lasts = true;
  kind.of_network = kind.reads_messages = true;
  kind.may_overtake = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    LinkTrouble trouble;
    trouble.reordering_ppm = call.values[1];
    trouble.behind = Duration(call.values[2]);
    world.trouble(call.node, direction_of(call), trouble, call.key);
  };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.untrouble(call.node, direction_of(call), call.key); };
  return kind;
}

}  // namespace leasescope::faults
