// What of a scenario cannot be run on a live store, said before anything starts.
#pragma once
#include <optional>
#include <string>

#include "core/store/url.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// None when it can.
std::optional<std::string> live_refusal(const Scenario& scenario, const StoreUrl& store);

}  // namespace leasescope
