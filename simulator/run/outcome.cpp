#include "simulator/run/outcome.h"

#include "simulator/scenario/validity.h"

namespace leasescope {
namespace {

std::string why_not(const Scenario& scenario, RunEnd end) {
  if (std::string outside = outside_of_expectations(scenario); !outside.empty()) return outside;
  if (end == RunEnd::kStopped) return "stopped";
  if (end == RunEnd::kForked) return "edited (forked)";
  return {};
}

}  // namespace

void judge(Outcome& outcome, const Scenario& scenario, const std::vector<std::string>& unfired, RunEnd end) {
  outcome.as_expected.reset();
  outcome.reasons.clear();
  outcome.not_judged = why_not(scenario, end);
  if (!outcome.not_judged.empty()) return;
  const Judgement judgement = judge(wanted_of(scenario), scenario.terms(), outcome.summary);
  outcome.as_expected = judgement.as_expected;
  outcome.reasons = judgement.reasons;
  if (!outcome.as_expected) outcome.not_judged = "a single run is no share of seeds";
  // Whoever says nothing of it expects legal calls, but of faults that may lead to more holders than are allowed.
  if (outcome.legal && outcome.legal->illegal > 0 && !outcome.legal->excused && outcome.as_expected &&
      wanted_of(scenario).fields.count("illegal_mutexes") == 0) {
    outcome.as_expected = false;
    outcome.reasons.push_back(outcome.legal->reason);
  }
  if (unfired.empty() || !outcome.as_expected) return;
  outcome.as_expected = false;
  outcome.reasons.insert(outcome.reasons.end(), unfired.begin(), unfired.end());
}

std::string verdict_text(const Outcome& outcome) {
  if (outcome.as_expected.value_or(false) && outcome.summary.unobserved > Duration::zero())
    return "as expected in what was observed";
  if (outcome.as_expected) return *outcome.as_expected ? "as expected" : "not as expected";
  return outcome.not_judged.empty() ? "not judged" : "not judged: " + outcome.not_judged;
}

}  // namespace leasescope
