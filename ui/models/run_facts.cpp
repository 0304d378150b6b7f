#include "ui/models/run_facts.h"

#include "simulator/scenario/scenario.h"
#include "simulator/scenario/scenario_legend.h"

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
  facts.legend = legend_of(scenario);
  return facts;
}

}  // namespace leasescope
