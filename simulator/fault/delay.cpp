#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

FaultKind delay() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "delay";
  kind.about = "packets between the contender and the store take so much longer";
  kind.keys = {direction_key(), time_key("by", Draw::time(1ms, 10s))};
  kind.lasts = true;
  kind.of_network = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    LinkTrouble trouble;
    trouble.delay = Duration(call.values[1]);
    world.trouble(call.node, direction_of(call), trouble, call.key);
  };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.untrouble(call.node, direction_of(call), call.key); };
  return kind;
}

}  // namespace leasescope::faults
