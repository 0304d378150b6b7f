// Moments of a run that an option names: "15s", or in the scenario's leases.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "simulator/scenario/scenario.h"

namespace leasescope::ctl {

// After the run's beginning; the error is for the user.
tl::expected<TrueTime, std::string> time_of(const char* option, const std::string& text, const Scenario& scenario);

}  // namespace leasescope::ctl
