// The fault plan of a swarm's scenario: which kinds are on at all, how often, when and on whom.
#pragma once
#include "simulator/scenario/scenario.h"

namespace leasescope {

// Draws the faults of a scenario that is complete but for them, and the rows that heal what does not end by itself.
// Every kind draws from streams of its own: a new kind shifts no other one's faults.
void draw_plan(std::uint64_t seed, const std::vector<std::string>& without, Scenario& out);

}  // namespace leasescope
