// The smallest fault plan that still fails: delta debugging over the explicit list, then simpler values.
#pragma once
#include <functional>

#include "simulator/scenario/scenario.h"

namespace leasescope {

// Whether a scenario still fails for the reason that is looked into.
using StillFails = std::function<bool(const Scenario&)>;

struct Shrunk {
  Scenario scenario;
  int tries = 0;
};

// `scenario` must fail. Rows that heal a swarm stay as long as taking them all out would change the failure.
Shrunk shrink(const Scenario& scenario, const StillFails& still_fails);

}  // namespace leasescope
