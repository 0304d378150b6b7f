#include "simulator/fault/kinds.h"
#include "simulator/model/models.h"

namespace leasescope::faults {

// The replica has what its leader had `replication_lag` before it died, or before the replica was cut off; the fencing
// counter is among it.
FaultKind store_failover() {
  FaultKind kind;
  kind.name = "store_failover";
  kind.about = "the leader dies, and after a while its replica leads with what it had got";
  kind.disturbs = Disturbs::kFailsOver;
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kStore;
  kind.lasts = true;
  kind.may_break = "fence";
  kind.models = models_that_suffer(Disturbance::kFailover);
  kind.needs_replica = true;
  kind.begin = [](FaultPort& world, const FaultCall&) {
    world.disturb_store(Disturbance::kReplicaCut);
    world.crash_store();
    world.disturb_store(Disturbance::kCrash);
  };
  kind.end = [](FaultPort& world, const FaultCall&) {
    world.disturb_store(Disturbance::kFailover);
    world.disturb_store(Disturbance::kReplicaHeal);
    world.restore_store();
  };
  return kind;
}

}  // namespace leasescope::faults
