#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

Duration by(const FaultCall& call) { return Duration(call.values[0]); }
bool is_ahead(std::uint32_t tick) { return tick % 2 == 0; }

}  // namespace

// The wall clock jumps to and fro, as with two time servers that disagree; at the end it is where it would have been.
FaultKind clock_strobe() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "clock_strobe";
  kind.about = "the contender's wall clock is set forward and back again, every period";
  kind.disturbs = Disturbs::kSetsClock;
  kind.band = BandKind::kNone;
  kind.keys = {signed_time_key("by", Draw::time(4ms, 262s)), time_key("period", Draw::time(10ms, 10s))};
  kind.lasts = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.step_clock(call.node, by(call)); };
  kind.period = [](const FaultCall& call) { return period_of(call.values[1]); };
  kind.act = [](FaultPort& world, const FaultCall& call) {
    world.step_clock(call.node, is_ahead(call.tick) ? by(call) : -by(call));
  };
  kind.end = [](FaultPort& world, const FaultCall& call) {
    if (is_ahead(call.tick)) world.step_clock(call.node, -by(call));
  };
  return kind;
}

}  // namespace leasescope::faults
