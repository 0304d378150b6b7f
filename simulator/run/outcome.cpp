#include "simulator/run/outcome.h"

namespace leasescope {

void judge(Outcome& outcome, const Scenario& scenario, const std::vector<std::string>& unfired) {
  const Expectations wanted =
      scenario.fencing() ? scenario.expected : overlay(scenario.expected, scenario.expected_unfenced);
  const Judgement judgement = judge(wanted, scenario.terms(), outcome.summary);
  outcome.as_expected = judgement.as_expected;
  outcome.reasons = judgement.reasons;
  if (unfired.empty() || !outcome.as_expected) return;
  outcome.as_expected = false;
  outcome.reasons.insert(outcome.reasons.end(), unfired.begin(), unfired.end());
}

}  // namespace leasescope
