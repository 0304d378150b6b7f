#include "ui/timeline/paint/run_facts.h"

#include "simulator/scenario/scenario.h"

namespace leasescope {

RunFacts run_facts(const Scenario& scenario, const std::string& world, const std::string& store) {
  RunFacts facts;
  facts.scenario = scenario.name;
  facts.title = scenario.title;
  facts.world = world;
  facts.store = store.empty() ? scenario.store.model + " (model)" : store;
  facts.seed = scenario.seed;
  facts.terms = scenario.terms();
  facts.length = scenario.length();
  facts.mutexes = scenario.mutex_names();
  facts.contenders = scenario.contender_names();
  // Each mutex of several guards a copy of its own.
  for (const ResourceTable& resource : scenario.resources) {
    if (facts.mutexes.size() == 1)
      facts.resources.push_back({resource.name, resource.fencing});
    else
      for (const std::string& mutex : facts.mutexes)
        facts.resources.push_back({resource.name + '@' + mutex, resource.fencing});
  }
  return facts;
}

}  // namespace leasescope
