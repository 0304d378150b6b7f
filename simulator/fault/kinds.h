// The register of fault kinds: one line each, by its file in this folder. Their order is that of the hash: new ones go
// to the end.
#pragma once
#include "simulator/fault/kind.h"

#define LEASESCOPE_FAULT_KINDS(KIND) \
  KIND(pause)                        \
  KIND(partition)                    \
  KIND(clock_step)                   \
  KIND(store_clock_step)             \
  KIND(lost_notification)            \
  KIND(stop)                         \
  KIND(start)                        \
  KIND(crash)                        \
  KIND(restart)                      \
  KIND(starve)                       \
  KIND(clock_drift)                  \
  KIND(clock_strobe)                 \
  KIND(clock_sine)                   \
  KIND(clock_slew)                   \
  KIND(loss)                         \
  KIND(delay)                        \
  KIND(jitter)                       \
  KIND(duplicate)                    \
  KIND(reorder)                      \
  KIND(clog)                         \
  KIND(swizzle)                      \
  KIND(half_open)                    \
  KIND(late_notification)            \
  KIND(late_packet)                  \
  KIND(restart_as)                   \
  KIND(store_crash)                  \
  KIND(store_failover)               \
  KIND(replica_cut)                  \
  KIND(store_freeze)                 \
  KIND(store_slow)                   \
  KIND(store_clock_drift)            \
  KIND(store_clock_strobe)           \
  KIND(delete_key)                   \
  KIND(delete_row)                   \
  KIND(row_stall)                    \
  KIND(pool_exhausted)               \
  KIND(late_callbacks)               \
  KIND(late_request)                 \
  KIND(leader_lost)                  \
  KIND(session_close)

namespace leasescope::faults {

#define LEASESCOPE_FAULT_KIND(name) FaultKind name();
LEASESCOPE_FAULT_KINDS(LEASESCOPE_FAULT_KIND)
#undef LEASESCOPE_FAULT_KIND

}  // namespace leasescope::faults
