// The four kinds of time. Mixing them does not compile; all are int64 nanoseconds, none is floating point.
#pragma once
#include <chrono>
#include <cstdint>

namespace leasescope {

using Duration = std::chrono::duration<std::int64_t, std::nano>;

namespace clocks {
// Tags only: nothing in core reads a clock.
template <class Tag>
struct Base {
  using duration = Duration;
  using rep = Duration::rep;
  using period = Duration::period;
  using time_point = std::chrono::time_point<Tag, Duration>;
};
struct True : Base<True> {};
struct Server : Base<Server> {};
struct Wall : Base<Wall> {};
struct Steady : Base<Steady> {};
}  // namespace clocks

using TrueTime = clocks::True::time_point;      // the observer's; 0 = the contenders are started
using ServerTime = clocks::Server::time_point;  // the store's
using WallTime = clocks::Wall::time_point;      // a contender's wall clock: offset, drift, steps
using SteadyTime = clocks::Steady::time_point;  // a contender's monotonic clock: drift, never a step

// What a contender can read: its own two clocks at one moment. The true time is not in it.
struct Clocks {
  WallTime wall;
  SteadyTime steady;
};

enum class ClockOf : std::uint8_t { kBoth, kWall, kSteady };

inline constexpr Duration kForever = Duration::max();

}  // namespace leasescope
