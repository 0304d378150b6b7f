#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// DEL of the lease key, as it is typed into redis-cli: nothing is published, and the counter of the fence stays.
FaultKind delete_key() {
  FaultKind kind;
  kind.name = "delete_key";
  kind.about = "an operator deletes the mutex's key by hand; nobody is told";
  kind.disturbs = Disturbs::kDeletes;
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kStore;
  kind.asked = true;
  kind.may_break = "grant";
  kind.models = {"redis"};
  kind.begin = [](FaultPort& world, const FaultCall&) { world.disturb_store(Disturbance::kErase); };
  return kind;
}

}  // namespace leasescope::faults
