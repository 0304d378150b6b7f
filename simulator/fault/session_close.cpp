#include "simulator/fault/kinds.h"
#include "simulator/model/models.h"

namespace leasescope::faults {

// As an operator does, or an ensemble that takes its client for dead: what the session holds goes at once, and its
// client hears of it when it hears of it.
FaultKind session_close() {
  FaultKind kind;
  kind.name = "session_close";
  kind.about = "the store ends the session of whoever holds the first mutex";
  kind.began = "The store ends its owner's session by force";
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kStore;
  kind.asked = true;
  kind.may_break = "grant";
  kind.models = models_that_suffer(Disturbance::kCloseSession);
  kind.begin = [](FaultPort& world, const FaultCall&) { world.disturb_store(Disturbance::kCloseSession); };
  return kind;
}

}  // namespace leasescope::faults
