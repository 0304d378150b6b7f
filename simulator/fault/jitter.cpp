#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind jitter() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "jitter";
  kind.about = "packets between the contender and the store take up to so much longer, and keep their order";
  kind.keys = {direction_key(), time_key("by", Draw::time(1ms, 5s))};
  kind.lasts = true;
  kind.of_network = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    LinkTrouble trouble;
    trouble.jitter = Duration(call.values[1]);
    world.trouble(call.node, direction_of(call), trouble, call.key);
  };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.untrouble(call.node, direction_of(call), call.key); };
  return kind;
}

}  // namespace leasescope::faults
