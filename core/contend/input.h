// What a contender is handed: one variant, plain data.
#pragma once
#include <type_traits>
#include <variant>

#include "core/store/port.h"

namespace leasescope {

// The timers a contender arms, by its own numbers; one of each at most.
enum class Timer : std::uint8_t {};
inline constexpr std::size_t kContenderTimers = 3;

struct Start {};
struct Stop {};
struct Close {};  // Stop that does not complain when nothing runs (from 3.2 on)
struct TimerFired {
  Timer timer;
};
struct CallbackDone {};  // the application's on_acquired has returned
struct WorkDone {};      // after on_released: what the application did under the mutex has come to its end
// From now on the application's executor comes to whatever it is handed later by so much; zero: at once.
struct ExecutorLate {
  Duration by{};
};

using Input = std::variant<Start, Stop, Close, TimerFired, CallbackDone, WorkDone, Reply, StoreEvent, ExecutorLate>;
static_assert(std::is_trivially_copyable_v<Input> && sizeof(Input) <= 64);

}  // namespace leasescope
