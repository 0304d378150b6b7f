#include "app/leasescopectl_seeds.h"

#include <fstream>

#include "simulator/scenario/catalogue.h"

namespace leasescope::ctl {

tl::expected<Scenario, InputError> scenario_of(const std::string& name, const SwarmOptions& options,
                                               std::uint64_t seed) {
  if (name == "swarm") return draw_swarm(seed, options);
  auto found = find_scenario(name, options.sets);
  if (found && !found->heal) found->seed = seed;  // a swarm's file has its own
  return found;
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  return out.good();
}

}  // namespace leasescope::ctl
