// A swarm's scenario: everything drawn from one seed, the fault plan as an explicit list. A plan that is written out,
// or that loses a fault, draws nothing anew.
#pragma once
#include <string>
#include <vector>

#include "simulator/scenario/reader.h"

namespace leasescope {

struct SwarmOptions {
  std::vector<std::string> sets;     // "path=value", on top of what was drawn; contender.* means every one
  std::vector<std::string> without;  // kinds of fault that are off in every seed
  std::string system = std::string(SimbaTerms::kSystem);
};

// Faults begin before `heal`; there every contender that is down is started again, and nothing is drawn for later.
tl::expected<Scenario, InputError> draw_swarm(std::uint64_t seed, const SwarmOptions& options = {});

// May the swarm draw this kind? What only takes another one back comes with that other.
bool is_drawn(const FaultKind& kind);
// The rows of the plan that begin at `heal` or later: they belong to the swarm, not to the failure.
bool heals(const FaultTable& fault, const Scenario& scenario);

// The longest that a single message takes one way, when no fault delays it.
Duration longest_way(const Scenario& scenario);

}  // namespace leasescope
