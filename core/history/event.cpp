#include "core/history/event.h"

#include <array>

namespace leasescope {

std::string_view text(EventKind kind) {
  static constexpr std::array<std::string_view, kEventKinds> kTexts{"started",
                                                                    "stopped",
                                                                    "crashed",
                                                                    "restarted",
                                                                    "attempt",
                                                                    "granted",
                                                                    "renewed",
                                                                    "released",
                                                                    "expired",
                                                                    "believed",
                                                                    "disbelieved",
                                                                    "wakeup_planned",
                                                                    "notification",
                                                                    "checked",
                                                                    "write_accepted",
                                                                    "write_rejected",
                                                                    "write_stale_accepted",
                                                                    "fault_began",
                                                                    "fault_ended",
                                                                    "clock_changed",
                                                                    "connected",
                                                                    "disconnected",
                                                                    "unobserved_began",
                                                                    "unobserved_ended",
                                                                    "refused",
                                                                    "release_refused"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string_view text(AttemptResult result) {
  static constexpr std::array<std::string_view, 4> kTexts{"won", "lost", "failed", "unknown"};
  return kTexts[static_cast<std::size_t>(result)];
}

std::string_view text(GrantKind kind) { return kind == GrantKind::kRestored ? "restored" : ""; }

std::string_view text(LeaseEnd end) { return end == LeaseEnd::kForgotten ? "forgotten" : ""; }

std::string_view text(DisbeliefReason reason) {
  static constexpr std::array<std::string_view, 5> kTexts{"lost", "watchdog", "stop", "event", "failure"};
  return kTexts[static_cast<std::size_t>(reason)];
}

std::string_view text(NotificationStep step) {
  static constexpr std::array<std::string_view, 3> kTexts{"sent", "received", "lost"};
  return kTexts[static_cast<std::size_t>(step)];
}

std::string_view text(LifecycleError error) {
  static constexpr std::array<std::string_view, 3> kTexts{"cannot start", "cannot stop", "store failed"};
  return kTexts[static_cast<std::size_t>(error)];
}

std::string_view detail_text(const Event& event) {
  switch (event.kind) {
    case EventKind::kAttempt:
      return text(static_cast<AttemptResult>(event.detail));
    case EventKind::kGranted:
      return text(static_cast<GrantKind>(event.detail));
    case EventKind::kExpired:
      return text(static_cast<LeaseEnd>(event.detail));
    case EventKind::kBelieved:
      return "granted";
    case EventKind::kDisbelieved:
      return text(static_cast<DisbeliefReason>(event.detail));
    case EventKind::kNotification:
      return text(static_cast<NotificationStep>(event.detail));
    case EventKind::kRefused:
      return text(static_cast<LifecycleError>(event.detail));
    default:
      return "";
  }
}

}  // namespace leasescope
