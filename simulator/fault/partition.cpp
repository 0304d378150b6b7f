#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

enum class Shape : std::uint8_t { kIsolate, kHalves, kRing, kBridge };

// Contenders never speak to one another, so that a shape comes down to who is cut off from the store. The store counts
// as a member, at place 0; the contenders follow it. With several stores each would stand at a place of its own, and
// whether a pair of places is cut off would be asked for each of them.
//   isolate  every target is cut off
//   halves   two halves that do not hear each other; the store stands in the first
//   ring     in a circle, each hears the majority that is nearest to it, no two the same
//   bridge   halves, but the first member of the second one hears both
bool is_cut_off(Shape shape, std::uint32_t place, std::uint32_t members) {
  const std::uint32_t first_half = (members + 1) / 2;
  switch (shape) {
    case Shape::kIsolate:
      return true;
    case Shape::kHalves:
      return place >= first_half;
    case Shape::kRing: {
      const std::uint32_t to_each_side = (members / 2 + 1) / 2;  // twice that and itself are a majority
      return std::min(place, members - place) > to_each_side;
    }
    case Shape::kBridge:
      return place > first_half;
  }
  return true;
}

}  // namespace

// Virtual: messages on the link are lost. Live: the contender's own listener on the fault proxy stalls that direction.
FaultKind partition() {
  FaultKind kind;
  kind.name = "partition";
  kind.about = "contenders are cut off from the store, not from the resource; shapes are for target = all";
  kind.began = "{who} is cut off from the store for {for}";
  kind.ended = "{who} reaches the store again";
  kind.disturbs = Disturbs::kCuts;
  kind.keys = {direction_key(), {"shape", FaultKeyType::kWord, {"isolate", "halves", "ring", "bridge"}, false}};
  kind.lasts = true;
  kind.hits = [](const FaultCall& call) {
    return is_cut_off(static_cast<Shape>(call.values[1]), call.node + 1, call.fleet + 1);
  };
  kind.of_network = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.cut(call.node, direction_of(call)); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.heal(call.node, direction_of(call)); };
  return kind;
}

}  // namespace leasescope::faults
