// All that a hover card would tell of in one frame, for a picture on which nobody asks the chart.
#pragma once
#include <vector>

#include "ui/timeline/paint/hit.h"

namespace leasescope {

struct HoverZone {
  Hit hit;
  QRect area;  // within the plot or the rail; what is told of changes there with nothing but the row's own moment
  HoverText text;
};

// Those with a larger area first, so that each that follows lies on top of them. Of what is told of the pointer's own
// moment (HoverText::moving) there is nothing. Nothing narrower than two pixels is looked for.
std::vector<HoverZone> hover_zones(const Scene& scene);

}  // namespace leasescope
