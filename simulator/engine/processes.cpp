#include "simulator/engine/processes.h"

#include <optional>

namespace leasescope {
namespace {

// By the system that the scenario names.
AnyContender make_contender(const Scenario& scenario, const ContenderTable& table, const ContenderSetting& setting) {
  std::optional<AnyContender> out;
  visit_system(scenario.mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    out.emplace(
        Terms::Contender::make(setting, std::get<Terms>(scenario.system), std::get<typename Terms::Plan>(table.plan)));
  });
  expect(out.has_value(), "a scenario names a system that there is");
  return *out;
}

}  // namespace

void each_process(const Scenario& scenario, const std::vector<Name>& ids, const std::vector<Name>& mutexes,
                  const std::function<void(const Process&)>& take) {
  const std::vector<std::string> names = scenario.contender_names();
  NodeIndex index = 0;
  for (const ContenderTable& table : scenario.contenders) {
    for (int i = 0; i < table.count; ++i, ++index) {
      const std::string& name = names[index];
      const auto mutex = static_cast<std::uint32_t>(index % mutexes.size());
      ContenderSetting setting{ids[index],
                               mutexes[mutex],
                               scenario.terms(),
                               scenario.store.timeout,
                               scenario.mutex.initial_delay,
                               table.behaviour,
                               scenario.mutex.wake_up,
                               table.callback > Duration::zero(),
                               index,
                               RandomStream(scenario.seed, name, "jitter")};
      Process process{index, mutex, ids[index], &table, make_contender(scenario, table, setting)};
      process.clock.wall = SkewedClock<WallTime>(table.clock.offset, table.clock.drift_ppm);
      process.clock.steady = SkewedClock<SteadyTime>(Duration::zero(), table.clock.steady_ppm);
      for (const ResourceTable& resource : scenario.resources)
        process.works.emplace_back(RandomStream(scenario.seed, name, "writes to " + resource.name));
      take(process);
    }
  }
}

}  // namespace leasescope
