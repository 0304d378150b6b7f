#include "simulator/fault/keys.h"
#include "simulator/fault/kinds.h"

namespace leasescope::faults {

// They keep their order, as one connection does: what is sent after the end waits for what was held up. Live, the proxy
// holds the store's push frames up, and replies go past them.
FaultKind late_notification() {
  FaultKind kind = later_by<&FaultPort::delay_messages>(
      "late_notification", "messages the store publishes reach the contender later by so much; replies do not",
      Draw::leases(0.001, 2));
  kind.of_network = kind.reads_messages = kind.needs_messages = true;
  return kind;
}

}  // namespace leasescope::faults
