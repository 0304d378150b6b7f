// A history of calls as the events of a history: what core/check/run_calls.h does, backwards.
#pragma once
#include <string>
#include <vector>

#include "core/check/call.h"
#include "core/history/history.h"

namespace leasescope {

struct CallEvents {
  History history;                   // names, legend, events
  std::vector<std::string> remarks;  // what events have no place for
};

// Where all that they tell is what a store did to leases (as run --history FILE.edn writes of a system without calls of
// its own) that, each within its bounds; else the calls with their beginnings and ends.
CallEvents events_of_calls(const check::Calls& calls);

}  // namespace leasescope
