#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

ClockOf which(const FaultCall& call) { return static_cast<ClockOf>(call.values[1]); }

}  // namespace

// What was gained or lost while it lasted stays.
FaultKind clock_drift() {
  FaultKind kind;
  kind.name = "clock_drift";
  kind.about = "the contender's clocks run faster or slower for a while";
  kind.disturbs = Disturbs::kDrifts;
  kind.band = BandKind::kNone;
  kind.keys = {
      {"ppm", FaultKeyType::kNumber, {}, true, -500'000, 500'000, Draw::magnitude(10, 200'000).forth_and_back()},
      {"which", FaultKeyType::kWord, {"both", "wall", "steady"}, false}};
  kind.lasts = true;
  kind.may_overlap = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    world.speed_clock(call.node, which(call), static_cast<std::int32_t>(call.values[0]));
  };
  kind.end = [](FaultPort& world, const FaultCall& call) {
    world.speed_clock(call.node, which(call), -static_cast<std::int32_t>(call.values[0]));
  };
  return kind;
}

}  // namespace leasescope::faults
