// The terms of a lease: ttl (exclusive), then transition (the owner may still renew), then idle.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/time/clock.h"

namespace leasescope {

// Added to the end of the transition by a contender that waits; whole milliseconds in [min, max).
struct JitterRange {
  Duration min = std::chrono::milliseconds(-200);
  Duration max = std::chrono::milliseconds(1000);

  bool operator==(const JitterRange&) const = default;
};

struct LeaseTerms {
  Duration ttl = std::chrono::seconds(10);
  Duration transition = std::chrono::seconds(6);
  JitterRange jitter;

  Duration lease() const { return ttl + transition; }
  bool operator==(const LeaseTerms&) const = default;
};

// So long before the end of its lease the default behaviour stops owning: 1 % of it and 2 ms.
inline Duration lease_margin(const LeaseTerms& terms) { return terms.lease() / 100 + std::chrono::milliseconds(2); }

// ttl >= 1 ms, transition >= 0, whole milliseconds on the wire, a jitter range that is not reversed.
tl::expected<void, std::string> validate(const LeaseTerms& terms);

}  // namespace leasescope
