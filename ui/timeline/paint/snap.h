// Which moment a hand means that points near to it.
#pragma once
#include <optional>

#include "ui/timeline/paint/scene.h"

namespace leasescope {

inline constexpr int kSnapReach = 8;  // pixels

// The nearest of what begins, ends or runs out in the row under `at` (a lease, a belief); where that row has none
// within reach, of all moments worth stopping at. None: nothing is near.
std::optional<TrueTime> snapped(const Scene& scene, QPoint at, int reach = kSnapReach);

}  // namespace leasescope
