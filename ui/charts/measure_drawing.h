// What is measured of a run, as a small chart.
#pragma once
#include "core/history/measures/measure.h"
#include "ui/charts/chart_drawing.h"
#include "ui/look/tokens.h"
#include "ui/models/cast.h"

namespace leasescope {

// Lengths are a histogram whose first and last bar have also all that is beyond; a rate's bars and the lines of courses
// go from the begin of the run to now.
ChartDrawing drawing_of(const Measure& measure, const History& history, const Cast& cast, const Colours& colours);
// Of two runs: the share of lengths up to each, A's line solid and B's dashed, and how far apart they are by Kolmogorov
// and Smirnov.
ChartDrawing drawing_of_two(const Measure& a, const Measure& b, const Colours& colours);
// Where the bar that was chosen leads: of lengths to the next moment after `after` that is in it, of a rate to its
// begin.
std::optional<TrueTime> moment_in(const Measure& measure, const ChartDrawing& drawing, int bar, TrueTime after);

}  // namespace leasescope
