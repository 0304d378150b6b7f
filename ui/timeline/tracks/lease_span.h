// One lease in force, as the chart draws it.
#pragma once
#include <cstdint>

#include "core/history/event.h"

namespace leasescope {

inline constexpr TrueTime kOpenEnd = TrueTime::max();  // has not ended yet
inline constexpr int kNoContender = -1;

// A moment known within bounds; equal but in the live world.
struct Moment {
  TrueTime lo{};
  TrueTime hi{};
  bool exact() const { return lo == hi; }
  friend bool operator==(const Moment& a, const Moment& b) { return a.lo == b.lo && a.hi == b.hi; }
};

enum class SpanEnd : std::uint8_t {
  kOpen,
  kRenewed,
  kReleased,
  kExpired,
  kTakenOver,
  kLost,
  kWatchdog,
  kStop,
  kEvent,
  kFailure,
  kSession,
  kStolen,
  kUnconfirmed,
  kUnseen,  // the store does not answer: as far as is known
};

// As the store held it or as a contender believed it: from a grant or a renewal to the next.
struct LeaseSpan {
  Moment start;
  Moment end{kOpenEnd, kOpenEnd};
  TrueTime ttl_end{};    // then the transition
  TrueTime lease_end{};  // held: as promised; believed: the contender's own deadline
  Token token = kNoToken;
  int contender = kNoContender;
  int mutex = 0;
  SpanEnd ending = SpanEnd::kOpen;
  bool renewal = false;    // begins by one
  bool shared = false;     // beside others who read
  std::uint16_t slot = 0;  // the lowest free place of those that a mutex has

  bool open() const { return end.hi == kOpenEnd; }
};

}  // namespace leasescope
