#include "app/leasescopectl_seeds.h"

#include "simulator/scenario/catalogue.h"

namespace leasescope::ctl {

tl::expected<Scenario, InputError> scenario_of(const std::string& name, const SwarmOptions& options,
                                               std::optional<std::uint64_t> seed) {
  if (name == "swarm") return draw_swarm(seed.value_or(1), options);
  auto found = find_scenario(name, options.sets);
  if (found && seed && !found->heal) found->seed = *seed;  // a swarm's file has its own
  return found;
}

}  // namespace leasescope::ctl
