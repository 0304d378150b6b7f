// One seed of a scenario, judged by what its file declares.
#pragma once
#include <map>
#include <string>

#include "simulator/run/bare_run.h"
#include "simulator/scenario/validity.h"
#include "tests/engine/runs.h"

namespace leasescope::tests {

// The expectations of a share of seeds: field → seeds in which it held.
using Shares = std::map<std::string, int>;

// Of the run it observes.
struct Calls {
  Legality legality;
  const NameTable& names;

  void input(const DispatchedInput&) {}
  void event(const Event& event) { legality.append(event, names); }
};

inline QString judge_seed(Scenario& of, std::uint64_t seed, Shares& shares) {
  of.seed = seed;
  BareRun run(of);
  const TrueTime end = TrueTime{} + of.length();
  Calls calls{Legality(of), run.world().names()};
  while (run.step(end, calls)) {
  }
  Checkers checkers = run.checkers();
  checkers.finish(end);
  Outcome outcome;
  outcome.summary = checkers.summary();
  outcome.legal = calls.legality.judge();
  outcome.summary.illegal_mutexes = outcome.legal->illegal;
  judge(outcome, of, run.world().unfired());
  for (const auto& [field, expectation] : wanted_of(of).fields)
    if (expectation.share) shares[field] += holds(expectation, of.terms(), outcome.summary);
  if (outcome.as_expected.value_or(false)) return {};
  return QString("seed %1: %2")
      .arg(seed)
      .arg(QString::fromStdString(outcome.reasons.empty() ? verdict_text(outcome) : outcome.reasons.front()));
}

}  // namespace leasescope::tests
