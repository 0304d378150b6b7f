// A scenario as the TOML that read_scenario reads back to an equal one, every value written out.
#pragma once
#include <string>

#include "simulator/scenario/scenario.h"

namespace leasescope {

std::string scenario_text(const Scenario& scenario);

}  // namespace leasescope
