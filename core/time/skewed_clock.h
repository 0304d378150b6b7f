// A clock that runs beside true time: base points and a rate, so that a step or a new drift starts a new piece.
#pragma once

#include "core/base/expect.h"
#include "core/time/clock.h"
#include "core/time/wide.h"

namespace leasescope {

// The slowest that a clock may run: at half the speed of true time. Beyond, its inverse would not fit.
inline constexpr std::int32_t kSlowestPpm = -500'000;
inline constexpr std::int32_t kStandingPpm = -1'000'000;  // it stands: readings do not change, and none is waited for

// reading(t) = base + (t - since) * (1 + ppm / 1e6), rounded down.
template <class TimePoint>
class SkewedClock {
 public:
  SkewedClock() = default;
  SkewedClock(Duration offset, std::int32_t ppm) : base_(offset), ppm_(ppm), inverse_(inverse_of(ppm)) {}

  TimePoint at(TrueTime t) const {
    const std::int64_t elapsed = (t - since_).count();
    return base_ + Duration(elapsed + gain(elapsed));
  }

  // The first true moment at which the clock shows at least `reading`; rounded upwards, so a timer is never early. The
  // clock must not stand.
  TrueTime when(TimePoint reading) const {
    const std::int64_t wanted = (reading - base_).count();
    return since_ + Duration(wanted - loss(wanted));
  }

  void step(TrueTime now, Duration by) {
    base_ = at(now) + by;
    since_ = now;
  }
  void set_rate(TrueTime now, std::int32_t ppm) {
    base_ = at(now);
    since_ = now;
    ppm_ = ppm;
    inverse_ = inverse_of(ppm);
  }
  std::int32_t ppm() const { return ppm_; }

 private:
  static constexpr std::int64_t kMillion = 1'000'000;

  // floor(value * ppm / 1e6). The product fits 64 bits but for years or wild rates.
  std::int64_t gain(std::int64_t value) const {
    if (ppm_ == 0) return 0;
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(value, static_cast<std::int64_t>(ppm_), &product))
      return product / kMillion - (product % kMillion < 0);
    const Int128 wide = static_cast<Int128>(value) * ppm_;
    return static_cast<std::int64_t>(wide / kMillion) - (wide % kMillion < 0);
  }

  // floor(value * ppm / (1e6 + ppm)), by a multiplication that is off by one at most and is then put right: a division
  // by what is no constant costs as much as all else that arming a timer does.
  std::int64_t loss(std::int64_t value) const {
    if (ppm_ == 0) return 0;
    expect(ppm_ >= kSlowestPpm, "a clock that stands was asked when it will show a time");
    const std::uint64_t divisor = static_cast<std::uint64_t>(kMillion + ppm_);
    auto quotient = static_cast<std::int64_t>((static_cast<Int128>(value) * inverse_) >> kInverseBits);
    const auto rest = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * static_cast<std::uint64_t>(ppm_) -
                                                static_cast<std::uint64_t>(quotient) * divisor);
    if (rest < 0) --quotient;
    if (rest >= static_cast<std::int64_t>(divisor)) ++quotient;
    return quotient;
  }

  static constexpr int kInverseBits = 62;
  static std::int64_t inverse_of(std::int32_t ppm) {
    expect(ppm >= kSlowestPpm || ppm == kStandingPpm, "a clock is slower than half");
    if (ppm == kStandingPpm) return 0;
    return static_cast<std::int64_t>((static_cast<Int128>(ppm) << kInverseBits) / (kMillion + ppm));
  }

  TrueTime since_{};
  TimePoint base_{};
  std::int32_t ppm_ = 0;
  std::int64_t inverse_ = 0;  // of ppm / (1e6 + ppm)
};

// The two clocks of one contender.
struct ContenderClock {
  SkewedClock<WallTime> wall;
  SkewedClock<SteadyTime> steady;

  Clocks at(TrueTime t) const { return {wall.at(t), steady.at(t)}; }
};

// By what two states of the same clocks differ at a moment: calls tell(ClockOf, Duration by, std::int64_t ppm), once
// where both run otherwise by the same, not at all where nothing differs. A steady clock is never set.
template <class Tell>
void each_difference(const ContenderClock& before, const ContenderClock& after, TrueTime at, Tell tell) {
  const Duration by = after.wall.at(at) - before.wall.at(at);
  const std::int64_t wall = std::int64_t{after.wall.ppm()} - before.wall.ppm();
  const std::int64_t steady = std::int64_t{after.steady.ppm()} - before.steady.ppm();
  if (by == Duration::zero() && wall == steady) {
    if (wall != 0) tell(ClockOf::kBoth, by, wall);
    return;
  }
  if (by != Duration::zero() || wall != 0) tell(ClockOf::kWall, by, wall);
  if (steady != 0) tell(ClockOf::kSteady, Duration::zero(), steady);
}

}  // namespace leasescope
