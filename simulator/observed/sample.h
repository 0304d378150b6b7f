// Lengths of time that were observed, and the distribution of the scenario form that is most like them.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/time/clock.h"

namespace leasescope {

class Sample {
 public:
  Sample() = default;
  explicit Sample(std::vector<Duration> values);

  std::size_t count() const { return sorted_.size(); }
  bool empty() const { return sorted_.empty(); }
  // The shortest one that at least that share of them, in thousandths, is not above. There is at least one.
  Duration quantile(int thousandths) const;
  Duration median() const { return quantile(500); }
  Duration longest() const { return sorted_.back(); }
  const std::vector<Duration>& sorted() const { return sorted_; }

 private:
  std::vector<Duration> sorted_;
};

// "12 observed: median 3ms, p90 7ms, longest 9ms"; "1 observed: 3ms"; "not observed".
std::string sample_text(const Sample& sample);

// A delay by its median and its 99th percentile, as `{ median, p99 }` of a scenario: log-normal. Of fewer than
// kLeastFitted observations the two are equal: no spread is made up of so few.
struct FittedDelay {
  Duration median{}, p99{};
  bool spreads() const { return p99 > median; }
};
inline constexpr std::size_t kLeastFitted = 10;
// Of one way, by observed single ways; by round trips, of which each is two ways that are drawn apart. At least one
// value; the spread is that between the median and the 99th percentile, of fewer than a hundred values the 90th.
FittedDelay fitted_way(const Sample& ways);
FittedDelay fitted_half(const Sample& round_trips);

// To the next whole microsecond, millisecond from a second on: what is estimated is no better than that.
Duration rounded(Duration length);

}  // namespace leasescope
