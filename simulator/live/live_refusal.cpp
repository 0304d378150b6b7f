#include "simulator/live/live_refusal.h"

#include <fmt/format.h>

#include "core/contend/contender_id.h"
#include "simulator/live/live_names.h"

namespace leasescope {

std::optional<std::string> live_refusal(const Scenario& scenario, const StoreUrl& store) {
  for (const FaultTable& table : scenario.faults) {
    if (!table.enabled || table.live()) continue;
    std::string worlds;
    for (const std::string& world : scenario.worlds()) worlds += (worlds.empty() ? "" : ", ") + world;
    return fmt::format("the fault {} cannot be produced on {}: {} runs in these worlds: {}; leave --store out",
                       table.kind, printable(store), scenario.name, worlds.empty() ? "none" : worlds);
  }
  for (const ContenderTable& table : scenario.contenders)
    if (table.behaviour == Behaviour::k31 || table.behaviour == Behaviour::k30)
      return fmt::format(
          "contender {}: the behaviour {} is not spoken on {} yet: expected leasescope or 4.x, or leave "
          "--store out",
          table.name, text(table.behaviour), printable(store));
  for (const std::string& mutex : scenario.mutex_names())
    if (auto valid = validate_mutex_name(wire_name(scenario, mutex, store.given)); !valid) return valid.error();
  return std::nullopt;
}

}  // namespace leasescope
