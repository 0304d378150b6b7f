#include "core/history/recording/event_words.h"

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/history/operation.h"
#include "core/store/port.h"

namespace leasescope {
namespace {

static_assert(kEventKinds <= 64);
template <class... Kinds>
constexpr std::uint64_t bits_of(Kinds... kinds) {
  return (... | (std::uint64_t{1} << static_cast<int>(kinds)));
}
constexpr std::uint64_t kNamesInA =
    bits_of(EventKind::kWriteAccepted, EventKind::kWriteRejected, EventKind::kWriteStaleAccepted);
constexpr std::uint64_t kNamesInB = bits_of(EventKind::kRestarted, EventKind::kNotification, EventKind::kAcknowledged,
                                            EventKind::kVoteGranted, EventKind::kVoteEnded, EventKind::kTransferred);

// They had no details once, and what was meant is the first of those they have now: of a file without words for them.
constexpr std::uint64_t kOnceWithout = bits_of(EventKind::kClockChanged);

bool within(std::int64_t value, std::int64_t bound) { return value >= 0 && value < bound; }

// What the words and the names of an event lead to; it is ours by its kind and detail.
bool is_readable(const Event& event, std::size_t names) {
  const auto count = static_cast<std::int64_t>(names);
  if (event.node.handle >= names || event.mutex.handle >= names) return false;
  if (names_in_a(event) && !within(event.a, count)) return false;
  if (names_in_b(event) && !within(event.b, count)) return false;
  return event.kind != EventKind::kNotification || within(event.a, kStoreEventKinds);
}

}  // namespace

int details_of(EventKind kind) {
  switch (kind) {
    case EventKind::kAttempt:
      return static_cast<int>(AttemptResult::kUnknown) + 1;
    case EventKind::kGranted:
    case EventKind::kVoteGranted:
      return static_cast<int>(GrantKind::kStolenAgain) + 1;
    case EventKind::kExpired:
      return static_cast<int>(LeaseEnd::kForgotten) + 1;
    case EventKind::kBelieved:
      return static_cast<int>(BeliefKind::kUnconfirmed) + 1;
    case EventKind::kVoteEnded:
      return static_cast<int>(VoteEnd::kForgotten) + 1;
    case EventKind::kDisbelieved:
      return static_cast<int>(DisbeliefReason::kDisconnected) + 1;
    case EventKind::kNotification:
      return static_cast<int>(NotificationStep::kLost) + 1;
    case EventKind::kRefused:
      return static_cast<int>(LifecycleError::kStoreFailed) + 1;
    case EventKind::kInvoked:
    case EventKind::kReturned:
      return kOperations;
    case EventKind::kSessionEnded:
      return static_cast<int>(SessionEnd::kForced) + 1;
    case EventKind::kTransferred:
      return static_cast<int>(TransferStep::kLost) + 1;
    case EventKind::kClockChanged:
      return static_cast<int>(ClockOf::kSteady) + 1;
    default:
      return 1;
  }
}

std::vector<EventWord> event_words() {
  std::vector<EventWord> out;
  Event event;
  for (int kind = 0; kind < kEventKinds; ++kind) {
    event.kind = static_cast<EventKind>(kind);
    out.push_back({kind, EventWord::kOfKind, text(event.kind)});
    for (int detail = 0; details_of(event.kind) > 1 && detail < details_of(event.kind); ++detail) {
      event.detail = static_cast<std::uint8_t>(detail);
      out.push_back({kind, detail, detail_text(event)});
    }
  }
  return out;
}

bool names_in_a(const Event& event) {
  if (event.kind == EventKind::kAttempt) return event.detail == static_cast<std::uint8_t>(AttemptResult::kFailed);
  return (kNamesInA >> static_cast<int>(event.kind) & 1) != 0;
}

bool names_in_b(const Event& event) { return (kNamesInB >> static_cast<int>(event.kind) & 1) != 0; }

bool EventWords::add_kind(std::int64_t number, std::string_view word) {
  for (int ours = 0; ours < kEventKinds; ++ours) {
    if (text(static_cast<EventKind>(ours)) != word) continue;
    const bool free = within(number, 256) && kinds_[static_cast<std::size_t>(number)].ours == kUnknown;
    if (!free || (told_ >> ours & 1) != 0) return false;
    told_ |= std::uint64_t{1} << ours;
    kinds_[static_cast<std::size_t>(number)].ours = static_cast<std::uint8_t>(ours);
    return true;
  }
  return true;
}

bool EventWords::add_detail(std::int64_t kind, std::int64_t number, std::string_view word) {
  if (!within(kind, 256)) return false;
  if (kinds_[static_cast<std::size_t>(kind)].ours == kUnknown) return true;
  Kind& of = kinds_[static_cast<std::size_t>(kind)];
  Event event;
  event.kind = static_cast<EventKind>(of.ours);
  if (!within(number, static_cast<std::int64_t>(of.details.size()))) return false;
  for (int ours = 0; ours < details_of(event.kind); ++ours) {
    event.detail = static_cast<std::uint8_t>(ours);
    if (detail_text(event) != word) continue;
    std::uint8_t& meant = of.details[static_cast<std::size_t>(number)];
    const bool first = meant == 0;
    meant = static_cast<std::uint8_t>(ours + 1);
    of.detailed = true;
    return first;
  }
  return true;
}

std::string EventWords::translate(Event* events, std::size_t count, std::size_t names) const {
  for (std::size_t i = 0; i < count; ++i) {
    Event& event = events[i];
    const Kind& kind = kinds_[static_cast<std::size_t>(event.kind)];
    if (kind.ours == kUnknown) return fmt::format("of a kind that has no word ({})", static_cast<int>(event.kind));
    event.kind = static_cast<EventKind>(kind.ours);
    const bool without = !kind.detailed && event.detail == 0 && (kOnceWithout >> kind.ours & 1) != 0;
    if (details_of(event.kind) > 1 && !without) {
      const std::uint8_t ours = event.detail < kind.details.size() ? kind.details[event.detail] : 0;
      if (ours == 0) return fmt::format("{} with a detail that has no word ({})", text(event.kind), event.detail);
      event.detail = static_cast<std::uint8_t>(ours - 1);
    }
    if (!is_readable(event, names)) return fmt::format("{} of a name that is not there", text(event.kind));
  }
  return {};
}

}  // namespace leasescope
