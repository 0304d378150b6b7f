// What a contender is handed: one variant, plain data.
#pragma once
#include <type_traits>
#include <variant>

#include "core/store/port.h"

namespace leasescope {

// The timers a contender arms, one of each at most.
enum class Timer : std::uint8_t { kContend, kWatchdog };
inline constexpr int kContenderTimers = 2;

struct Start {};
struct Stop {};
struct Close {};  // Stop that does not complain when nothing runs (from 3.2 on)
struct TimerFired {
  Timer timer;
};
struct CallbackDone {};  // the application's on_acquired has returned

using Input = std::variant<Start, Stop, Close, TimerFired, CallbackDone, Reply, StoreEvent>;
static_assert(std::is_trivially_copyable_v<Input> && sizeof(Input) <= 64);

}  // namespace leasescope
