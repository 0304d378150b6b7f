#include "simulator/scenario/scenario_legend.h"

#include <algorithm>

#include "simulator/scenario/scenario.h"

namespace leasescope {

Legend legend_of(const Scenario& scenario) {
  Legend legend;
  legend.faults = fault_legend();
  legend.contenders = scenario.contender_names();
  for (std::string& name : scenario.mutex_names())
    legend.mutexes.push_back({std::move(name), scenario.capacity(), scenario.mutex.system});
  // Each mutex of several guards a copy of its own.
  for (const ResourceTable& resource : scenario.resources) {
    if (legend.mutexes.size() == 1)
      legend.resources.push_back({resource.name, resource.fencing});
    else
      for (const MutexLegend& mutex : legend.mutexes)
        legend.resources.push_back({resource.name + '@' + mutex.name, resource.fencing});
  }
  legend.store.timeout = scenario.store.timeout;
  // Simba's statement publishes nothing.
  legend.store.tells =
      scenario.family() != Family::kRegister &&
      (scenario.store.model != "sql" || scenario.store.sql().statement != SqlTerms::Statement::kUpdate);
  Duration way = scenario.store.latency.median();
  for (const ContenderTable& table : scenario.contenders)
    if (table.latency) way = std::max(way, table.latency->median());
  legend.store.round_trip = 2 * way;
  return legend;
}

}  // namespace leasescope
