#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// A fast clock ends leases early. What was gained or lost while it lasted stays.
FaultKind store_clock_drift() {
  FaultKind kind;
  kind.name = "store_clock_drift";
  kind.about = "the store's clock runs faster or slower for a while, and with it every lease";
  kind.disturbs = Disturbs::kSetsClock;
  kind.band = BandKind::kNone;
  kind.keys = {
      {"ppm", FaultKeyType::kNumber, {}, true, -500'000, 500'000, Draw::magnitude(10, 200'000).forth_and_back()}};
  kind.target = FaultTarget::kStore;
  kind.lasts = true;
  kind.may_break = "grant";
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    world.speed_store_clock(static_cast<std::int32_t>(call.values[0]));
  };
  kind.end = [](FaultPort& world, const FaultCall& call) {
    world.speed_store_clock(-static_cast<std::int32_t>(call.values[0]));
  };
  return kind;
}

}  // namespace leasescope::faults
