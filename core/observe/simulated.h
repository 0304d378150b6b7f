// A scenario after what was seen of one mutex: what was seen stands in it as it was, what was not is said to be
// assumed.
#pragma once
#include <string>
#include <string_view>

#include "core/observe/watch.h"

namespace leasescope {

struct SimulatedFrom {
  std::string_view model;  // that stands for its store in virtual time
  Duration latency{};      // from a question to its answer, as it was seen last
};

// As TOML.
std::string scenario_after(const WatchedMutex& mutex, const SimulatedFrom& from);

}  // namespace leasescope
