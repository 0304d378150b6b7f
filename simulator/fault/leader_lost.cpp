#include "simulator/fault/kinds.h"
#include "simulator/model/models.h"

namespace leasescope::faults {

// Whoever waits for an answer learns that it will not come; what a majority may have got is committed by the next
// leader, which gives every session one heartbeat more.
FaultKind leader_lost() {
  FaultKind kind;
  kind.name = "leader_lost";
  kind.about = "the member that leads the group dies; nobody is answered until another is elected";
  kind.began = "The group loses its leader";
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kStore;
  kind.live = false;
  kind.models = models_that_suffer(Disturbance::kLeaderLost);
  kind.begin = [](FaultPort& world, const FaultCall&) { world.disturb_store(Disturbance::kLeaderLost); };
  return kind;
}

}  // namespace leasescope::faults
