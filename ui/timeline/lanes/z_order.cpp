#include "ui/timeline/lanes/z_order.h"

#include "ui/timeline/lanes/lane.h"

namespace leasescope {

#define LEASESCOPE_DECLARE(Name, name) std::unique_ptr<Lane> name##_lane();
LEASESCOPE_LANES(LEASESCOPE_DECLARE)
#undef LEASESCOPE_DECLARE

Lanes make_lanes() {
  Lanes lanes;
#define LEASESCOPE_MAKE(Name, name) lanes.push_back(name##_lane());
  LEASESCOPE_LANES(LEASESCOPE_MAKE)
#undef LEASESCOPE_MAKE
  return lanes;
}

}  // namespace leasescope
