// Chains of thieves: how many hold a lock, one stealing from the other, until the highest priority has it. What the
// author's formula says, what is true, what is measured, and how long a lease must be for it (README.md).
#pragma once
#include <cstdint>
#include <vector>

#include "core/time/clock.h"

namespace leasescope::chains {

inline constexpr int kMostPriorities = 100'000;

// The formula as it was published: C(N) = 1/P · 1/(P−1) · … (N factors), E = Σ N·C(N), and Σ C(N), which is not one.
struct Published {
  double mean = 0;
  double total = 0;
};
Published published(int priorities);

// The number of holders in one round: from the first to come until the highest of `priorities`, each of which comes
// once, in any order.
class Length {
 public:
  explicit Length(int priorities);

  double mean() const { return mean_; }          // H_P = 1 + 1/2 + … + 1/P
  double variance() const { return variance_; }  // H_P − (1 + 1/4 + … + 1/P²)
  double thefts() const { return mean_ - 1; }    // on average
  // Of exactly so many, and of more than so many; 0 beyond what a double can tell.
  double chance(int holders) const;
  double beyond(int holders) const;
  // The least number that is not exceeded in that share of rounds, 0 < share < 1.
  int quantile(double share) const;
  // The least number that is exceeded with that chance at most.
  int least(double chance) const;

 private:
  double mean_ = 0;
  double variance_ = 0;
  std::vector<double> chances_;  // by the number of holders
};

// The mean where holders also release: `rho` claims come in the time a lock is held on average, of any priority.
double mean_with_releases(int priorities, double rho);

// A lease of `ttl` is too short for a chain whose handshakes, `acquire` each, take longer together.
double timeout_probability(const Length& length, Duration acquire, Duration ttl);
// The shortest for which that happens with `wanted` at most.
Duration ttl_for(const Length& length, Duration acquire, double wanted);

struct Measured {
  std::uint64_t rounds = 0;
  double mean = 0;
  double error = 0;  // of the mean, one standard deviation
  double variance = 0;
};
// Rounds of claims drawn at random and decided by the rule that decides at the servers (priority.h).
Measured measure(int priorities, std::uint64_t rounds, std::uint64_t seed);
// Likewise with releases; `rho` in millionths, from the first claim on a free lock to its release.
Measured measure_with_releases(int priorities, std::uint64_t rho_ppm, std::uint64_t rounds, std::uint64_t seed);

}  // namespace leasescope::chains
