#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// Live on a private server alone, which has a clock of its own then.
FaultKind store_clock_step() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "store_clock_step";
  kind.about = "the store's clock is set forward or back, and with it the end of every lease";
  kind.disturbs = Disturbs::kSetsClock;
  kind.band = BandKind::kNone;
  kind.keys = {{"by", FaultKeyType::kTime, {}, true, -1, 0, Draw::time(11ms, 288s).forth_and_back()}};
  kind.target = FaultTarget::kStore;
  kind.may_break = "grant";
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.step_store_clock(Duration(call.values[0])); };
  return kind;
}

}  // namespace leasescope::faults
