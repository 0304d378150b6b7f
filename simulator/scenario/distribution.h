// A distribution of delays, sampled from a table of integers: the same numbers on every machine. Copies share the
// table.
#pragma once
#include <array>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random_stream.h"
#include "core/time/clock.h"

namespace leasescope {

class Distribution {
 public:
  enum class Shape : std::uint8_t { kConstant, kUniform, kLogNormal, kExponential, kPareto, kEmpirical };

  Distribution() = default;
  static Distribution constant(Duration value);
  static Distribution uniform(Duration from, Duration to);
  // Median and 99th percentile; p99 >= median > 0.
  static Distribution log_normal(Duration median, Duration p99);
  static Distribution exponential(Duration mean);
  // P(longer than d) = (min / d) ^ shape, cut off at a day; the shape in millionths, at least a tenth.
  static Distribution pareto(Duration min, std::int64_t shape);
  // As often as in what was measured, and evenly between two neighbours; at least one value. `file` is where they
  // stand.
  static Distribution empirical(std::vector<Duration> measured, const std::string& file);

  Shape shape() const { return shape_; }
  Duration first() const { return first_; }            // the value, lower end, median, mean or min
  Duration second() const { return second_; }          // the upper end or p99
  std::int64_t exponent() const { return exponent_; }  // Pareto's shape, in millionths
  const std::string& file() const;                     // of what was measured

  Duration median() const {
    if (shape_ == Shape::kConstant) return first_;
    return shape_ == Shape::kPareto ? in_tail(std::uint64_t{1} << 63) : Duration(table_->quantiles[kCells / 2]);
  }
  Duration longest() const { return shape_ == Shape::kConstant ? first_ : Duration(table_->quantiles.back()); }

  bool operator==(const Distribution& other) const;

  Duration sample(RandomStream& stream) const {
    if (shape_ == Shape::kConstant) return first_;
    const std::uint64_t draw = stream.next();
    if (shape_ == Shape::kPareto) return in_tail(draw);
    const std::size_t cell = draw >> (64 - kBits);
    const auto fraction = static_cast<std::int64_t>((draw >> 32) & 0xffff);
    const Quantiles& quantiles = table_->quantiles;
    const std::int64_t low = quantiles[cell];
    return Duration(low + (((quantiles[cell + 1] - low) * fraction) >> 16));
  }

 private:
  static constexpr int kBits = 9;
  static constexpr int kCells = 1 << kBits;
  // A heavy tail wants its cells where the rare ones are: sixteen for each halving of what is left.
  static constexpr int kHalvings = 32;
  static constexpr int kTailBits = 4;
  using Quantiles = std::array<std::int64_t, kCells + 1>;
  struct Table {
    Quantiles quantiles{};
    std::string file;  // of what was measured

    bool operator==(const Table&) const = default;
  };

  Distribution(Shape shape, Duration first, Duration second) : shape_(shape), first_(first), second_(second) {}
  template <class Quantile>
  void tabulate(Quantile quantile, const std::string& file = "");

  Duration in_tail(std::uint64_t draw) const {
    const int halvings = std::countl_zero(draw | (std::uint64_t{1} << (64 - kHalvings)));
    const std::uint64_t below = draw << halvings << 1;  // how much of that halving is left: all is 2^64
    const std::size_t cell = (static_cast<std::size_t>(halvings) << kTailBits) + ((~below) >> (64 - kTailBits));
    const auto fraction = static_cast<std::int64_t>((~below << kTailBits) >> 48);
    const Quantiles& quantiles = table_->quantiles;
    const std::int64_t low = quantiles[cell];
    return Duration(low + static_cast<std::int64_t>((static_cast<Int128>(quantiles[cell + 1] - low) * fraction) >> 16));
  }

  Shape shape_ = Shape::kConstant;
  Duration first_{};
  Duration second_{};
  std::int64_t exponent_ = 0;
  std::shared_ptr<const Table> table_;  // none for a constant
};

}  // namespace leasescope
