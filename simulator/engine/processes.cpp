#include "simulator/engine/processes.h"

namespace leasescope {
namespace {

SimbaConfig config_of(const Scenario& scenario, const ContenderTable& table) {
  SimbaConfig config;
  config.terms = scenario.terms();
  config.behaviour = table.behaviour;
  config.timeout = scenario.store.timeout;
  config.initial_delay = scenario.mutex.initial_delay;
  config.reports_callbacks = table.callback > Duration::zero();
  config.reports_work = true;
  return config;
}

}  // namespace

void each_process(const Scenario& scenario, const std::vector<Name>& ids, const std::vector<Name>& mutexes,
                  const std::function<void(const Process&)>& take) {
  const std::vector<std::string> names = scenario.contender_names();
  NodeIndex index = 0;
  for (const ContenderTable& table : scenario.contenders) {
    SimbaConfig config = config_of(scenario, table);
    for (int i = 0; i < table.count; ++i, ++index) {
      const std::string& name = names[index];
      const auto mutex = static_cast<std::uint32_t>(index % mutexes.size());
      config.id = ids[index];
      config.mutex = mutexes[mutex];
      Process process{index, mutex, ids[index], &table,
                      SimbaContender(config, RandomStream(scenario.seed, name, "jitter"))};
      process.clock.wall = SkewedClock<WallTime>(table.clock.offset, table.clock.drift_ppm);
      process.clock.steady = SkewedClock<SteadyTime>(Duration::zero(), table.clock.steady_ppm);
      for (const ResourceTable& resource : scenario.resources)
        process.works.emplace_back(RandomStream(scenario.seed, name, "writes to " + resource.name));
      take(process);
    }
  }
}

}  // namespace leasescope
