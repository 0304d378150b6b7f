// What would have kept an incident away: one setting at a time is changed, and the same seed run again.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/history/incident.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// Every incident of that kind at that mutex.
struct Unwanted {
  IncidentKind kind = IncidentKind::kBeliefOverlap;
  std::string mutex;
};

// Under it there is none of them any more, no more than before of anything as bad, and work is still done: there are
// grants, and a mutex has an owner for at least half as long.
struct Remedy {
  std::string path;   // of the key, as `--set` takes it: "mutex.ttl", "fault.0.duration"
  std::string from;   // as written: "5s"
  std::string to;     // ... the nearest that was found to do
  Duration margin{};  // from one to the other: above 0 when it is to be longer; zero where it is no matter of degree
  // Of the kOtherSeeds that follow, in how many it does as well. Few are chance; but a time that just does for one seed
  // lies on its edge, and others need a little more or less.
  int others = 0;
};
inline constexpr int kOtherSeeds = 20;

struct Prevention {
  std::vector<Remedy> remedies;  // those that do in most seeds come first; else terms, faults, what is on or off
  int runs = 0;
  bool again = false;  // it happens when nothing is changed, as it must
  bool whole = true;   // false: it was stopped
};

// Tried are the times of [mutex] and of its system's table, the time-out of the store, the length of each fault and the
// plan without it, resources that fence, and Leasescope's own behaviour; everything else stays, in nanoseconds: a fault
// that is written as "1.7 lease" stands where it stood. A time is looked for outwards, in steps, and from the first
// that does back to the last that does not: to a two-hundredth of what there was, a millisecond at least. `goes_on`
// is asked before every run, from the caller's thread.
Prevention prevention_of(
    const Scenario& scenario, const Unwanted& unwanted, const std::function<bool()>& goes_on = [] { return true; });

// "mutex.ttl of 8.812 s instead of 5 s, 3.812 s longer (20 of 20 other seeds)", "without the pause of owner (fault.0)
// (20 of 20 other seeds)"; of that scenario.
std::string text(const Scenario& scenario, const Remedy& remedy);

}  // namespace leasescope
