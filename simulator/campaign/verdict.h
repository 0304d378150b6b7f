// One seed, run and judged: a swarm's by the invariants, any other scenario by what it declares.
#pragma once
#include <optional>

#include "core/history/summary.h"
#include "simulator/campaign/invariants.h"

namespace leasescope {

struct Verdict {
  std::optional<Failure> failure;
  std::string subject;  // of the failure: the fields that are not as expected
  std::string reason;
  std::string not_judged;  // why it is neither a failure nor none
  std::vector<Broken> excused;
  std::vector<std::uint32_t> firings;  // by kind of fault
  std::vector<std::string> shares;     // fields expected for a share of seeds, and as expected in this one
  Summary summary;
  bool undecided = false;  // whether the calls are legal
  std::uint64_t trace_hash = 0;
  std::uint64_t inputs = 0;
  TrueTime end{};  // what is run up to here has that hash

  bool fails_like(const Verdict& other) const {
    return failure && failure == other.failure && subject == other.subject;
  }
};

Verdict verdict_of(const Scenario& scenario);

// The scenario as a file tells it that can be run again: with its hash, ending where the run ended, and expecting of a
// swarm's seed what did not hold.
Scenario replay_of(const Scenario& scenario, const Verdict& verdict);

}  // namespace leasescope
