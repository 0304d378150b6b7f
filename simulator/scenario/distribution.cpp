#include "simulator/scenario/distribution.h"

#include <algorithm>
#include <cmath>

namespace leasescope {
namespace {

// Only + - * / and sqrt, which every implementation rounds alike: the library's exp and log do not have to.
constexpr double kLn2 = 0.693147180559945309;

double exponential_of(double x) {
  int halvings = 0;
  while (x > 0.5 || x < -0.5) {
    x /= 2;
    ++halvings;
  }
  double term = 1, sum = 1;
  for (int i = 1; i < 20; ++i) {
    term = term * x / i;
    sum += term;
  }
  while (halvings-- > 0) sum *= sum;
  return sum;
}

double logarithm_of(double x) {
  int twos = 0;
  while (x > 1.5) {
    x /= 2;
    ++twos;
  }
  while (x < 0.75) {
    x *= 2;
    --twos;
  }
  const double y = (x - 1) / (x + 1);
  double power = y, sum = 0;
  for (int i = 1; i < 60; i += 2) {
    sum += power / i;
    power *= y * y;
  }
  return 2 * sum + twos * kLn2;
}

// Quantile of the standard normal distribution (Acklam's rational approximation, relative error below 1.2e-9).
double normal_quantile(double p) {
  constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                          1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                          -1.328068155288572e+01};
  constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                          -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
  constexpr double kLow = 0.02425;
  const auto tail = [&](double q) {
    return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
           ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  };
  if (p < kLow) return tail(std::sqrt(-2 * logarithm_of(p)));
  if (p > 1 - kLow) return -tail(std::sqrt(-2 * logarithm_of(1 - p)));
  const double q = p - 0.5, r = q * q;
  return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
         (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

constexpr double kNormalP99 = 2.3263478740408408;

// The ends of the table stand for the middle of their half cell, so that a tail stays finite.
double probability(int cell, int cells) {
  if (cell == 0) return 0.5 / cells;
  if (cell == cells) return 1 - 0.5 / cells;
  return static_cast<double>(cell) / cells;
}

}  // namespace

template <class Quantile>
void Distribution::tabulate(Quantile quantile, const std::string& file) {
  auto table = std::make_shared<Table>();
  table->file = file;
  for (int i = 0; i <= kCells; ++i)
    table->quantiles[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(quantile(i));
  table_ = std::move(table);
}

const std::string& Distribution::file() const {
  static const std::string kNone;
  return table_ == nullptr ? kNone : table_->file;
}

bool Distribution::operator==(const Distribution& other) const {
  const bool same_table =
      table_ == other.table_ || (table_ != nullptr && other.table_ != nullptr && *table_ == *other.table_);
  return shape_ == other.shape_ && first_ == other.first_ && second_ == other.second_ && exponent_ == other.exponent_ &&
         same_table;
}

Distribution Distribution::constant(Duration value) { return {Shape::kConstant, value, {}}; }

Distribution Distribution::uniform(Duration from, Duration to) {
  Distribution out(Shape::kUniform, from, to);
  out.tabulate([&](int i) { return i == kCells ? to.count() : from.count() + (to - from).count() / kCells * i; });
  return out;
}

Distribution Distribution::log_normal(Duration median, Duration p99) {
  Distribution out(Shape::kLogNormal, median, p99);
  const double scale = static_cast<double>(median.count());
  const double sigma = logarithm_of(static_cast<double>(p99.count()) / scale) / kNormalP99;
  out.tabulate([&](int i) { return scale * exponential_of(sigma * normal_quantile(probability(i, kCells))); });
  return out;
}

Distribution Distribution::exponential(Duration mean) {
  Distribution out(Shape::kExponential, mean, {});
  out.tabulate([&](int i) {
    return -static_cast<double>(mean.count()) * logarithm_of(1 - (i == 0 ? 0.0 : probability(i, kCells)));
  });
  return out;
}

Distribution Distribution::pareto(Duration min, std::int64_t shape) {
  Distribution out(Shape::kPareto, min, {});
  out.exponent_ = shape;
  const double scale = static_cast<double>(min.count());
  const double power = 1e6 / static_cast<double>(shape);
  constexpr double kLongest = 24 * 3600e9;
  out.tabulate([&](int i) {
    const int steps = 1 << kTailBits;
    // What is left falls by half in each halving, evenly within it.
    double left = 1 - 0.5 * (i % steps) / steps;
    for (int halvings = i / steps; halvings > 0; --halvings) left /= 2;
    // A day is a bound for the exponent too, whose function would run out of numbers.
    const double exponent = std::min(-power * logarithm_of(left), logarithm_of(kLongest));
    return std::min(scale * exponential_of(exponent), kLongest);
  });
  return out;
}

Distribution Distribution::empirical(std::vector<Duration> measured, const std::string& file) {
  std::sort(measured.begin(), measured.end());
  Distribution out(Shape::kEmpirical, measured.front(), measured.back());
  const auto gaps = static_cast<std::int64_t>(measured.size()) - 1;
  out.tabulate(
      [&](std::int64_t i) {
        const std::int64_t place = i * gaps / kCells, rest = i * gaps % kCells;
        const std::int64_t low = measured[static_cast<std::size_t>(place)].count();
        const std::int64_t high = measured[static_cast<std::size_t>(std::min(place + 1, gaps))].count();
        return low + static_cast<std::int64_t>(static_cast<Int128>(high - low) * rest / kCells);
      },
      file);
  return out;
}

}  // namespace leasescope
