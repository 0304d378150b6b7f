// How far two observers' clocks are apart, by what both saw: the same grant, or the same end of it, lies within bounds
// by each one's clock, and that bounds the difference of the clocks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/history/recording/observed_account.h"

namespace leasescope {

// By so much the second clock is ahead of the first; negative: it is behind.
struct OffsetBounds {
  Duration lo{}, hi{};
};

// No clock of a machine is assumed to be faster or slower than that, in millionths, so that two go apart by twice as
// much: NTP's frequency tolerance of a clock between its corrections (PHI, RFC 5905).
inline constexpr std::int64_t kClockTolerancePpm = 15;

struct AgreedOffset {
  OffsetBounds bounds;
  std::size_t agree = 0;   // so many of the events allow an offset between the bounds
  std::size_t shared = 0;  // of so many that both saw

  // Two clocks that go apart, or a mutex that is not the same one, are told by that most events contradict each other.
  static constexpr std::size_t kEnough = 4;
  bool is_known() const { return agree >= kEnough && agree * 2 > shared; }
};

// The offsets that most of the bounds allow (Marzullo's selection, as NTP makes it of its servers). Where several apart
// from each other are allowed by as many, all between them. None: there are no bounds.
std::optional<AgreedOffset> agreed_offset(const std::vector<OffsetBounds>& all);

// What one event that two saw allows.
struct SharedBounds {
  TrueTime at{};  // when it had happened, by the first one's clock
  OffsetBounds bounds;
};
// Of each grant and each end that both accounts have once, of the same mutex, owner and token. A grant that an observer
// only met says nothing of when it was. `b_after_a`: moment 0 of b by its clock, less moment 0 of a by its own.
std::vector<SharedBounds> shared_bounds(const ObservedAccount& a, const ObservedAccount& b, Duration b_after_a);

// What most of these allow, widened so that it is true at every moment at which b looked, if neither clock is further
// off than kClockTolerancePpm: by what the clocks may have gone apart from one such event to the next, before the first
// and after the last. None: they have nothing in common.
std::optional<AgreedOffset> offset_between(const ObservedAccount& a, const ObservedAccount& b, Duration b_after_a);

// "120 ms ± 15 ms ahead of a's", "3.000 ms ± 0.125 ms behind a's".
std::string offset_text(const OffsetBounds& bounds, const std::string& whose);

}  // namespace leasescope
