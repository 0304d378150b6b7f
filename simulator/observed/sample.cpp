#include "simulator/observed/sample.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/expect.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

constexpr double kNormalP90 = 1.2815515655446004, kNormalP99 = 2.3263478740408408;
constexpr std::size_t kHundred = 100;

double ns(Duration d) { return static_cast<double>(std::max<std::int64_t>(d.count(), 1)); }

Duration of(double nanoseconds) {
  return std::max(rounded(Duration(std::llround(nanoseconds))), Duration(std::chrono::microseconds(1)));
}

// The standard deviation of the logarithm of a log-normal that has that median and that higher quantile.
double spread_of(const Sample& sample) {
  if (sample.count() < kLeastFitted) return 0;
  const bool many = sample.count() >= kHundred;
  const double high = ns(sample.quantile(many ? 990 : 900));
  return std::log(high / ns(sample.median())) / (many ? kNormalP99 : kNormalP90);
}

FittedDelay with(double median, double spread) { return {of(median), of(median * std::exp(kNormalP99 * spread))}; }

}  // namespace

Sample::Sample(std::vector<Duration> values) : sorted_(std::move(values)) { std::sort(sorted_.begin(), sorted_.end()); }

Duration Sample::quantile(int thousandths) const {
  expect(!sorted_.empty(), "nothing has no quantile");
  const std::size_t place = (sorted_.size() * static_cast<std::size_t>(thousandths) + 999) / 1000;
  return sorted_[place == 0 ? 0 : std::min(place, sorted_.size()) - 1];
}

std::string sample_text(const Sample& sample) {
  if (sample.empty()) return "not observed";
  const auto shown = [](Duration d) { return format_duration(rounded(d)); };
  if (sample.count() == 1) return fmt::format("1 observed: {}", shown(sample.median()));
  return fmt::format("{} observed: median {}, p90 {}, longest {}", sample.count(), shown(sample.median()),
                     shown(sample.quantile(900)), shown(sample.longest()));
}

FittedDelay fitted_way(const Sample& ways) { return with(ns(ways.median()), spread_of(ways)); }

// The sum of two log-normals is nearly one whose mean and variance are twice those of one of them (Fenton and
// Wilkinson): backwards, the variance of one in units of its mean is twice that of the sum.
FittedDelay fitted_half(const Sample& round_trips) {
  const double spread = spread_of(round_trips);
  const double mean = ns(round_trips.median()) * std::exp(spread * spread / 2) / 2;
  const double one = std::sqrt(std::log1p(2 * std::expm1(spread * spread)));
  return with(mean * std::exp(-one * one / 2), one);
}

Duration rounded(Duration length) {
  const Duration step = length >= std::chrono::seconds(1) ? Duration(std::chrono::milliseconds(1))
                                                          : Duration(std::chrono::microseconds(1));
  return (length + step / 2) / step * step;
}

}  // namespace leasescope
