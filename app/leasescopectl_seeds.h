// What the commands over seeds share: which scenario a seed means.
#pragma once
#include <optional>
#include <string>

#include "simulator/campaign/campaign.h"
#include "simulator/campaign/swarm.h"

namespace leasescope::ctl {

// "swarm": what that seed, or 1, draws; else a built-in name or a file, run under that seed, or its own.
tl::expected<Scenario, InputError> scenario_of(const std::string& name, const SwarmOptions& options,
                                               std::optional<std::uint64_t> seed);

}  // namespace leasescope::ctl
