// When a fault is planned by hand, and where that is on the chart: its times are as round as a pixel can tell apart.
#pragma once
#include <QRect>

#include "core/time/clock.h"

namespace leasescope {

class TimelineView;

inline constexpr int kPlanStep = 4;                     // a key moves by about so many pixels
inline constexpr Duration kPlanExact = Duration(1000);  // a microsecond is the least

struct PlanStretch {
  Duration at{}, lasts{};
};
// From the earlier one to the later one.
PlanStretch planBetween(Duration one, Duration other);
// What does not last is some pixels wide all the same.
QRect planBar(const TimelineView& chart, const PlanStretch& when, int top, int height);
// Whether a hand that pressed there means to drag.
bool isPlanDrag(QPoint pressed, QPoint now);

// A round time that is no more than a pixel off: 1, 2, 5, 10 … of something.
Duration planGrain(const TimelineView& chart);
// To the nearest of that step.
Duration planRounded(Duration at, Duration step);

}  // namespace leasescope
