// A balloon where a contender learns what it did not know: right of the bar that ends by it.
#pragma once
#include "ui/timeline/lanes/lane.h"

namespace leasescope {

// In the lane of what it believes, with the words beside it where there is room.
void write_told(Canvas& canvas, const Scene& scene, int contender, TrueTime at, const QString& words);

}  // namespace leasescope
