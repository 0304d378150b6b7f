#include "core/check/grant_call.h"

namespace leasescope::check {

std::optional<Operation> grant_operation(EventKind kind) {
  switch (kind) {
    case EventKind::kGranted:
      return Operation::kLock;
    case EventKind::kRenewed:
      return Operation::kRenew;
    case EventKind::kReleased:
      return Operation::kUnlock;
    case EventKind::kExpired:
      return Operation::kExpire;
    default:
      return std::nullopt;
  }
}

std::optional<Call> grant_call(EventKind kind, Moment from, Moment to, std::int64_t lease) {
  const auto f = grant_operation(kind);
  if (!f) return std::nullopt;
  Call out;
  out.f = *f;
  out.called = from;
  out.returned = to;
  if (kind == EventKind::kGranted || kind == EventKind::kRenewed) out.ttl = lease;
  return out;
}

}  // namespace leasescope::check
