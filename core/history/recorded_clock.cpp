#include "core/history/recorded_clock.h"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace leasescope {

std::string RecordedClock::text(TrueTime at) const {
  if (!epoch_ns_) return fmt::format("{:.3f} s", static_cast<double>(at.time_since_epoch().count()) / 1e9);
  const std::int64_t ns = *epoch_ns_ + at.time_since_epoch().count();
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03}", fmt::gmtime(static_cast<std::time_t>(ns / 1'000'000'000)),
                     ns / 1'000'000 % 1'000);
}

}  // namespace leasescope
