#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

// One of each two neighbours; the last of an odd fleet always.
bool takes_part(const FaultCall& call) {
  const NodeIndex pair = call.node / 2;
  if (call.node % 2 == 0 && call.node + 1 == call.fleet) return true;
  return (call.draws("half", pair).next() & 1) == call.node % 2;
}

struct Moments {
  Duration clogged{};  // from its beginning: in the first half of the duration
  Duration freed{};    // in the second
};

Moments moments_of(const FaultCall& call) {
  const std::int64_t half = call.duration.count() / 2;
  RandomStream draws = call.draws("moments", call.node);
  const auto within = [&](std::int64_t length) {
    return length <= 0 ? 0 : static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(length)));
  };
  const std::int64_t clogged = within(half);
  return {Duration(clogged), Duration(half + within(call.duration.count() - half))};
}

}  // namespace

// Found to shake out what regular faults do not (FoundationDB): half of the links are clogged one after the other, then
// freed in another order. Meant for target = all.
FaultKind swizzle() {
  FaultKind kind;
  kind.name = "swizzle";
  kind.about = "a random half of the targets is clogged in a random order, and unclogged in another";
  kind.lasts = true;
  kind.of_network = true;
  kind.hits = takes_part;
  kind.begin = [](FaultPort&, const FaultCall&) {};
  kind.period = [](const FaultCall& call) {
    const Moments moments = moments_of(call);
    if (call.tick == 0) return moments.clogged;
    return call.tick == 1 ? moments.freed - moments.clogged : call.duration;
  };
  kind.act = [](FaultPort& world, const FaultCall& call) {
    if (call.tick == 1) world.clog(call.node, LinkDirection::kBoth);
    if (call.tick == 2) world.unclog(call.node, LinkDirection::kBoth);
  };
  kind.end = [](FaultPort& world, const FaultCall& call) {
    if (call.tick == 1) world.unclog(call.node, LinkDirection::kBoth);
  };
  return kind;
}

}  // namespace leasescope::faults
