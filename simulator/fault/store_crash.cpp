#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// Whoever waits for an answer hears that the line broke, whoever calls meanwhile is refused, whoever listens subscribes
// anew afterwards. Keys end by absolute time, so that leases run out while it is down.
FaultKind store_crash() {
  FaultKind kind;
  kind.name = "store_crash";
  kind.about = "the store's process ends and comes back; without persistence it has forgotten everything";
  kind.disturbs = Disturbs::kRestarts;
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kStore;
  kind.lasts = true;
  kind.may_break = "fence";
  kind.spares = [](const RedisTerms& redis, const SqlTerms&) { return redis.persistence; };
  kind.begin = [](FaultPort& world, const FaultCall&) {
    world.crash_store();
    world.disturb_store(Disturbance::kCrash);
  };
  kind.end = [](FaultPort& world, const FaultCall&) {
    world.disturb_store(Disturbance::kRestart);
    world.restore_store();
  };
  return kind;
}

}  // namespace leasescope::faults
