#include "core/quorum/chains.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/expect.h"
#include "core/base/random_stream.h"
#include "core/quorum/priority.h"

namespace leasescope::chains {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;
// A chain of 100 000 priorities is longer than that in one round of 10^30.
constexpr int kLongest = 128;

void check(int priorities) {
  expect(priorities >= 1 && priorities <= kMostPriorities, "a chain has 1 to 100 000 priorities");
}

// Sums of whole numbers: the same on every machine.
class Tally {
 public:
  void add(std::uint64_t holders) {
    ++rounds_;
    sum_ += holders;
    squares_ += holders * holders;
  }
  Measured measured() const {
    Measured out;
    out.rounds = rounds_;
    if (rounds_ == 0) return out;
    const auto count = static_cast<double>(rounds_);
    out.mean = static_cast<double>(sum_) / count;
    out.variance = static_cast<double>(squares_) / count - out.mean * out.mean;
    out.error = std::sqrt(out.variance / count);
    return out;
  }

 private:
  std::uint64_t rounds_ = 0, sum_ = 0, squares_ = 0;
};

}  // namespace

Published published(int priorities) {
  check(priorities);
  Published out;
  double chance = 1;
  for (int n = 1; n <= priorities; ++n) {
    chance /= priorities - (n - 1);
    out.total += chance;
    out.mean += n * chance;
  }
  return out;
}

// Whoever comes j-th steals exactly if he is the highest of the first j: with the chance 1/j, whatever was before. The
// sum of these draws is folded one by one.
Length::Length(int priorities) : chances_(1, 1.0) {
  check(priorities);
  for (int j = 1; j <= priorities; ++j) {
    const double p = 1.0 / j;
    mean_ += p;
    variance_ += p - p * p;
    if (chances_.size() <= kLongest) chances_.push_back(0);
    for (std::size_t n = chances_.size() - 1; n > 0; --n) chances_[n] = chances_[n] * (1 - p) + chances_[n - 1] * p;
    chances_[0] *= 1 - p;
  }
}

double Length::chance(int holders) const {
  return holders < 0 || holders >= static_cast<int>(chances_.size()) ? 0 : chances_[static_cast<std::size_t>(holders)];
}

double Length::beyond(int holders) const {
  double sum = 0;  // from the small end, or what is small is lost
  for (int n = static_cast<int>(chances_.size()) - 1; n > holders && n >= 0; --n) sum += chance(n);
  return sum;
}

int Length::quantile(double share) const {
  expect(share > 0 && share < 1, "a quantile lies between 0 and 1");
  return least(1 - share);
}

int Length::least(double chance) const {
  int holders = 1;
  while (beyond(holders) > chance) ++holders;
  return holders;
}

// From the highest down: of who holds with priority k, the next event is a claim that steals, or its release.
double mean_with_releases(int priorities, double rho) {
  check(priorities);
  expect(rho >= 0, "claims come at a rate that is not below zero");
  double above = 0;  // the sum of the means of all that are higher
  for (int k = priorities; k >= 1; --k) {
    const double higher = priorities - k;
    const double stolen = rho * higher / (rho * higher + priorities);
    above += 1 + (higher > 0 ? stolen * above / higher : 0);
  }
  return above / priorities;
}

double timeout_probability(const Length& length, Duration acquire, Duration ttl) {
  expect(acquire > Duration::zero(), "a handshake takes time");
  const std::int64_t fits = ttl / acquire;
  return length.beyond(static_cast<int>(std::clamp<std::int64_t>(fits, 0, kLongest)));
}

Duration ttl_for(const Length& length, Duration acquire, double wanted) {
  expect(wanted > 0 && wanted < 1, "a probability lies between 0 and 1");
  return acquire * length.least(wanted);
}

Measured measure(int priorities, std::uint64_t rounds, std::uint64_t seed) {
  check(priorities);
  RandomStream draws(seed, "chains", "order");
  std::vector<Priority> order(static_cast<std::size_t>(priorities));
  std::iota(order.begin(), order.end(), Priority{1});
  Tally tally;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::uint64_t holders = 0;
    Priority held = 0;
    for (std::size_t next = 0; next < order.size() && (holders == 0 || held != priorities); ++next) {
      std::swap(order[next], order[next + draws.below(order.size() - next)]);
      if (holders != 0 && !steals(order[next], held)) continue;
      held = order[next];
      ++holders;
    }
    tally.add(holders);
  }
  return tally.measured();
}

Measured measure_with_releases(int priorities, std::uint64_t rho_ppm, std::uint64_t rounds, std::uint64_t seed) {
  check(priorities);
  RandomStream draws(seed, "chains", "releases");
  const auto drawn = [&] { return static_cast<Priority>(draws.below(static_cast<std::uint64_t>(priorities)) + 1); };
  Tally tally;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    Priority held = drawn();
    std::uint64_t holders = 1;
    // Both come at random, as often as they do: a claim before the release with the chance rho / (1 + rho).
    while (draws.below(kMillion + rho_ppm) < rho_ppm) {
      const Priority claim = drawn();
      if (!steals(claim, held)) continue;
      held = claim;
      ++holders;
    }
    tally.add(holders);
  }
  return tally.measured();
}

}  // namespace leasescope::chains
