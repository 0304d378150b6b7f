#include "simulator/live/live_refusal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/simba/contender_id.h"
#include "simulator/live/live_names.h"

namespace leasescope {

std::optional<std::string> live_refusal(const Scenario& scenario, const StoreUrl& store) {
  if (const auto reason = scenario.not_live())
    return fmt::format("{} on {}: {} runs in these worlds: {}; leave --store out", *reason, printable(store),
                       scenario.name, fmt::join(scenario.worlds(), ", "));
  for (const std::string& mutex : scenario.mutex_names())
    if (auto valid = validate_mutex_name(wire_name(scenario, mutex, store.given)); !valid) return valid.error();
  return std::nullopt;
}

}  // namespace leasescope
