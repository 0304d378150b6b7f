#include "tests/bench/handoff/floor.h"

#include <algorithm>
#include <iterator>

namespace leasescope::bench {
namespace {

constexpr FloorKind kFloors[] = {
    {"redis", redis_floor},
    {"postgres", postgres_floor},
    {"zookeeper", zookeeper_floor},
};

}  // namespace

const FloorKind* find_floor(std::string_view store) {
  const auto* found =
      std::find_if(std::begin(kFloors), std::end(kFloors), [&](const FloorKind& kind) { return kind.store == store; });
  return found != std::end(kFloors) ? found : nullptr;
}

}  // namespace leasescope::bench
