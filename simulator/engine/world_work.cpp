// The virtual world, continued: the work under the mutex, and what reaches the protected resource.
#include <algorithm>

#include "simulator/engine/world_host_port.h"

namespace leasescope {

bool World::on_work(const QueueEntry& entry) {
  const NodeIndex owner = entry.node() / resources_per_node();
  Node& node = nodes_[owner];
  input_.node = node.name;
  return node.on_work(WorldHostPort(*this, owner), entry.node() % resources_per_node(), entry, entry.payload);
}

bool World::on_write_answered(const QueueEntry& entry) {
  const NodeIndex owner = entry.node() / resources_per_node();
  Node& node = nodes_[owner];
  input_.node = node.name;
  return node.on_write_answered(WorldHostPort(*this, owner), entry.node() % resources_per_node(), entry, entry.payload);
}

// There and back by the same delay. Most answers come in time, so the time-out is put in the queue only where this one
// does not.
void World::send_write(std::uint32_t index, Token token) {
  Work& work = works_[index];
  const NodeIndex owner = index / resources_per_node();
  const Node& node = nodes_[owner];
  const std::uint32_t table = index % resources_per_node();
  const std::uint32_t slot = pool_.make();
  Message& message = pool_.at(slot);
  Duration way = facts_->write_latency[table].sample(work.delays);
  if (node.disturbed != 0) way += disturbed_[node.disturbed - 1].late_writes;
  message.write = {node.name, token, node.mutex * resources_per_node() + table, index, work.worker.writes(), way};
  message.cause = node.cause;
  queue_.push(now_ + way, Due::kWriteArrives, owner, slot);
  const TrueTime given_up = node.clock.steady.when(work.timer.due);
  if (now_ + 2 * way >= given_up) queue_.push(std::max(now_, given_up), Due::kWork, index, work.timer.generation);
}

void World::on_write(const QueueEntry& entry) {
  const Message message = pool_.take(entry.payload);
  queue_.push(now_ + message.write.way, Due::kWriteAnswered, message.write.work, message.write.number);
  Resource& resource = resources_[message.write.resource];
  const Token highest = resource.highest();
  const EventKind kind = resource.write(message.write.token);
  input_.node = resource.name();
  input_.a = message.write.token;
  const Node& writer = nodes_[entry.node()];
  emit(kind, writer.name, writer.mutex, message.cause, 0, message.write.token, resource.name().handle,
       static_cast<std::int64_t>(highest));
}

}  // namespace leasescope
