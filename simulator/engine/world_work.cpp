// The virtual world, continued: the work under the mutex, and what reaches the protected resource.
#include <algorithm>

#include "simulator/engine/world_host_port.h"

namespace leasescope {

bool World::on_work(const QueueEntry& entry) {
  const NodeIndex owner = worker_of(entry.node());
  Node& node = nodes_[owner];
  concerns(node);
  input_.node = node.name;
  return node.on_work(WorldHostPort(*this, owner), table_of(entry.node()), entry, entry.payload);
}

bool World::on_write_answered(const QueueEntry& entry) {
  const NodeIndex owner = worker_of(entry.node());
  Node& node = nodes_[owner];
  concerns(node);
  input_.node = node.name;
  if (is_bank(table_of(entry.node()))) hear_bank(entry.node(), entry.payload);
  return node.on_write_answered(WorldHostPort(*this, owner), table_of(entry.node()), entry, entry.payload);
}

// There and back by the same delay. Most answers come in time, so the time-out is put in the queue only where this one
// does not.
void World::send_write(std::uint32_t index, Token token) {
  Work& work = works_[index];
  const NodeIndex owner = worker_of(index);
  const Node& node = nodes_[owner];
  const std::uint32_t table = table_of(index);
  const std::uint32_t slot = pool_.make();
  Message& message = pool_.at(slot);
  Duration way = facts_->write_latency[table].sample(work.delays);
  if (node.disturbed != 0) way += disturbed_[node.disturbed - 1].late_writes;
  message.write = {node.name, token, node.mutex * works_each_ + table, index, work.worker.writes(), way, 0, 0};
  if (is_bank(table)) {
    message.write.transfer = bank_talks_[index].transfer;
    message.write.step = work.worker.pipeline_step();
  }
  message.cause = node.cause;
  queue_.push(now_ + way, Due::kWriteArrives, owner, slot);
  const TrueTime given_up = node.clock.steady.when(work.timer.due);
  if (now_ + 2 * way >= given_up) queue_.push(std::max(now_, given_up), Due::kWork, index, work.timer.generation);
}

void World::on_write(const QueueEntry& entry) {
  const Message& message = pool_.take(entry.payload);
  const Node& writer = nodes_[entry.node()];
  concerns(writer);
  queue_.push(now_ + message.write.way, Due::kWriteAnswered, message.write.work, message.write.number);
  Resource& resource = resources_[message.write.resource];
  const bool bank = is_bank(table_of(message.write.resource));
  if (bank && static_cast<Bank::Step>(message.write.step) == Bank::Step::kAsk) {
    input_.node = resource.name();
    return on_bank_asked(message, false);  // it changes nothing
  }
  const Token highest = resource.highest(message.write.token);
  const EventKind kind = resource.write(message.write.token);
  input_.node = resource.name();
  input_.a = message.write.token;
  emit(kind, writer.name, writer.mutex, message.cause, 0, message.write.token, resource.name().handle,
       static_cast<std::int64_t>(highest));
  if (bank) on_bank_asked(message, kind == EventKind::kWriteRejected);
}

// ---- at a bank

void World::on_bank_asked(const Message& message, bool refused) {
  const Write& asked = message.write;
  const Node& writer = nodes_[worker_of(asked.work)];
  Bank::Done done;
  if (!refused) done = banks_[asked.resource].take(static_cast<Bank::Step>(asked.step), asked.transfer);
  for (std::uint8_t i = 0; i < done.tells; ++i)
    emit(EventKind::kTransferred, writer.name, writer.mutex, sequence_, static_cast<std::uint8_t>(done.told[i].what),
         asked.token, static_cast<std::int64_t>(done.told[i].transfer), resources_[asked.resource].name().handle);
  BankTalk& talk = bank_talks_[asked.work];
  if (asked.number < talk.number) return;  // he has asked again since
  talk.number = asked.number;
  talk.answered = done.transfer;
  talk.next = done.next;
}

// The answer has come: so far the transfer is, whoever brought it there.
void World::hear_bank(std::uint32_t work, std::uint32_t number) {
  BankTalk& talk = bank_talks_[work];
  if (talk.number != number || !works_[work].worker.awaits(number)) return;
  talk.transfer = talk.answered;
  works_[work].worker.go_on_with(talk.next);
}

}  // namespace leasescope
