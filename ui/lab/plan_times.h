// Times that a hand gives a fault: as round as a pixel of the chart can tell apart.
#pragma once
#include "core/time/clock.h"

namespace leasescope {

class TimelineView;

inline constexpr int kPlanStep = 4;                     // a key moves by about so many pixels
inline constexpr Duration kPlanExact = Duration(1000);  // a microsecond is the least

// A round time that is no more than a pixel off: 1, 2, 5, 10 … of something.
Duration planGrain(const TimelineView& chart);
// To the nearest of that step.
Duration planRounded(Duration at, Duration step);

}  // namespace leasescope
