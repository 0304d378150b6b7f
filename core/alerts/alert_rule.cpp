#include "core/alerts/alert_rule.h"

#include <algorithm>

#include "core/time/duration_text.h"
#include "core/time/wide.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr Int128 kMost = std::int64_t{1} << 60;  // some 36 years: a sum with it fits

}  // namespace

Duration AlertRule::length_of(Duration lease) const {
  const Int128 share = static_cast<Int128>(leases) * lease.count() / kMillion;
  return Duration(static_cast<std::int64_t>(std::min(length.count() + share, kMost)));
}

std::string length_text(const AlertRule& rule, Duration lease) {
  const Duration length = rule.length_of(lease);
  if (rule.leases == 0) return format_duration(length);
  return format_duration(std::chrono::round<std::chrono::milliseconds>(length));
}

}  // namespace leasescope
