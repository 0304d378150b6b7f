#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// One request after the other, as a disk that must be written before each answer makes it.
FaultKind store_slow() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "store_slow";
  kind.about = "each request keeps the store busy for so long, and those behind it wait";
  kind.band = BandKind::kServer;
  kind.keys = {time_key("by", Draw::time(100us, 500ms))};
  kind.target = FaultTarget::kStore;
  kind.lasts = true;
  kind.live = false;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.slow_store(Duration(call.values[0])); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.slow_store(-Duration(call.values[0])); };
  return kind;
}

}  // namespace leasescope::faults
