// What a private server's own clock is told by: a file of this form, mapped by whoever sets it and by each process of
// the server (preload/clock.cpp).
#pragma once
#include <cstdint>

namespace leasescope {

struct ClockPage {
  std::int64_t ahead_ns = 0;  // of the machine's time of day
  std::int64_t readers = 0;   // processes that have it, or had it: none, and the library was not taken in
};

// The variable of the environment that names the file.
inline constexpr const char* kClockPageVariable = "LEASESCOPE_SERVER_CLOCK";

}  // namespace leasescope
