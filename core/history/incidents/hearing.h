// Which events a detector is handed: of a kind, and of attempts with which answer to which call. Most events concern
// nobody: they are told apart by their slot alone.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/history/event.h"
#include "core/store/port.h"

namespace leasescope {

class Hearing {
 public:
  static constexpr std::size_t kSlots = std::size_t{kEventKinds + 1} * 8;
  static constexpr std::size_t kTakeUp = static_cast<std::size_t>(EventKind::kRenewed) * 8 + 1;
  static constexpr std::size_t kTokenOfAnother = static_cast<std::size_t>(EventKind::kWriteAccepted) * 8 + 1;

  // An attempt that was told of a lease without an end has slots of its own.
  static std::size_t slot(const Event& event) {
    const auto kind = static_cast<std::size_t>(event.kind) * 8;
    if (event.kind != EventKind::kAttempt) return kind;
    const bool guard = event.b == static_cast<std::int64_t>(RequestKind::kGuard);
    return (event.a < 0 ? std::size_t{kEventKinds} * 8 : kind) + std::size_t{event.detail} * 2 + (guard ? 1 : 0);
  }

  Hearing& of(EventKind kind) {
    slots_.push_back(static_cast<std::size_t>(kind) * 8);
    return kind == EventKind::kWriteAccepted ? of_token_of_another() : *this;
  }
  // Of a write that was accepted with a token that another had shown before.
  Hearing& of_token_of_another() {
    slots_.push_back(kTokenOfAnother);
    return *this;
  }
  // Of a renewal though nobody held; afterwards alone, for before nobody can tell it from the many others.
  Hearing& of_take_up() {
    slots_.push_back(kTakeUp);
    return *this;
  }
  Hearing& of_attempts(AttemptResult result, RequestKind call) { return of_attempts(result, call, false); }
  Hearing& of_endless_leases(AttemptResult result, RequestKind call) { return of_attempts(result, call, true); }
  const std::vector<std::size_t>& heard() const { return slots_; }

 private:
  Hearing& of_attempts(AttemptResult result, RequestKind call, bool endless) {
    Event event;
    event.kind = EventKind::kAttempt;
    event.detail = static_cast<std::uint8_t>(result);
    event.b = static_cast<std::int64_t>(call);
    event.a = endless ? -1 : 0;
    slots_.push_back(slot(event));
    return *this;
  }

  std::vector<std::size_t> slots_;
};

// Who hears of which event, over all kinds of incident.
struct Audience {
  using Set = std::uint32_t;  // by IncidentKind

  std::array<Set, Hearing::kSlots> before{};
  std::array<Set, Hearing::kSlots> after{};
  std::array<bool, Hearing::kSlots> idle{};  // neither a detector nor the standing nor the summary minds it

  // Of the kinds of a set; lives for ever.
  static const Audience& of(Set kinds);

 private:
  explicit Audience(Set kinds);
};

}  // namespace leasescope
