// A small process that outlives ours, to end a command for us: when we are gone, or when what the command was allowed
// to run under is over and we have not said that it goes on.
#pragma once
#include <sys/types.h>

#include "core/time/clock.h"

namespace leasescope::ctl {

class Guardian {
 public:
  // Forks: before the program has threads.
  Guardian();
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  bool stands() const { return pipe_ >= 0; }
  // From here on that process group is killed at `until`, and when this process ends.
  void guard(pid_t group, Duration until);
  // It has ended by itself.
  void release() { guard(0, Duration::max()); }

  // What `until` is reckoned on: since the machine was started, its sleep included.
  static Duration now();

 private:
  int pipe_ = -1;
};

}  // namespace leasescope::ctl
