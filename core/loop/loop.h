// The port to real time: delays, tasks for later, readiness of descriptors. Adapters and hosts of the live world speak
// it.
#pragma once
#include <cstdint>
#include <functional>

#include "core/time/clock.h"

namespace leasescope {

enum class Readiness : std::uint8_t { kRead, kWrite };

// One thread; tasks are never called from within the call that ordered them, so callers need not be re-entrant.
class Loop {
 public:
  using Task = std::function<void()>;
  using TimerId = std::uint64_t;  // 0 = none
  using WatchId = std::uint64_t;

  virtual ~Loop() = default;

  // Real time since the zero this loop was given.
  virtual TrueTime now() const = 0;
  // Calls `task` once, never early.
  virtual TimerId delay(Duration after, Task task) = 0;
  virtual void cancel(TimerId timer) = 0;  // of none, or of one that has fired: nothing happens
  virtual void post(Task task) = 0;
  // Calls `task` again and again while the descriptor is ready.
  virtual WatchId watch(int descriptor, Readiness readiness, Task task) = 0;
  virtual void unwatch(WatchId watch) = 0;
};

}  // namespace leasescope
