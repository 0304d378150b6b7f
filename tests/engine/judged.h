// One seed of a scenario, judged by what its file declares.
#pragma once
#include <map>
#include <string>

#include "simulator/campaign/verdict.h"
#include "simulator/scenario/validity.h"
#include "tests/engine/runs.h"

namespace leasescope::tests {

// The expectations of a share of seeds: field → seeds in which it held.
using Shares = std::map<std::string, int>;

// What is wrong with that seed: empty = nothing.
inline QString judge_seed(Scenario& of, std::uint64_t seed, Shares& shares) {
  of.seed = seed;
  const Verdict verdict = verdict_of(of);
  bool judged = false;  // by anything that must hold in each seed
  for (const auto& [field, expectation] : wanted_of(of).fields) {
    judged = judged || !expectation.share;
    if (expectation.share) shares.try_emplace(field);
  }
  for (const std::string& field : verdict.shares) ++shares[field];
  if (!judged) return "nothing is expected of each seed";
  if (!verdict.failure && verdict.not_judged.empty()) return {};
  return QString("seed %1: %2")
      .arg(seed)
      .arg(QString::fromStdString(verdict.failure ? verdict.reason : "not judged: " + verdict.not_judged));
}

}  // namespace leasescope::tests
