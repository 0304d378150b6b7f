#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

constexpr std::int32_t kAll = 1'000'000;  // more than any pool has

}  // namespace

// Slow queries of the application, or a leak: lease calls wait for a connection, and give up when their time is over.
FaultKind pool_exhausted() {
  FaultKind kind;
  kind.name = "pool_exhausted";
  kind.about = "others in the contender's process hold every connection of its pool";
  kind.lasts = true;
  kind.live = false;
  kind.models = {"sql"};
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.take_connections(call.node, kAll); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.take_connections(call.node, -kAll); };
  return kind;
}

}  // namespace leasescope::faults
