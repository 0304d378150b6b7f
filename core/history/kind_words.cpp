#include "core/history/kind_words.h"

#include <algorithm>

#include "core/store/port.h"

namespace leasescope {
namespace {

bool of_fault(const Event& event) {
  return event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded;
}

// An acquire is spoken of as an attempt, a guard as a renewal.
std::string asked(std::int64_t request) {
  return static_cast<RequestKind>(request) == RequestKind::kGuard ? "renewal" : "attempt";
}

}  // namespace

std::string kind_words(const Legend& legend, const Event& event) {
  if (of_fault(event)) {
    const FaultLegend* const fault = legend.fault(event.detail);
    return (fault == nullptr ? "fault" : fault->spoken) + (event.kind == EventKind::kFaultBegan ? " began" : " ended");
  }
  std::string kind(text(event.kind));
  std::replace(kind.begin(), kind.end(), '_', ' ');
  if (event.kind == EventKind::kAttempt) kind = asked(event.b);
  const std::string_view detail = event.kind == EventKind::kBelieved ? std::string_view() : detail_text(event);
  return detail.empty() ? kind : kind.append(" ").append(detail);
}

std::uint32_t kind_key(const Event& event) {
  const bool renewal = event.kind == EventKind::kAttempt && static_cast<RequestKind>(event.b) == RequestKind::kGuard;
  const auto asked_for = renewal ? 1U : 0U;
  return static_cast<std::uint32_t>(event.kind) << 16 | asked_for << 8 | event.detail;
}

std::string_view outcome_words(const Event& event) {
  switch (event.kind) {
    case EventKind::kWriteAccepted:
      return "accepted";
    case EventKind::kWriteRejected:
      return "rejected";
    case EventKind::kWriteStaleAccepted:
      return "stale accepted";
    case EventKind::kReturned:
      return text(static_cast<Ending>(event.b));
    case EventKind::kInvoked:
    case EventKind::kClockChanged:
      return "";  // their detail says what was asked for, and of which clock
    default:
      return detail_text(event);
  }
}

std::uint32_t outcome_key(const Event& event) {
  const auto ending = event.kind == EventKind::kReturned ? static_cast<std::uint32_t>(event.b) & 0xffU : 0U;
  return kind_key(event) | ending << 8;
}

}  // namespace leasescope
