#include "core/time/wide.h"
#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kFastest = 500'000;

std::int32_t rate(const FaultCall& call) {
  const auto length = std::max<std::int64_t>(1, call.duration.count());
  return static_cast<std::int32_t>(
      std::clamp<Int128>(static_cast<Int128>(call.values[0]) * kMillion / length, -kFastest, kFastest));
}

// What whole parts per million do not carry.
Duration rest(const FaultCall& call) {
  const auto carried = static_cast<std::int64_t>(static_cast<Int128>(rate(call)) * call.duration.count() / kMillion);
  return Duration(call.values[0] - carried);
}

}  // namespace

// How a time daemon puts a clock right: it runs at another rate until the difference is gone, and the steady clock with
// it. The wall clock ends `by` further, to the nanosecond.
FaultKind clock_slew() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "clock_slew";
  kind.about = "the contender's clocks are slewed: `by` is spread over the duration, and stays";
  kind.disturbs = Disturbs::kDrifts;
  kind.band = BandKind::kNone;
  kind.keys = {signed_time_key("by", Draw::time(1ms, 2s))};
  kind.lasts = true;
  kind.may_overlap = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    world.speed_clock(call.node, ClockOf::kBoth, rate(call));
  };
  kind.end = [](FaultPort& world, const FaultCall& call) {
    world.speed_clock(call.node, ClockOf::kBoth, -rate(call));
    if (rest(call) != Duration::zero()) world.step_clock(call.node, rest(call));
  };
  return kind;
}

}  // namespace leasescope::faults
