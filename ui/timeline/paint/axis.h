// The ruler: what it counts, and where its ticks stand.
#pragma once
#include <vector>

#include "ui/models/counted_time.h"
#include "ui/timeline/paint/viewport.h"

namespace leasescope {

struct Axis : CountedTime {
  // Steps whose labels of `label_px` do not touch: of a clock whole seconds, minutes, hours and days.
  Ticks ticks(const Viewport& viewport, int label_px) const;
  // The first tick at or after t, the next one after a tick, and whether a tick of that step is there. Times of a clock
  // are whole by its own zero, in the zone's offset at `from`: beyond a change of the summer time steps of hours stand
  // beside the full ones. A contender's clock shows a time twice after it was set back, and none while it stands.
  TrueTime first(TrueTime t, Duration step, TrueTime from) const;
  TrueTime next(TrueTime t, Duration step) const;
  bool is_at(TrueTime t, Duration step, TrueTime from) const;
  // Where a contender's clock was set.
  std::vector<TrueTime> set_within(TrueTime from, TrueTime to) const;

 private:
  std::int64_t phase(Duration step, TrueTime from) const;
};

}  // namespace leasescope
