// A swarm's scenario, run and judged: faults first, then progress is demanded, then that nobody loses what he holds.
#pragma once
#include "simulator/campaign/verdict.h"

namespace leasescope {

// Of a scenario with `heal`. It ends when it has shown enough; its own duration is not looked at.
Verdict judge_swarm(const Scenario& scenario);

}  // namespace leasescope
