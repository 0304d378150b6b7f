#include "app/leasescopectl_seeds.h"

#include <charconv>

#include <fmt/format.h>

#include "simulator/scenario/catalogue.h"

namespace leasescope::ctl {

tl::expected<Scenario, InputError> scenario_of(const std::string& name, const SwarmOptions& options,
                                               std::optional<std::uint64_t> seed) {
  if (name == "swarm") return draw_swarm(seed.value_or(1), options);
  auto found = find_scenario(name, options.sets);
  if (found && seed && !found->heal) found->seed = *seed;  // a swarm's file has its own
  return found;
}

std::string wrong_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool good = error == std::errc() && end == text.data() + text.size() && seed <= INT64_MAX;
  return good ? std::string() : fmt::format("{} is no seed: expected a whole number from 0 to {}", text, INT64_MAX);
}

}  // namespace leasescope::ctl
