// A distribution of delays, sampled from a table of integers: the same numbers on every machine.
#pragma once
#include <array>
#include <string>

#include "core/lease/random_stream.h"
#include "core/time/clock.h"

namespace leasescope {

class Distribution {
 public:
  enum class Shape : std::uint8_t { kConstant, kUniform, kLogNormal, kExponential };

  Distribution() = default;
  static Distribution constant(Duration value);
  static Distribution uniform(Duration from, Duration to);
  // Median and 99th percentile; p99 >= median > 0.
  static Distribution log_normal(Duration median, Duration p99);
  static Distribution exponential(Duration mean);

  Shape shape() const { return shape_; }
  Duration first() const { return first_; }    // the value, lower end, median or mean
  Duration second() const { return second_; }  // the upper end or p99

  Duration longest() const { return shape_ == Shape::kConstant ? first_ : Duration(quantiles_.back()); }

  bool operator==(const Distribution&) const = default;

  Duration sample(RandomStream& stream) const {
    if (shape_ == Shape::kConstant) return first_;
    const std::uint64_t draw = stream.next();
    const std::size_t cell = draw >> (64 - kBits);
    const auto fraction = static_cast<std::int64_t>((draw >> 32) & 0xffff);
    const std::int64_t low = quantiles_[cell];
    return Duration(low + (((quantiles_[cell + 1] - low) * fraction) >> 16));
  }

 private:
  static constexpr int kBits = 9;
  static constexpr int kCells = 1 << kBits;

  Shape shape_ = Shape::kConstant;
  Duration first_{};
  Duration second_{};
  std::array<std::int64_t, kCells + 1> quantiles_{};
};

}  // namespace leasescope
