#include "simulator/live/live_refusal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/simba/contender_id.h"
#include "core/store/types/types.h"
#include "simulator/fault/kinds.h"
#include "simulator/live/live_names.h"

namespace leasescope {
namespace {

// `live`: on those stores that carry it.
template <class Carries>
std::vector<std::string> worlds(bool live, Carries carries) {
  std::vector<std::string> out{"virtual"};
  for (const StoreType* type : store_types())
    if (live && carries(*type)) out.push_back(fmt::format("live:{}", type->name()));
  return out;
}

std::string in_other_worlds(const Scenario& scenario, const StoreUrl& store, const std::string& reason) {
  return fmt::format("{} on {}: {} runs in these worlds: {}; leave --store out", reason, printable(store),
                     scenario.name, fmt::join(worlds_of(scenario), ", "));
}

}  // namespace

std::vector<std::string> worlds_of(const Scenario& scenario) {
  return worlds(!scenario.not_live().has_value(),
                [family = scenario.family()](const StoreType& type) { return type.carries(family); });
}
std::vector<std::string> worlds_of(const FaultKind& kind) {
  return worlds(kind.live, [](const StoreType&) { return true; });
}

std::optional<std::string> live_refusal(const Scenario& scenario, const StoreUrl& store) {
  if (const auto reason = scenario.not_live()) return in_other_worlds(scenario, store, *reason);
  if (!store.type->carries(scenario.family()))
    return in_other_worlds(scenario, store, fmt::format("the system {} is not kept", scenario.mutex.system));
  for (const FaultTable& table : scenario.faults)
    if (const FaultKind* kind = find_fault_kind(table.kind);
        table.enabled && store.sealed && kind != nullptr && reads_messages(*kind))
      return in_other_worlds(
          scenario, store,
          fmt::format("the fault {} cannot be produced over TLS, where nobody in between can read a message,",
                      table.kind));
  for (const std::string& mutex : scenario.mutex_names())
    if (auto valid = validate_mutex_name(wire_name(scenario, mutex, store.given)); !valid) return valid.error();
  return std::nullopt;
}

}  // namespace leasescope
