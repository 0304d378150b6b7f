// What the commands over seeds share: which scenario a seed means, and writing what came of it.
#pragma once
#include <string>

#include "simulator/run/campaign.h"
#include "simulator/scenario/swarm.h"

namespace leasescope::ctl {

// "swarm": what that seed draws; else a built-in name or a file, run under that seed.
tl::expected<Scenario, InputError> scenario_of(const std::string& name, const SwarmOptions& options,
                                               std::uint64_t seed);
bool write_file(const std::string& path, const std::string& text);

}  // namespace leasescope::ctl
