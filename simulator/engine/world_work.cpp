// The virtual world, continued: the work under the mutex, and what reaches the protected resource.
#include <algorithm>

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
  const WorkTerms& terms = facts_->work_terms[index % resources_per_node()];
  const bool owns = input == WorkInput::kTimer && node.contender.owns(node.clock.steady.at(now_));
  const WorkStep step = work.worker.step(terms, input, owns, owns ? node.contender.token() : kNoToken);
  if (step.checked) node.cause = emit(EventKind::kChecked, node.name, node.mutex, node.cause, 0, step.token);
  if (step.timer == WorkEffect::kDisarm) work.timer.armed = false;
  if (step.timer == WorkEffect::kArm) {
    const auto& steady = node.clock.steady;
    ++work.timer.generation;
    work.timer.armed = true;
    work.timer.due = steady.at(now_) + step.delay;
    if (step.writes) return send_write(index, step.token);
    const TrueTime at = step.delay <= Duration::zero() ? now_ : steady.when(work.timer.due);
    queue_.push(at, Due::kWork, index, work.timer.generation);
  }
  if (step.computes && plan_.waits_for_compute()) began_compute(owner);
  if (step.rests && input != WorkInput::kReleased) work_rests(owner);
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

bool World::on_write_answered(const QueueEntry& entry) {
  const Work& work = works_[entry.node()];
  Node& node = nodes_[entry.node() / resources_per_node()];
  if (!node.alive || !work.worker.awaits(entry.payload)) return false;  // crashed since, or given up
  if (node.pauses > 0) {
    node.inbox.push_back(entry);
    return false;
  }
  input_.node = node.name;
  run_work(entry.node(), WorkInput::kAnswered);
  return true;
}

// Its application has stopped once all it does under the mutex has.
void World::work_rests(NodeIndex owner) {
  const std::uint32_t first = owner * resources_per_node();
  for (std::uint32_t i = first; i < first + resources_per_node(); ++i)
    if (!works_[i].worker.resting()) return;
  hand(owner, WorkDone{}, 0);
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
