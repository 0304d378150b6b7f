// What the commands over seeds share: what a seed is, and which scenario it means.
#pragma once
#include <optional>
#include <string>

#include "simulator/campaign/campaign.h"
#include "simulator/campaign/swarm.h"

namespace leasescope::ctl {

// "swarm": what that seed, or 1, draws; else a built-in name or a file, run under that seed, or its own.
tl::expected<Scenario, InputError> scenario_of(const std::string& name, const SwarmOptions& options,
                                               std::optional<std::uint64_t> seed);

// Of a seed on the command line: the error is for the user.
std::string wrong_seed(const std::string& text);

}  // namespace leasescope::ctl
