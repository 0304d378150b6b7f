// The register of toxics: one line each, by its file in this folder.
#pragma once
#include "simulator/live/toxics/toxic.h"

#define LEASESCOPE_TOXICS(TOXIC) \
  TOXIC(latency)                 \
  TOXIC(bandwidth)               \
  TOXIC(slicer)                  \
  TOXIC(stall)                   \
  TOXIC(black_hole)              \
  TOXIC(refuse)                  \
  TOXIC(reset)                   \
  TOXIC(slow_close)              \
  TOXIC(half_close)              \
  TOXIC(limit_bytes)             \
  TOXIC(limit_time)              \
  TOXIC(delay_frame)             \
  TOXIC(drop_frame)              \
  TOXIC(delay_push)              \
  TOXIC(drop_push)               \
  TOXIC(duplicate_frame)         \
  TOXIC(reorder_frame)

namespace leasescope::toxics {

#define LEASESCOPE_TOXIC(name) ToxicKind name();
LEASESCOPE_TOXICS(LEASESCOPE_TOXIC)
#undef LEASESCOPE_TOXIC

}  // namespace leasescope::toxics
