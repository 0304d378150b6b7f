// When what is done again and again is to be done next.
#pragma once
#include <algorithm>
#include <chrono>

#include "core/contend/client/leasescope.h"

namespace leasescope::client {

// Of a beginning and an end on one clock. A fixed rate keeps its beat: beginnings that were missed meanwhile are not
// made up for.
inline Nanoseconds next_beginning(const Schedule& schedule, Nanoseconds began, Nanoseconds ended) {
  if (schedule.kind == Schedule::Kind::kFixedDelay) return ended + schedule.period;
  const std::int64_t beats = (ended - began + schedule.period - Nanoseconds(1)) / schedule.period;
  return began + schedule.period * std::max<std::int64_t>(1, beats);
}

}  // namespace leasescope::client
