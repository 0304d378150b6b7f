// The clock by which a store ends leases, where somebody sets it now and then: from when to when each step may have
// happened, and what that does to the end of a lease.
#pragma once
#include <vector>

#include "core/time/clock.h"

namespace leasescope {

// It runs out between the two, if nothing comes in between; max() = never. Each was last read from an answer that came
// at `…_read`.
struct LeaseBounds {
  TrueTime lo{};
  TrueTime hi{};
  TrueTime lo_read = TrueTime::min();
  TrueTime hi_read = TrueTime::min();
};

// Set forward, or back, at some moment between the two.
struct ClockStep {
  Duration by{};
  TrueTime asked{};
  TrueTime done = TrueTime::max();

  // What it does to the end of a lease that is known: the earliest that can be from when it is asked for, where
  // `may_last` says that the lease may not be over by then, and what is certain only when it has been done.
  void may_move(LeaseBounds& end, bool may_last) const;
  void has_moved(LeaseBounds& end) const;
};

class LeaseClock {
 public:
  // From `at` on it may be set.
  ClockStep asked(Duration by, TrueTime at);
  // The first that has not been done has been by then.
  ClockStep done(TrueTime at);

  // Of an end that was reckoned by a clock nobody sets, from an answer that was given between the two.
  LeaseBounds end(TrueTime sent, TrueTime received, TrueTime lo, TrueTime hi) const;
  // By how much it may have been set since, in all.
  Duration forward_since(TrueTime since) const;
  Duration back_since(TrueTime since) const;
  TrueTime set_back_after(TrueTime at) const;                // asked for first of what came later; max() = not at all
  TrueTime last_set_back() const { return last_set_back_; }  // asked for; min() = never

 private:
  std::vector<ClockStep> steps_;  // in their order: those that an answer may yet be about
  TrueTime last_set_back_ = TrueTime::min();
};

}  // namespace leasescope
