#include "simulator/fault/kinds.h"
#include "simulator/model/models.h"

namespace leasescope::faults {

// Harmless by itself: only a failover meanwhile shows what the replica has missed.
FaultKind replica_cut() {
  FaultKind kind;
  kind.name = "replica_cut";
  kind.about = "the replica gets nothing of what its leader does, then all at once";
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kReplica;
  kind.lasts = true;
  kind.models = models_that_suffer(Disturbance::kReplicaCut);
  kind.needs_replica = true;
  kind.begin = [](FaultPort& world, const FaultCall&) { world.disturb_store(Disturbance::kReplicaCut); };
  kind.end = [](FaultPort& world, const FaultCall&) { world.disturb_store(Disturbance::kReplicaHeal); };
  return kind;
}

}  // namespace leasescope::faults
