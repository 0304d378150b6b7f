// The virtual world, continued: what a kernel does for the connections of its processes, whatever these do.
#include "simulator/engine/world.h"

namespace leasescope {

// Its machine stands still, or what the process of that life had opened is half open.
bool World::kernel_is_mute(const Node& node, std::uint32_t life) const {
  if (node.disturbed == 0) return false;
  const Disturbed& wrong = disturbed_[node.disturbed - 1];
  return wrong.stopped_clocks > 0 || (wrong.half_open_requests && wrong.half_open_life == life);
}

void World::probe(const Server& server, const ServerStep& step) {
  Node& node = nodes_[step.node];
  QueueEntry packet(arrival(step.node, Way::kDown, server.place), Due::kProbeArrives, step.node, 0);
  if (lost(node.delay(Way::kDown))) return;
  packet.payload = pool_.make();
  Message& message = pool_.at(packet.payload);
  message.reply = Reply{};
  message.reply.request = step.reply.request;
  message.reply.number = step.reply.number;
  message.life = step.life;
  message.store_life = server.life;
  message.cause = step.cause;
  if (node.disturbed != 0 &&
      disturb(step.node, Way::kDown, server.place, packet, kernel_is_mute(node, step.life)) != Fate::kGoes)
    return;
  queue_.push(packet.at, Due::kProbeArrives, step.node, packet.payload);
}

// Also while the process stands still; one that has ended, or has closed that connection, has it no more.
bool World::on_probe(const QueueEntry& entry) {
  const Message message = pool_.take(entry.payload);
  const Node& node = nodes_[entry.node()];
  if (message.store_life != servers_.front().life || kernel_is_mute(node, message.life)) return false;
  input_.node = node.name;
  input_.a = message.reply.request;
  input_.b = message.reply.number;
  const bool stands = message.life == node.life && fleet_.connection(entry.node()) == message.reply.request;
  Request request;
  request.kind = stands ? RequestKind::kHeartbeat : RequestKind::kCloseSession;
  request.session = {message.reply.number, 0, Duration::zero(), 0};
  send_by_kernel(entry.node(), request, message.life);
  return true;
}

// Its process has ended, by now a life ago: the kernel closes what it had open.
void World::hang_up(NodeIndex index) {
  const std::uint64_t connection = fleet_.connection(index);
  if (connection == 0) return;
  const std::uint32_t life = nodes_[index].life - 1;
  Request request;
  request.kind = RequestKind::kCloseSession;
  request.session = {0, connection, Duration::zero(), life};
  send_by_kernel(index, request, life);
}

// Nobody waits for an answer; `life`: of the process that had the connection.
void World::send_by_kernel(NodeIndex index, const Request& request, std::uint32_t life) {
  constexpr std::uint32_t kNobodysLife = UINT32_MAX;
  Node& node = nodes_[index];
  QueueEntry packet(arrival(index, Way::kUp, request.store), Due::kRequestArrives, index, 0);
  if (lost(node.delay(Way::kUp))) return;
  packet.payload = pool_.make();
  Message& message = pool_.at(packet.payload);
  message.request = request;
  message.request.mutex = facts_->mutexes[node.mutex];
  message.request.contender = node.name;
  message.life = kNobodysLife;
  message.store_life = servers_[request.store].life;
  message.cause = node.cause;
  if (node.disturbed != 0 && disturb(index, Way::kUp, request.store, packet, kernel_is_mute(node, life)) != Fate::kGoes)
    return;
  queue_.push(packet.at, Due::kRequestArrives, index, packet.payload);
}

}  // namespace leasescope
