#include "simulator/live/replication.h"

#include <algorithm>

#include "simulator/fault/kind.h"

namespace leasescope {

bool needs_replica(const Scenario& scenario) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultTable& row) {
    const FaultKind* const kind = find_fault_kind(row.kind);
    return row.enabled && kind != nullptr && kind->needs_replica;
  });
}

// What is said there is no store's protocol: nothing reads it.
Replication::Replication(Loop& loop, const Endpoint& leader, Duration lag)
    : lag_(lag), proxy_(loop, leader, nullptr, false) {}

tl::expected<void, std::string> Replication::open() {
  const auto listens = proxy_.listen();
  if (!listens) return tl::unexpected(listens.error());
  endpoint_ = *listens;
  return {};
}

void Replication::begin() { proxy_.add_delay(LinkDirection::kFromStore, lag_); }

}  // namespace leasescope
