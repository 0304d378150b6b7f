#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// A debugger, an open psql, a client that died without its socket: the row is locked, and nobody knows for how long.
FaultKind row_stall() {
  FaultKind kind;
  kind.name = "row_stall";
  kind.about = "a transaction stalls while it holds the mutex's row; lease calls wait behind it";
  kind.band = BandKind::kServer;
  kind.target = FaultTarget::kStore;
  kind.asked = true;
  kind.lasts = true;
  kind.may_break = "grant";
  kind.spares = [](const RedisTerms&, const SqlTerms& sql) { return sql.now == SqlTerms::Now::kClock; };
  kind.models = {"sql"};
  kind.begin = [](FaultPort& world, const FaultCall& call) { world.stall_row(call.key); };
  kind.end = [](FaultPort& world, const FaultCall& call) { world.unstall_row(call.key); };
  return kind;
}

}  // namespace leasescope::faults
