#include "simulator/campaign/verdict.h"

#include <fmt/format.h>

#include "simulator/campaign/replay.h"
#include "simulator/campaign/swarm_run.h"
#include "simulator/run/bare_run.h"
#include "simulator/run/outcome.h"
#include "simulator/scenario/validity.h"

namespace leasescope {
namespace {

// Of the run it observes.
class Calls {
 public:
  Calls(const Scenario& scenario, const BareRun& run) : legality_(scenario), names_(run.world().names()) {}

  void input(const DispatchedInput&) {}
  void event(const Event& event) { legality_.append(event, names_); }
  LegalVerdict judge() const { return legality_.judge(); }

 private:
  Legality legality_;
  const NameTable& names_;
};

Verdict judge_by_expectations(const Scenario& scenario) {
  BareRun run(scenario);
  Verdict out;
  out.end = TrueTime{} + scenario.length();
  Calls calls(scenario, run);
  while (run.step(out.end, calls)) {
  }
  Checkers checkers = run.checkers();
  checkers.finish(out.end);
  Outcome outcome;
  outcome.summary = checkers.summary();
  outcome.legal = calls.judge();
  outcome.summary.illegal_mutexes = outcome.legal->illegal;
  out.undecided = outcome.legal->undecided > 0;
  out.summary = outcome.summary;
  judge(outcome, scenario, run.world().unfired());
  const Expectations wanted = wanted_of(scenario);
  out.not_judged = outside_of_expectations(scenario);
  for (const auto& [field, expectation] : wanted.fields) {
    const bool held = holds(expectation, scenario.terms(), outcome.summary);
    if (expectation.share && held && out.not_judged.empty()) out.shares.push_back(field);
    if (!expectation.share && !held) out.subject += field + " ";
  }
  if (!outcome.as_expected.value_or(true)) {
    out.failure = Failure::kNotAsExpected;
    for (const std::string& reason : outcome.reasons) out.reason += (out.reason.empty() ? "" : "; ") + reason;
  }
  out.firings = run.world().firings();
  out.trace_hash = run.trace_hash();
  out.inputs = run.inputs();
  return out;
}

// Only what a summary counts can be expected; the others are told in words.
const char* field_of(Failure failure) {
  switch (failure) {
    case Failure::kStaleWriteAccepted:
      return "stale_writes_accepted";
    case Failure::kDoubleGrant:
      return "double_grants";
    case Failure::kFenceRegression:
      return "fence_regressions";
    case Failure::kUnexplainedOverlap:
      return "incidents.belief_overlap";
    case Failure::kIllegal:
      return "illegal_mutexes";
    case Failure::kNoProgress:
    case Failure::kLostUndisturbed:
    case Failure::kStorm:
    case Failure::kNotAsExpected:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

Verdict verdict_of(const Scenario& scenario) {
  return scenario.heal ? judge_swarm(scenario) : judge_by_expectations(scenario);
}

Scenario replay_of(const Scenario& scenario, const Verdict& verdict) {
  Scenario out = scenario;
  out.duration = TimeExpression(verdict.end.time_since_epoch());
  const std::string told =
      verdict.failure ? fmt::format("{}: {}", about(*verdict.failure), verdict.reason) : std::string();
  out.replay = replay_note(verdict.trace_hash, told);
  if (const char* field = verdict.failure ? field_of(*verdict.failure) : nullptr)
    out.expected.fields[field] = *parse_expectation(field, "0");
  return out;
}

}  // namespace leasescope
