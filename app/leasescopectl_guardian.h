// A small process that outlives ours, to end a command for us: when we are gone, or when what the command was allowed
// to run under is over and we have not said that it goes on.
#pragma once
#include <sys/types.h>

#include "core/time/clock.h"

namespace leasescope::ctl {

class Guardian {
 public:
  Guardian() { begin(); }
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  bool stands() const { return pipe_ >= 0; }
  // From here on that process group is killed at `until`, and when this process ends. One that does not take that in is
  // replaced; false when that is not possible either.
  bool guard(pid_t group, Duration until);
  // It has ended by itself.
  void release() { guard(0, Duration::max()); }
  // A child of ours has ended: where that was the guardian, another takes over what it guarded. False as above.
  bool replaced_after(pid_t child);

  // What `until` is reckoned on: since the machine was started, its sleep included.
  static Duration now();

 private:
  struct Ward {
    pid_t group = 0;  // 0 = none
    std::int64_t until_ns = 0;
  };

  [[noreturn]] static void guard_until_the_end(int from);
  void begin();
  void end();
  bool say() const;

  int pipe_ = -1;
  pid_t process_ = 0;
  Ward ward_;
};

}  // namespace leasescope::ctl
