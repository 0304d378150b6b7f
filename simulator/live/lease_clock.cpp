#include "simulator/live/lease_clock.h"

#include <algorithm>

#include "core/base/expect.h"

namespace leasescope {
namespace {

// Nobody is answered later (a book of leases forgets what is on its way by then).
constexpr Duration kOldest = std::chrono::minutes(3);

TrueTime later(TrueTime end, Duration by) { return end == TrueTime::max() ? end : end + by; }
// A step forward ends what it passes over.
TrueTime sooner(TrueTime end, Duration by, TrueTime step) {
  return end == TrueTime::max() || end <= step ? end : std::max(step, end - by);
}

}  // namespace

void ClockStep::may_move(LeaseBounds& end, bool may_last) const {
  if (by >= Duration::zero()) {
    end.lo = sooner(end.lo, by, asked);
  } else if (may_last) {
    end.hi = later(end.hi, -by);
  }
}

// What was read while it was asked for may have been read before or after.
void ClockStep::has_moved(LeaseBounds& end) const {
  if (by >= Duration::zero()) {
    if (end.hi_read <= asked) end.hi = sooner(end.hi, by, done);
  } else if (end.lo_read <= asked && end.lo > done) {
    end.lo = later(end.lo, -by);
  }
}

ClockStep LeaseClock::asked(Duration by, TrueTime at) {
  const auto old = std::find_if(steps_.begin(), steps_.end(), [&](const ClockStep& step) {
    return step.done == TrueTime::max() || at - step.done < kOldest;
  });
  steps_.erase(steps_.begin(), old);
  steps_.push_back({by, at});
  if (by < Duration::zero()) last_set_back_ = at;
  return steps_.back();
}

ClockStep LeaseClock::done(TrueTime at) {
  const auto step =
      std::find_if(steps_.begin(), steps_.end(), [](const ClockStep& each) { return each.done == TrueTime::max(); });
  expect(step != steps_.end(), "a clock was set that nobody had asked for");
  step->done = at;
  return *step;
}

LeaseBounds LeaseClock::end(TrueTime sent, TrueTime received, TrueTime lo, TrueTime hi) const {
  LeaseBounds out{lo, hi, received, received};
  for (const ClockStep& step : steps_) {
    if (step.done <= sent || step.asked >= received) continue;
    if (step.by >= Duration::zero()) {
      out.lo = sooner(out.lo, step.by, std::max(step.asked, sent));
    } else {
      out.hi = later(out.hi, -step.by);
    }
  }
  return out;
}

Duration LeaseClock::forward_since(TrueTime since) const {
  Duration all{};
  for (const ClockStep& step : steps_)
    if (step.done > since && step.by > Duration::zero()) all += step.by;
  return all;
}

Duration LeaseClock::back_since(TrueTime since) const {
  Duration all{};
  for (const ClockStep& step : steps_)
    if (step.done > since && step.by < Duration::zero()) all -= step.by;
  return all;
}

TrueTime LeaseClock::set_back_after(TrueTime at) const {
  for (const ClockStep& step : steps_)
    if (step.done > at && step.by < Duration::zero()) return step.asked;
  return TrueTime::max();
}

}  // namespace leasescope
