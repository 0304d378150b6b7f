// Where a scenario can run, and what of it cannot be run on a live store, said before anything starts.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/store/url.h"
#include "simulator/fault/kind.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// "virtual", and "live:redis" and the like.
std::vector<std::string> worlds_of(const Scenario& scenario);
std::vector<std::string> worlds_of(const FaultKind& kind);
// Of a scenario that runs in virtual time alone; empty: it happens live too. Where it is not for any of them, what each
// store that carries its system cannot: "the fault row_stall cannot be produced on redis; …".
std::string why_not_live(const Scenario& scenario);

// Sets the clock by which a store's leases end.
inline bool is_of_store_clock(const FaultKind& kind) {
  return kind.disturbs == Disturbs::kSetsClock && kind.target == FaultTarget::kStore;
}

// None when it can.
std::optional<std::string> live_refusal(const Scenario& scenario, const StoreUrl& store);

}  // namespace leasescope
