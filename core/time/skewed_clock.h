// A clock that runs beside true time: base points and a rate, so that a step or a new drift starts a new piece.
#pragma once
#include "core/time/clock.h"
#include "core/time/wide.h"

namespace leasescope {

// reading(t) = base + (t - since) * (1 + ppm / 1e6), rounded down.
template <class TimePoint>
class SkewedClock {
 public:
  SkewedClock() = default;
  SkewedClock(Duration offset, std::int32_t ppm) : base_(offset), ppm_(ppm) {}

  TimePoint at(TrueTime t) const {
    const std::int64_t elapsed = (t - since_).count();
    return base_ + Duration(elapsed + share(elapsed, kMillion));
  }

  // The first true moment at which the clock shows at least `reading`; rounded upwards, so a timer is never early.
  TrueTime when(TimePoint reading) const {
    const std::int64_t wanted = (reading - base_).count();
    return since_ + Duration(wanted - share(wanted, kMillion + ppm_));
  }

  void step(TrueTime now, Duration by) {
    base_ = at(now) + by;
    since_ = now;
  }
  void set_rate(TrueTime now, std::int32_t ppm) {
    base_ = at(now);
    since_ = now;
    ppm_ = ppm;
  }
  std::int32_t ppm() const { return ppm_; }

 private:
  static constexpr std::int64_t kMillion = 1'000'000;

  // floor(value * ppm / divisor). The product fits 64 bits but for years or wild rates.
  std::int64_t share(std::int64_t value, std::int64_t divisor) const {
    if (ppm_ == 0) return 0;
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(value, static_cast<std::int64_t>(ppm_), &product))
      return product / divisor - (product % divisor < 0);
    const Int128 wide = static_cast<Int128>(value) * ppm_;
    return static_cast<std::int64_t>(wide / divisor) - (wide % divisor < 0);
  }

  TrueTime since_{};
  TimePoint base_{};
  std::int32_t ppm_ = 0;
};

// The two clocks of one contender.
struct ContenderClock {
  SkewedClock<WallTime> wall;
  SkewedClock<SteadyTime> steady;

  Clocks at(TrueTime t) const { return {wall.at(t), steady.at(t)}; }
};

}  // namespace leasescope
