// The virtual world, continued: what a snapshot takes, and how a fork goes on differently.
#include "simulator/engine/world.h"

namespace leasescope {

tl::expected<void, std::string> World::change_course(const Scenario& changed, TrueTime at) {
  auto plan = plan_.changed_course(FaultPlan(changed), at);
  if (!plan) return tl::make_unexpected(plan.error());
  plan_ = std::move(*plan);
  faults_due_ = plan_.next();
  facts_ = make_facts(changed);
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const ResourceTable& table = changed.resources[i % changed.resources.size()];
    resources_[i].change_policy(table.fencing, table.accepts_tokenless);
  }
  return {};
}

std::size_t World::bytes() const {
  const auto of = [](const auto& list) { return list.size() * sizeof(list[0]); };
  std::size_t bytes = sizeof *this + queue_.size() * sizeof(QueueEntry) + pool_.bytes();
  bytes += fleet_.bytes() + of(nodes_) + of(works_) + of(resources_) + of(banks_) + of(bank_talks_) + of(servers_) +
           of(last_grant_) + of(disturbed_);
  bytes += of(more_outstanding_) + of(more_arrivals_) + majority_.bytes();
  for (const std::vector<Outstanding>& places : more_outstanding_) bytes += of(places);
  bytes += of(active_faults_) + of(ended_faults_) + of(firings_) + of(events_);
  for (const Node& node : nodes_) bytes += of(node.inbox);
  return bytes;
}

}  // namespace leasescope
