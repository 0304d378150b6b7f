#include "core/history/event.h"

#include <array>

#include "core/history/operation.h"

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
                                                                    "release_refused",
                                                                    "invoked",
                                                                    "returned",
                                                                    "queued",
                                                                    "dequeued",
                                                                    "session_opened",
                                                                    "session_renewed",
                                                                    "session_ended",
                                                                    "acknowledged",
                                                                    "vote_granted",
                                                                    "vote_ended",
                                                                    "elected",
                                                                    "transferred",
                                                                    "reentered"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string_view text(AttemptResult result) {
  static constexpr std::array<std::string_view, 4> kTexts{"won", "lost", "failed", "unknown"};
  return kTexts[static_cast<std::size_t>(result)];
}

std::string_view text(GrantKind kind) {
  static constexpr std::array<std::string_view, 5> kTexts{"", "restored", "shared", "stolen", "stolen again"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string_view text(LeaseEnd end) { return end == LeaseEnd::kForgotten ? "forgotten" : ""; }

std::string_view text(DisbeliefReason reason) {
  static constexpr std::array<std::string_view, 9> kTexts{
      "lost", "watchdog", "stop", "event", "failure", "session", "stolen", "unconfirmed", "disconnected"};
  return kTexts[static_cast<std::size_t>(reason)];
}

std::string_view text(BeliefKind kind) { return kind == BeliefKind::kUnconfirmed ? "unconfirmed" : "granted"; }

std::string_view text(VoteEnd end) {
  static constexpr std::array<std::string_view, 5> kTexts{"given back", "run out", "aborted", "stolen", "forgotten"};
  return kTexts[static_cast<std::size_t>(end)];
}

std::string_view text(SessionEnd end) {
  static constexpr std::array<std::string_view, 3> kTexts{"closed", "expired", "forced"};
  return kTexts[static_cast<std::size_t>(end)];
}

std::string_view text(TransferStep step) {
  static constexpr std::array<std::string_view, 5> kTexts{"held", "credited", "credited again", "settled", "lost"};
  return kTexts[static_cast<std::size_t>(step)];
}

std::string_view text(NotificationStep step) {
  static constexpr std::array<std::string_view, 3> kTexts{"sent", "received", "lost"};
  return kTexts[static_cast<std::size_t>(step)];
}

std::string_view text(LifecycleError error) {
  static constexpr std::array<std::string_view, 3> kTexts{"cannot start", "cannot stop", "store failed"};
  return kTexts[static_cast<std::size_t>(error)];
}

std::string_view text(ClockOf which) {
  static constexpr std::array<std::string_view, 3> kTexts{"both", "wall", "steady"};
  return kTexts[static_cast<std::size_t>(which)];
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
      return text(static_cast<BeliefKind>(event.detail));
    case EventKind::kVoteGranted:
      return text(static_cast<GrantKind>(event.detail));
    case EventKind::kVoteEnded:
      return text(static_cast<VoteEnd>(event.detail));
    case EventKind::kDisbelieved:
      return text(static_cast<DisbeliefReason>(event.detail));
    case EventKind::kNotification:
      return text(static_cast<NotificationStep>(event.detail));
    case EventKind::kRefused:
      return text(static_cast<LifecycleError>(event.detail));
    case EventKind::kInvoked:
    case EventKind::kReturned:
      return text(static_cast<Operation>(event.detail));
    case EventKind::kSessionEnded:
      return text(static_cast<SessionEnd>(event.detail));
    case EventKind::kTransferred:
      return text(static_cast<TransferStep>(event.detail));
    case EventKind::kClockChanged:
      return text(static_cast<ClockOf>(event.detail));
    default:
      return "";
  }
}

}  // namespace leasescope
