#include <array>

#include "core/time/wide.h"
#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

constexpr std::uint32_t kPieces = 16;
constexpr std::int64_t kFastest = 500'000;

// What a sine rises by in each sixteenth of its period, in millionths of its amplitude. They sum up to nothing.
constexpr std::array<std::int64_t, kPieces> kRise{382'683,  324'424,  216'773,  76'120,   -76'120,  -216'773,
                                                  -324'424, -382'683, -382'683, -324'424, -216'773, -76'120,
                                                  76'120,   216'773,  324'424,  382'683};

Duration piece(const FaultCall& call) { return period_of(call.values[1] / kPieces); }

std::int32_t rate(const FaultCall& call, std::uint32_t tick) {
  const auto rise = static_cast<Int128>(call.values[0]) * kRise[tick % kPieces];
  return static_cast<std::int32_t>(std::clamp<Int128>(rise / piece(call).count(), -kFastest, kFastest));
}

}  // namespace

// An oscillator that warms and cools. Both clocks hang on it; in sixteen straight pieces, so that integers are enough.
FaultKind clock_sine() {
  using namespace std::chrono_literals;
  FaultKind kind;
  kind.name = "clock_sine";
  kind.about = "the contender's clocks swing around the true time: by so much at most, once a period";
  kind.disturbs = Disturbs::kDrifts;
  kind.band = BandKind::kNone;
  kind.keys = {signed_time_key("by", Draw::time(1ms, 2s)), time_key("period", Draw::time(1s, 120s))};
  kind.lasts = true;
  kind.may_overlap = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    world.speed_clock(call.node, ClockOf::kBoth, rate(call, 0));
  };
  kind.period = piece;
  kind.act = [](FaultPort& world, const FaultCall& call) {
    world.speed_clock(call.node, ClockOf::kBoth, rate(call, call.tick) - rate(call, call.tick - 1));
  };
  kind.end = [](FaultPort& world, const FaultCall& call) {
    world.speed_clock(call.node, ClockOf::kBoth, -rate(call, call.tick));
  };
  return kind;
}

}  // namespace leasescope::faults
