// The virtual world, continued: requests, replies and messages on their way.
#include <algorithm>

#include "core/base/prefetch.h"
#include "core/base/visit_first.h"
#include "simulator/engine/world.h"

namespace leasescope {

// ---- requests

Outstanding* World::find_further(NodeIndex index, std::uint64_t request) {
  Outstanding* found = nullptr;
  visit_outstanding(index, [&](Outstanding& out) {
    if (out.request == request) found = &out;
    return found != nullptr;
  });
  return found;
}

// However many there are: a request that nobody remembers would be neither answered nor given up.
Outstanding& World::remember(NodeIndex index, const Request& request) {
  Outstanding* place = nullptr;
  visit_outstanding(index, [&](Outstanding& out) {
    if (out.request == 0) place = &out;
    return place != nullptr;
  });
  if (place == nullptr) {
    more_outstanding_.resize(nodes_.size());
    place = &more_outstanding_[index].emplace_back();
  }
  place->request = request.id;
  place->kind = request.kind;
  place->store = request.store;
  place->watched = place->pooled = false;
  return *place;
}

void World::send(NodeIndex index, const Request& request, SteadyTime now) {
  Node& node = nodes_[index];
  const bool of_messages = is_of_messages(request.kind);
  if (of_messages) {
    const bool listens = std::visit(
        [&](auto& model) {
          return model.listen({request, index, node.life, node.mutex, 0});
        },
        servers_[request.store].model);
    const auto bit = static_cast<std::uint8_t>(1U << request.store);
    node.subscribed = listens;
    node.listening = static_cast<std::uint8_t>(listens ? node.listening | bit : node.listening & ~bit);
    if (!listens) return;  // no answer is waited for
  }
  Outstanding& out = remember(index, request);
  out.due = now + request.timeout;
  out.expires = node.clock.steady.when(out.due);
  if (facts_->pool > 0 && !of_messages) {
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
  QueueEntry packet(arrival(index, Way::kUp, request.store), Due::kRequestArrives, index, 0);
  if (lost(node.delay(Way::kUp))) return watch(index, out);
  packet.payload = pool_.make();
  Message& message = pool_.at(packet.payload);
  message.request = request;
  message.life = node.life;
  message.store_life = servers_[request.store].life;
  message.cause = node.cause;
  if (node.disturbed != 0 && disturb(index, Way::kUp, request.store, packet) != Fate::kGoes) return watch(index, out);
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
  std::int32_t used = 0;  // of one store alone: no system of several speaks to one with a pool
  for (const Outstanding& out : node.outstanding) used += out.request != 0 && out.pooled;
  if (node.disturbed != 0) used += static_cast<std::int32_t>(disturbed_[node.disturbed - 1].taken_connections);
  return used < facts_->pool;
}

void World::lend_connections(NodeIndex index) {
  if (nodes_[index].disturbed == 0) return;
  std::vector<Request>& waiting = disturbed(index).waiting_for_connection;
  while (!waiting.empty() && has_connection(index)) {
    const Request request = waiting.front();
    waiting.erase(waiting.begin());
    Outstanding* out = find(index, request.id);
    if (out == nullptr) continue;  // given up meanwhile
    out->pooled = true;
    transmit(index, request, *out);
  }
}

// ---- answers and messages

void World::answer(const Server& server, const ServerStep& step, Sequence cause) {
  Node& node = nodes_[step.node];
  QueueEntry packet(arrival(step.node, Way::kDown, server.place), Due::kReplyArrives, step.node, 0);
  bool arrives = !lost(node.delay(Way::kDown));
  if (arrives) {
    packet.payload = pool_.make();
    Message& message = pool_.at(packet.payload);
    message.reply = step.reply;
    message.life = step.life;
    message.cause = cause;
    arrives = node.disturbed == 0 || disturb(step.node, Way::kDown, server.place, packet) == Fate::kGoes;
  }
  if (arrives) queue_.push(packet.at, Due::kReplyArrives, step.node, packet.payload);
  if (node.life != step.life) return;
  Outstanding* out = find(step.node, step.reply.request);
  if (out != nullptr && (!arrives || packet.at >= out->expires)) watch(step.node, *out);
}

// Nothing comes to it by the messages' line now.
bool World::deaf(const Node& node) const {
  if (node.disturbed == 0) return false;
  const Disturbed& wrong = disturbed_[node.disturbed - 1];
  const bool dead = wrong.half_opens > 0 && wrong.half_open_life == node.life;
  return wrong.mutes > 0 || dead || wrong.way(Way::kMessages).cuts > 0;
}

void World::publish(Server& server, const ServerStep& step, Sequence cause) {
  const StoreEvent& event = step.message;
  const std::uint32_t mutex = step.mutex;
  const auto kind = static_cast<std::int64_t>(event.kind);
  const Sequence sent = emit(EventKind::kNotification, server.name, mutex, cause,
                             static_cast<std::uint8_t>(NotificationStep::kSent), kNoToken, kind, event.owner.handle);
  const std::uint8_t store = server.place;
  const auto bit = static_cast<std::uint8_t>(1U << store);
  const Duration later = facts_->tells_after ? facts_->tells_after->sample(server.tells) : Duration::zero();
  Message message;
  message.event = event;
  message.cause = sent;
  const std::vector<Subscriber>& all = visit_first(
      [&](const auto& model) -> const auto& { return model.subscribers().of(mutex); }, server.model);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const NodeIndex index = all[i].node;
    Node& node = nodes_[index];
    if (i + 1 < all.size()) {
      const Node& next = nodes_[all[i + 1].node];
      prefetch(&next.listening);
      prefetch(&next.delay(Way::kMessages));
    }
    if ((node.listening & bit) == 0 || !all[i].hears(step.channel)) continue;
    QueueEntry packet(arrival(index, Way::kMessages, store, later), Due::kStoreEventArrives, index, 0);
    Fate fate = lost(node.delay(Way::kMessages)) ? Fate::kGone : Fate::kGoes;
    if (fate == Fate::kGoes) {
      message.life = node.life;
      packet.payload = pool_.put(message);
      if (node.disturbed != 0) fate = disturb(index, Way::kMessages, store, packet, deaf(node));
    }
    if (fate == Fate::kGoes) queue_.push(packet.at, Due::kStoreEventArrives, index, packet.payload);
    if (fate == Fate::kGone)
      emit(EventKind::kNotification, node.name, mutex, sent, static_cast<std::uint8_t>(NotificationStep::kLost),
           kNoToken, kind, event.owner.handle);
  }
}

TrueTime& World::last_arrival(NodeIndex index, Way way, std::size_t store) {
  if (store == 0) return nodes_[index].last_arrival(way);
  return more_arrivals_[(index * kWays + static_cast<std::size_t>(way)) * (servers_.size() - 1) + store - 1];
}

TrueTime World::arrival(NodeIndex index, Way way, std::size_t store, Duration later) {
  Node& node = nodes_[index];
  const TrueTime at = now_ + later + facts_->latencies[node.latency].sample(node.delay(way));
  TrueTime& last = last_arrival(index, way, store);
  if (last < at) last = at;                // not max(): g++ takes the address of `at`, and waits for it to be stored
  return node.disturbed == 0 ? last : at;  // disturb() delays it first, so that delays do not pile up
}

// ---- what is wrong on a way

Disturbed& World::disturbed(NodeIndex index) {
  Node& node = nodes_[index];
  if (node.disturbed != 0) return disturbed_[node.disturbed - 1];
  disturbed_.emplace_back();
  node.disturbed = static_cast<std::uint32_t>(disturbed_.size());
  Disturbed& wrong = disturbed_.back();
  wrong.own_wall_ppm = node.clock.wall.ppm();
  wrong.own_steady_ppm = node.clock.steady.ppm();
  return wrong;
}

// Every trouble draws for every packet, also for one that is `gone` already: no fault shifts the draws of another.
World::Fate World::disturb(NodeIndex index, Way which, std::size_t store, QueueEntry& packet, bool gone) {
  Disturbed& wrong = disturbed(index);
  DisturbedWay& way = wrong.way(which);
  Node& node = nodes_[index];
  const bool dead = wrong.half_open_requests && wrong.half_open_life == node.life && which != Way::kMessages;
  gone = gone || way.cuts > 0 || dead;
  bool twice = false;
  Duration behind = which == Way::kUp ? wrong.late_requests : Duration::zero();  // those sent later need not wait
  if (which == Way::kMessages) packet.at += wrong.late_messages;
  for (ActiveTrouble& trouble : way.troubles) {
    RandomStream& draws = trouble.draws;
    const auto chance = [&](std::int64_t ppm) { return draws.chance_ppm(static_cast<std::uint32_t>(ppm)); };
    const auto up_to = [&](Duration most) {
      return most <= Duration::zero() ? Duration::zero()
                                      : Duration(draws.below(static_cast<std::uint64_t>(most.count())));
    };
    gone = chance(trouble.by.loss_ppm) || gone;
    twice = chance(trouble.by.duplication_ppm) || twice;
    packet.at += trouble.by.delay + up_to(trouble.by.jitter);
    const Duration how_far = up_to(trouble.by.behind);
    if (chance(trouble.by.reordering_ppm)) behind += how_far;
  }
  if (gone) {
    pool_.take(packet.payload);
    return Fate::kGone;
  }
  TrueTime& last = last_arrival(index, which, store);
  last = packet.at = std::max(packet.at, last);
  packet.at += behind;
  if (way.clogs > 0) {
    way.waiting.push_back(packet);
    return Fate::kWaits;
  }
  if (twice) queue_.push(packet.at, packet.due(), index, pool_.put(pool_.look(packet.payload)));
  return Fate::kGoes;
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
