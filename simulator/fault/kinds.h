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
FaultKind starve();
FaultKind clock_drift();
FaultKind clock_strobe();
FaultKind clock_sine();
FaultKind clock_slew();
FaultKind loss();
FaultKind delay();
FaultKind jitter();
FaultKind duplicate();
FaultKind reorder();
FaultKind clog();
FaultKind swizzle();
FaultKind half_open();
FaultKind late_notification();
FaultKind late_packet();
FaultKind restart_as();
FaultKind store_crash();
FaultKind store_failover();
FaultKind replica_cut();
FaultKind store_freeze();
FaultKind store_slow();
FaultKind store_clock_drift();
FaultKind store_clock_strobe();
FaultKind delete_key();
FaultKind delete_row();
FaultKind row_stall();
FaultKind pool_exhausted();
FaultKind late_callbacks();
FaultKind late_request();

}  // namespace leasescope::faults
