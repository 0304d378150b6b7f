#include "core/history/proved_length.h"

#include <algorithm>

namespace leasescope {

ProvedLength proved_length(const MutexOwnership& mutex, const OwnedStretch& of, TrueTime now) {
  ProvedLength out;
  const std::vector<UnobservedStretch>& gaps = mutex.unobserved();
  if (of.lasts() && !gaps.empty() && gaps.back().lasts()) out.dark = gaps.back().begin;
  const TrueTime until = out.dark.value_or(of.lasts() ? now : of.end_lo);
  out.length = std::max(Duration::zero(), until - of.begin_hi);
  out.at_least = out.dark || of.begin_lo != of.begin_hi || (!of.lasts() && of.end_lo != of.end_hi);
  return out;
}

}  // namespace leasescope
