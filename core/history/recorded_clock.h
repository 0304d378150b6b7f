// Moments of a recording in words: by the wall clock of then, or, of a run in virtual time, in seconds.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/time/clock.h"

namespace leasescope {

class RecordedClock {
 public:
  explicit RecordedClock(std::optional<std::int64_t> epoch_ns) : epoch_ns_(epoch_ns) {}
  // "2026-11-27 03:12:04.250", in UTC, or "17.189 s".
  std::string text(TrueTime at) const;
  // The same with " UTC" behind it, where there is a clock.
  std::string zoned(TrueTime at) const { return text(at) + (epoch_ns_ ? " UTC" : ""); }

 private:
  std::optional<std::int64_t> epoch_ns_;
};

}  // namespace leasescope
