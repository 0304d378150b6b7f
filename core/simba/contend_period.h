// When a contender contends next: exact arithmetic, the jitter in whole milliseconds (core/simba/README.md).
#pragma once
#include <algorithm>

#include "core/base/random_stream.h"
#include "core/contend/mutex_owner.h"
#include "core/simba/lease_terms.h"

namespace leasescope {

struct ContendPeriod {
  // May be negative; the owner renews at ttlAt, the others wake at transitionAt plus a jitter.
  static Duration next_delay_of_owner(const MutexOwner& owner, WallTime now) { return owner.ttl_at - now; }
  static Duration next_delay_of_contender(const MutexOwner& owner, WallTime now, Duration jitter) {
    return owner.transition_at - now + jitter;
  }
  static Duration ensure(Duration delay) { return std::max(delay, Duration::zero()); }

  // With no transition there is nobody to be early for: the lower end is then never below zero.
  static JitterRange range(const MutexOwner& owner, JitterRange range) {
    if (owner.transition_at == owner.ttl_at) range.min = std::max(range.min, Duration::zero());
    return range;
  }
  // Uniform over the whole milliseconds in [min, max); min itself when the range is empty.
  static Duration draw(JitterRange range, RandomStream& stream) {
    const std::int64_t width = (range.max - range.min) / std::chrono::milliseconds(1);
    if (width <= 0) return range.min;
    return range.min + std::chrono::milliseconds(stream.below(static_cast<std::uint64_t>(width)));
  }
};

}  // namespace leasescope
