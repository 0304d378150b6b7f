#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// The fencing token is a column of it: the next term begins at one again.
FaultKind delete_row() {
  FaultKind kind;
  kind.name = "delete_row";
  kind.about = "an operator deletes the mutex's row by hand, its fencing token with it; nobody is told";
  kind.disturbs = Disturbs::kDeletes;
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kStore;
  kind.asked = true;
  kind.live = false;
  kind.may_break = "fence";
  kind.models = {"sql"};
  kind.begin = [](FaultPort& world, const FaultCall&) { world.disturb_store(Disturbance::kErase); };
  return kind;
}

}  // namespace leasescope::faults
