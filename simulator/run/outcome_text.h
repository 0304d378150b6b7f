// An outcome in words, and as the JSON object that `run --json` prints.
#pragma once
#include <string>

#include "simulator/run/outcome.h"

namespace leasescope {

std::string outcome_json(const Outcome& outcome, const History& history, const Scenario& scenario);
// Summary, incidents and verdict for a terminal.
std::string outcome_text(const Outcome& outcome, const History& history, const Scenario& scenario);

}  // namespace leasescope
