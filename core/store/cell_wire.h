// How registers are written where a store keeps them: words for owner and numbers, moments in µs since 1970, so that
// programs of other machines read the same.
#pragma once
#include <chrono>

#include "core/loop/loop.h"
#include "core/store/port.h"

namespace leasescope {

using CellTime = std::chrono::microseconds;

// When a host's wall clock showed its zero: what a contender calls a deadline counts from there.
inline CellTime wall_zero(const Loop& loop) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<CellTime>(now - (loop.now() - TrueTime{}));
}

// A deadline, or a length.
inline CellTime stamp_on_wire(const CellCall& call, const Loop& loop) {
  const auto stamp = std::chrono::duration_cast<CellTime>(call.stamp);
  return call.by == Stamp::kClient ? stamp + wall_zero(loop) : stamp;
}
// Likewise, of an answer.
inline Duration stamp_from_wire(const CellCall& call, CellTime stamp, const Loop& loop) {
  const bool deadline = call.by == Stamp::kClient || (call.by == Stamp::kServer && call.dated);
  return std::chrono::duration_cast<Duration>(deadline ? stamp - wall_zero(loop) : stamp);
}

}  // namespace leasescope
