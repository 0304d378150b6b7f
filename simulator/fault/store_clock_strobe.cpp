#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

Duration by(const FaultCall& call) { return Duration(call.values[0]); }
bool is_ahead(std::uint32_t tick) { return tick % 2 == 0; }

}  // namespace

// Two time servers that disagree over a leap second, and a clock that follows now one, now the other. At the end it is
// where it would have been.
FaultKind store_clock_strobe() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "store_clock_strobe";
  kind.about = "the store's clock is set forward and back again, every period";
  kind.disturbs = Disturbs::kSetsClock;
  kind.band = BandKind::kNone;
  kind.keys = {signed_time_key("by", Draw::time(4ms, 262s)), time_key("period", Draw::time(10ms, 10s))};
  kind.target = FaultTarget::kStore;
  kind.lasts = true;
  kind.may_break = "grant";
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.step_store_clock(by(call)); };
  kind.period = [](const FaultCall& call) { return period_of(call.values[1]); };
  kind.act = [](FaultPort& world, const FaultCall& call) {
    world.step_store_clock(is_ahead(call.tick) ? by(call) : -by(call));
  };
  kind.end = [](FaultPort& world, const FaultCall& call) {
    if (is_ahead(call.tick)) world.step_store_clock(-by(call));
  };
  return kind;
}

}  // namespace leasescope::faults
