// The one event of the one history: everything drawn, checked, hashed, recorded or printed comes from a sequence of
// these.
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/base/name.h"
#include "core/contend/mutex_owner.h"
#include "core/time/clock.h"

namespace leasescope {

enum class EventKind : std::uint8_t {
  kStarted,
  kStopped,
  kCrashed,
  kRestarted,  // b = handle of the name whose id it bears from now on, 0 = its own
  kAttempt,    // detail: AttemptResult; a = what is left of the lease it was told of, or kNoDeadline, or when it failed
               // the handle of the store's words, 0 when it could not be asked; b = RequestKind
  kGranted,    // node holds from here; detail: GrantKind; a = lease promised; b = permits, 0 = one
  kRenewed,    // a = lease promised
  kReleased,   //
  kExpired,    // detail: LeaseEnd
  kBelieved,   // detail: BeliefKind; a = steady time left until the contender's own deadline, or kNoDeadline; b = of
               // which ttl
  kDisbelieved,    // detail: DisbeliefReason
  kWakeupPlanned,  // a = delay from now to the drawn moment; b = jitter drawn, in ns
  kNotification,   // detail: NotificationStep; a = StoreEventKind; b = handle of the owner's name
  kChecked,        // the worker asked "do I still own it?"; token = what it read
  kWriteAccepted,  // node = writer, a = resource's name handle, b = highest token seen before
  kWriteRejected,  // likewise
  kWriteStaleAccepted,
  kFaultBegan,       // node = what it hit; detail = index of the fault kind; a = planned length, b = row in the plan
  kFaultEnded,       // likewise
  kClockChanged,     // a = step in ns, b = change of its rate in millionths; detail: ClockOf, of a contender. What no
                     // cause has been so since the run began
  kConnected,        //
  kDisconnected,     //
  kUnobservedBegan,  //
  kUnobservedEnded,  //
  kRefused,          // a start, stop or call that the state forbids; detail: LifecycleError; a = the contender's status
  kReleaseRefused,   // the store holds for its caller, but in another term than the one it named, which `token` is
  kInvoked,          // a call of the application begins; detail: Operation; a = its uid; b = what it asks for (permits)
  kReturned,         // and has ended; likewise; b = Ending
  kQueued,           // waits at the store; a = its place there, from 1; b = the uid of its call
  kDequeued,         // no more; likewise
  kSessionOpened,    // at the store; a = the time it lasts without a sign of life; b = its number
  kSessionRenewed,   // likewise
  kSessionEnded,     // detail: SessionEnd; b = its number
  kAcknowledged,     // whom the mutex was stolen from has told its thief that it let go; b = handle of the thief's name
  kVoteGranted,      // of several stores the one whose name's handle is b; a = lease promised there
  kVoteEnded,        // detail: VoteEnd; b likewise
  kElected,          // among the store's members another leads; a = which, from 1
  kTransferred,      // at a bank; detail: TransferStep; a = which transfer; b = handle of the bank's name
  kReentered,        // who holds has entered once more, or left and is still in; b = how often it holds now
};
inline constexpr int kEventKinds = 39;

enum class AttemptResult : std::uint8_t { kWon, kLost, kFailed, kUnknown };
// Restored: an earlier state of the store is its state again, and by it the node holds. Nobody asked for it.
// Shared: beside others who read. Stolen: from whom held it. Stolen again: by an attempt that had been granted it
// before.
enum class GrantKind : std::uint8_t { kAsked, kRestored, kShared, kStolen, kStolenAgain };
constexpr bool is_theft(GrantKind how) { return how == GrantKind::kStolen || how == GrantKind::kStolenAgain; }
// An attempt that had not been granted it before.
constexpr bool is_new(GrantKind how) { return how != GrantKind::kRestored && how != GrantKind::kStolenAgain; }
enum class SessionEnd : std::uint8_t { kClosed, kExpired, kForced };
// What a bank did with one step of a transfer; `again`: it had done it before.
enum class TransferStep : std::uint8_t { kHeld, kCredited, kCreditedAgain, kSettled, kLost };
// Unconfirmed: whom it was stolen from has not said that it let go.
enum class BeliefKind : std::uint8_t { kGranted, kUnconfirmed };
enum class VoteEnd : std::uint8_t { kGivenBack, kRanOut, kAborted, kStolen, kForgotten };
enum class LeaseEnd : std::uint8_t { kRanOut, kForgotten };
enum class DisbeliefReason : std::uint8_t {
  kLost,
  kWatchdog,
  kStop,
  kEvent,
  kFailure,
  kSession,
  kStolen,
  kUnconfirmed,
  kDisconnected  // whether its session lasts it cannot know
};
enum class NotificationStep : std::uint8_t { kSent, kReceived, kLost };
enum class LifecycleError : std::uint8_t { kCannotStart, kCannotStop, kStoreFailed };

// Left of what ends with no clock: a lock that lasts as long as a connection.
inline constexpr std::int64_t kNoDeadline = INT64_MAX;
// TrueTime::max() when there is none.
constexpr TrueTime deadline_after(TrueTime told, std::int64_t left) {
  return left == kNoDeadline ? TrueTime::max() : told + Duration(left);
}

using Sequence = std::uint32_t;  // 1 is the first event of a history; 0 = none

// Plain data, at most a cache line. `lo` and `hi` bound the moment; they are equal in the virtual world.
struct Event {
  TrueTime lo{};
  TrueTime hi{};
  Token token = kNoToken;
  std::int64_t a = 0;
  std::int64_t b = 0;
  Name node;
  Name mutex;
  Sequence cause = 0;
  EventKind kind = EventKind::kStarted;
  std::uint8_t detail = 0;

  TrueTime at() const { return hi; }
};
static_assert(std::is_trivially_copyable_v<Event> && sizeof(Event) <= 64);

std::string_view text(EventKind kind);  // "granted"
std::string_view text(AttemptResult result);
std::string_view text(GrantKind kind);  // "", "restored", …
std::string_view text(BeliefKind kind);
std::string_view text(VoteEnd end);
std::string_view text(LeaseEnd end);  // "" and "forgotten"
std::string_view text(SessionEnd end);
std::string_view text(TransferStep step);
std::string_view text(DisbeliefReason reason);
std::string_view text(NotificationStep step);
std::string_view text(LifecycleError error);  // "cannot start"
std::string_view text(ClockOf which);         // "both"
// The word for `detail` of this event's kind, "" when it has none.
std::string_view detail_text(const Event& event);

}  // namespace leasescope
