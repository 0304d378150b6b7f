// The virtual world, continued: requests, replies and messages on their way.
#include <algorithm>

#include "simulator/engine/world.h"

namespace leasescope {

// ---- requests

Outstanding* World::find(Node& node, std::uint64_t request) {
  for (Outstanding& out : node.outstanding)
    if (out.request == request) return &out;
  return nullptr;
}

// The oldest gives way when all places are taken: only releases that nobody waits for can be so many.
Outstanding& World::remember(Node& node, const Request& request) {
  Outstanding* place = &node.outstanding.front();
  for (Outstanding& out : node.outstanding)
    if (out.request < place->request) place = &out;
  *place = {};
  place->request = request.id;
  place->kind = request.kind;
  place->store = request.store;
  return *place;
}

void World::send(NodeIndex index, const Request& request) {
  Node& node = nodes_[index];
  if (request.kind == RequestKind::kUnsubscribe) {
    node.subscribed = node.listening = false;
    return;
  }
  const bool subscribes = request.kind == RequestKind::kSubscribe;
  if (subscribes) node.subscribed = node.listening = true;
  Outstanding& out = remember(node, request);
  const auto& steady = node.clock.steady;
  out.due = steady.at(now_) + request.timeout;
  out.expires = steady.when(out.due);
  if (facts_->pool > 0 && !subscribes) {
    if (!has_connection(index)) {
      disturbed(index).waiting_for_connection.push_back(request);
      watch(index, out);
      return;
    }
    out.pooled = true;
  }
  transmit(index, request, out);
}

void World::transmit(NodeIndex index, const Request& request, Outstanding& out) {
  Node& node = nodes_[index];
  Link& up = node.link(Way::kUp);
  QueueEntry packet(arrival(node, up), Due::kRequestArrives, index, 0);
  if (lost(up.delays)) return watch(index, out);
  packet.payload = pool_.make();
  Message& message = pool_.at(packet.payload);
  message.request = request;
  message.life = node.life;
  message.store_life = servers_[request.store].life;
  message.cause = node.cause;
  if (node.disturbed != 0 && disturb(index, Way::kUp, packet)) return watch(index, out);
  if (packet.at >= out.expires) watch(index, out);
  queue_.push(packet.at, Due::kRequestArrives, index, packet.payload);
}

// From here on it is known that the answer may not come in time.
void World::watch(NodeIndex index, Outstanding& out) {
  if (out.watched || out.expires == TrueTime::max()) return;
  out.watched = true;
  queue_.push(std::max(now_, out.expires), Due::kRequestTimeout, index, out.tag(nodes_[index].life));
}

void World::settle(NodeIndex index, Outstanding& out) {
  out.request = 0;
  if (out.pooled) lend_connections(index);
}

bool World::has_connection(NodeIndex index) const {
  const Node& node = nodes_[index];
  std::int32_t used = 0;
  for (const Outstanding& out : node.outstanding) used += out.request != 0 && out.pooled;
  if (node.disturbed != 0) used += disturbed_[node.disturbed - 1].taken_connections;
  return used < facts_->pool;
}

void World::lend_connections(NodeIndex index) {
  if (nodes_[index].disturbed == 0) return;
  std::vector<Request>& waiting = disturbed(index).waiting_for_connection;
  while (!waiting.empty() && has_connection(index)) {
    const Request request = waiting.front();
    waiting.erase(waiting.begin());
    Outstanding* out = find(nodes_[index], request.id);
    if (out == nullptr) continue;  // given up meanwhile
    out->pooled = true;
    transmit(index, request, *out);
  }
}

// ---- answers and messages

void World::answer(const ServerStep& step, Sequence cause) {
  Node& node = nodes_[step.node];
  Link& down = node.link(Way::kDown);
  QueueEntry packet(arrival(node, down), Due::kReplyArrives, step.node, 0);
  bool arrives = !lost(down.delays);
  if (arrives) {
    packet.payload = pool_.make();
    Message& message = pool_.at(packet.payload);
    message.reply = step.reply;
    message.life = step.life;
    message.cause = cause;
    arrives = node.disturbed == 0 || !disturb(step.node, Way::kDown, packet);
  }
  if (arrives) queue_.push(packet.at, Due::kReplyArrives, step.node, packet.payload);
  if (node.life != step.life) return;
  Outstanding* out = find(node, step.reply.request);
  if (out != nullptr && (!arrives || packet.at >= out->expires)) watch(step.node, *out);
}

// Nothing comes to it by the messages' line now.
bool World::deaf(const Node& node) const {
  if (node.disturbed == 0) return false;
  const Disturbed& wrong = disturbed_[node.disturbed - 1];
  return wrong.mutes > 0 || wrong.half_opens > 0 || wrong.ways[static_cast<std::size_t>(Way::kMessages)].cuts > 0;
}

void World::publish(const ServerStep& step, Sequence cause) {
  const StoreEvent& event = step.message;
  const std::uint32_t mutex = step.mutex;
  const auto kind = static_cast<std::int64_t>(event.kind);
  const Sequence sent = emit(EventKind::kNotification, facts_->stores.front(), mutex, cause,
                             static_cast<std::uint8_t>(NotificationStep::kSent), kNoToken, kind, event.owner.handle);
  Message message;
  message.event = event;
  message.cause = sent;
  const auto mutexes = static_cast<NodeIndex>(facts_->mutexes.size());
  for (NodeIndex index = mutex; index < nodes_.size(); index += mutexes) {
    Node& node = nodes_[index];
    if (!node.listening) continue;
    if (!step.channel.empty() && node.contender.config().id != step.channel) continue;
    Link& link = node.link(Way::kMessages);
    QueueEntry packet(arrival(node, link), Due::kStoreEventArrives, index, 0);
    if (lost(link.delays) || deaf(node)) {
      emit(EventKind::kNotification, node.name, mutex, sent, static_cast<std::uint8_t>(NotificationStep::kLost),
           kNoToken, kind, event.owner.handle);
      continue;
    }
    message.life = node.life;
    packet.payload = pool_.put(message);
    if (node.disturbed != 0 && disturb(index, Way::kMessages, packet)) continue;
    queue_.push(packet.at, Due::kStoreEventArrives, index, packet.payload);
  }
}

TrueTime World::arrival(const Node& node, Link& link) {
  link.last_arrival = std::max(link.last_arrival, now_ + facts_->latencies[node.latency].sample(link.delays));
  return link.last_arrival;
}

// ---- what is wrong on a way

Disturbed& World::disturbed(NodeIndex index) {
  Node& node = nodes_[index];
  if (node.disturbed != 0) return disturbed_[node.disturbed - 1];
  disturbed_.emplace_back();
  node.disturbed = static_cast<std::uint32_t>(disturbed_.size());
  Disturbed& wrong = disturbed_.back();
  const std::string_view name = names().text(node.name);
  wrong.way(Way::kUp).draws = RandomStream(facts_->seed, name, "disturbed up");
  wrong.way(Way::kDown).draws = RandomStream(facts_->seed, name, "disturbed down");
  wrong.way(Way::kMessages).draws = RandomStream(facts_->seed, name, "disturbed messages");
  wrong.wall_ppm = node.clock.wall.ppm();
  wrong.steady_ppm = node.clock.steady.ppm();
  return wrong;
}

bool World::disturb(NodeIndex index, Way which, QueueEntry& packet) {
  Disturbed& wrong = disturbed(index);
  DisturbedWay& way = wrong.way(which);
  const LinkTrouble& trouble = way.trouble;
  const auto chance = [&](std::int64_t ppm) { return way.draws.chance_ppm(static_cast<std::uint32_t>(ppm)); };
  const bool dead = wrong.half_open_requests && which != Way::kMessages;
  if (way.cuts > 0 || dead || chance(trouble.loss_ppm)) {
    pool_.take(packet.payload);
    return true;
  }
  if (trouble.jitter > Duration::zero())
    packet.at += Duration(way.draws.below(static_cast<std::uint64_t>(trouble.jitter.count())));
  packet.at += trouble.delay;
  Link& link = nodes_[index].link(which);
  if (!chance(trouble.reordering_ppm)) link.last_arrival = packet.at = std::max(packet.at, link.last_arrival);
  if (way.clogs > 0) {
    way.waiting.push_back(packet);
    return true;
  }
  if (chance(trouble.duplication_ppm))
    queue_.push(packet.at, packet.due(), index, pool_.put(pool_.look(packet.payload)));
  return false;
}

void World::unclog(NodeIndex index, Way which) {
  DisturbedWay& way = disturbed(index).way(which);
  if (--way.clogs > 0) return;
  std::vector<QueueEntry> waiting;
  waiting.swap(way.waiting);
  for (const QueueEntry& packet : waiting)
    queue_.push(std::max(now_, packet.at), packet.due(), packet.node(), packet.payload);
}

}  // namespace leasescope
