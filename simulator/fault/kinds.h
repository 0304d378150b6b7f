// The register of fault kinds: one line each.
#pragma once
#include "simulator/fault/kind.h"

namespace leasescope::faults {

FaultKind pause();
FaultKind partition();
FaultKind clock_step();
FaultKind store_clock_step();
FaultKind lost_notification();
FaultKind stop();
FaultKind start();
FaultKind crash();
FaultKind restart();

}  // namespace leasescope::faults
