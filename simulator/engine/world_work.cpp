// The virtual world, continued: the work under the mutex, and what reaches the protected resource.
#include "simulator/engine/world.h"

namespace leasescope {

bool World::on_work(const QueueEntry& entry) {
  Work& work = works_[entry.node()];
  if (!work.timer.valid(entry.payload)) return false;
  Node& node = nodes_[entry.node() / resources_per_node()];
  if (node.pauses > 0) {
    node.inbox.push_back(entry);
    return false;
  }
  work.timer.armed = false;
  input_.node = node.name;
  run_work(entry.node(), WorkInput::kTimer);
  return true;
}

void World::run_work(std::uint32_t index, WorkInput input) {
  Work& work = works_[index];
  const NodeIndex owner = index / resources_per_node();
  Node& node = nodes_[owner];
  const WorkStep step = work.worker.step(input, node.contender.believes(), node.contender.token());
  if (step.checked) node.cause = emit(EventKind::kChecked, node.name, node.mutex, node.cause, 0, step.token);
  if (step.timer == WorkEffect::kDisarm) work.timer.armed = false;
  if (step.writes) {
    const std::uint32_t slot = pool_.make();
    Message& message = pool_.at(slot);
    message.write = {node.name, step.token, node.mutex * resources_per_node() + index % resources_per_node()};
    message.cause = node.cause;
    Duration way = facts_->write_latency[index % resources_per_node()].sample(work.delays);
    if (node.disturbed != 0) way += disturbed_[node.disturbed - 1].late_writes;
    queue_.push(now_ + way, Due::kWriteArrives, owner, slot);
  }
  if (step.timer == WorkEffect::kArm) {
    const auto& steady = node.clock.steady;
    ++work.timer.generation;
    work.timer.armed = true;
    work.timer.due = steady.at(now_) + step.delay;
    const TrueTime at = step.delay <= Duration::zero() ? now_ : steady.when(work.timer.due);
    queue_.push(at, Due::kWork, index, work.timer.generation);
  }
  if (step.computes && plan_.waits_for_compute()) began_compute(owner);
}

void World::on_write(const QueueEntry& entry) {
  const Message message = pool_.take(entry.payload);
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
