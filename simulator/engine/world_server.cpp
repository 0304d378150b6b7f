// The virtual world, continued: what reaches the servers, what comes of it, and what they suffer.
#include <algorithm>
#include <utility>

#include "core/base/visit_first.h"
#include "simulator/engine/world.h"

namespace leasescope {
namespace {

// A session's or an operator's doing: it takes a server that runs.
bool is_asked_of(Disturbance what) {
  return what == Disturbance::kErase || what == Disturbance::kStall || what == Disturbance::kUnstall;
}

// What each server says, for who counts their votes.
class WorldVotes final : public Majority::Servers {
 public:
  explicit WorldVotes(const std::vector<Server>& servers) : servers_(servers) {}
  Majority::Vote vote(std::size_t server, std::uint32_t mutex) const override {
    const Server& of = servers_[server];
    return std::visit(
        [&](const auto& model) -> Majority::Vote {
          if constexpr (requires { model.vote(mutex); }) {
            if (const auto* const held = model.vote(mutex))
              return {held->owner, held->acquisition, held->token, of.clock.when(held->expires_at)};
          }
          return {};
        },
        of.model);
  }
  bool lies_beneath(std::size_t server, std::uint32_t mutex, std::uint64_t acquisition) const override {
    return std::visit(
        [&](const auto& model) {
          if constexpr (requires { model.lies_beneath(mutex, acquisition); }) {
            return model.lies_beneath(mutex, acquisition);
          } else {
            return false;
          }
        },
        servers_[server].model);
  }

 private:
  const std::vector<Server>& servers_;
};

bool is_vote(const ServerStep& step) {
  return step.fact == ServerStep::Fact::kOther &&
         (step.kind == EventKind::kVoteGranted || step.kind == EventKind::kVoteEnded);
}

}  // namespace

Name World::owner_of(std::uint32_t mutex) const {
  if (several_servers_) return majority_.owner(mutex);
  return visit_first([mutex](const auto& model) { return model.owner(mutex); }, servers_.front().model);
}

bool World::on_request(const QueueEntry& entry) {
  const Message& message = pool_.look(entry.payload);
  Server& server = servers_[message.request.store];
  Node& node = nodes_[entry.node()];
  if (message.store_life != server.life) {  // that connection broke on the way
    pool_.take(entry.payload);
    return false;
  }
  if (server.crashes > 0) {
    refuse(entry);
    return true;
  }
  const bool waits = server.service > Duration::zero() || !server.line.empty();
  if (server.freezes > 0 || waits) {
    Outstanding* out = message.life == node.life ? find(entry.node(), message.request.id) : nullptr;
    if (out != nullptr) watch(entry.node(), *out);
    if (server.freezes > 0) {
      server.inbox.push_back(entry);
    } else {
      server.line.push_back(entry);
      attend(server);
    }
    return false;
  }
  serve(entry);
  return true;
}

// First come, first served; once the store is no longer slow, whoever still waits is served at once.
void World::attend(Server& server) {
  if (server.attends || server.line.empty()) return;
  server.attends = true;
  queue_.push(now_ + server.service, Due::kRequestServed, server.place, server.life);
}

bool World::on_request_served(const QueueEntry& entry) {
  Server& server = servers_[entry.node()];
  if (entry.payload != server.life) return false;  // it has crashed since, and who waited has been told
  server.attends = false;
  if (server.freezes > 0) return false;
  const QueueEntry first = server.line.front();
  server.line.erase(server.line.begin());
  serve(first);
  attend(server);
  return true;
}

void World::serve(const QueueEntry& entry) {
  const Message& message = pool_.take(entry.payload);
  Server& server = servers_[message.request.store];
  Node& node = nodes_[entry.node()];
  concerns(node);
  input_.node = server.name;
  input_.a = message.request.id;
  input_.b = static_cast<std::uint64_t>(message.request.kind);
  input_.c = input_.text_hash(message.request.contender, names());
  const ServerCall call{message.request, entry.node(), message.life, node.mutex, message.cause};
  const ServerNow moment = server.now(now_);
  const bool answered = visit_first([&](auto& model) { return model.take(call, moment, steps_); }, server.model);
  if (!answered && call.life == node.life) {
    if (Outstanding* out = find(entry.node(), call.request.id)) watch(entry.node(), *out);
  }
  settle_steps(server);
}

// Facts, answers and messages, in the order in which the server made them.
void World::settle_steps(Server& server) {
  NodeIndex granted = kNobody;
  for (ServerStep& step : steps_) {
    const Sequence cause = note(server, step);
    watch(server, step.tag);
    if (step.replies && server.freezes > 0) {
      server.unsent.push_back(step);
    } else if (step.replies) {
      answer(server, step, cause);
    }
    if (step.publishes) publish(server, step, cause);
    if (step.fact == ServerStep::Fact::kOther) step.cause = cause;
    if (step.fact == ServerStep::Fact::kGranted && step.mutex == 0) granted = step.node;
  }
  if (several_servers_) granted = settle_votes();
  steps_.clear();
  if (granted != kNobody && plan_.waits_for_grant()) begin(plan_.granted(granted));
}

// What the votes come to by majority; whom the first mutex was granted to.
NodeIndex World::settle_votes() {
  NodeIndex granted = kNobody;
  const WorldVotes votes(servers_);
  for (const ServerStep& step : steps_) {
    if (!is_vote(step)) continue;
    for (const Majority::Change& change :
         majority_.take({step.kind, step.detail, step.acquisition}, step.mutex, now_, votes)) {
      const bool ended = change.kind == EventKind::kExpired;
      const Sequence told = emit(change.kind, change.owner, step.mutex, ended ? last_grant_[step.mutex] : step.cause,
                                 change.detail, change.token, change.lease.count());
      if (change.kind == EventKind::kGranted || change.kind == EventKind::kRenewed) last_grant_[step.mutex] = told;
      if (change.kind == EventKind::kGranted && step.mutex == 0) granted = node_of(change.owner);
    }
  }
  return granted;
}

Sequence World::note(const Server& server, const ServerStep& step) {
  switch (step.fact) {
    case ServerStep::Fact::kNothing:
      return step.cause;
    case ServerStep::Fact::kGranted:
      return last_grant_[step.mutex] = emit(EventKind::kGranted, step.owner, step.mutex, step.cause, step.detail,
                                            step.token, step.lease.count(), step.b);
    case ServerStep::Fact::kRenewed:
      return last_grant_[step.mutex] =
                 emit(EventKind::kRenewed, step.owner, step.mutex, step.cause, 0, step.token, step.lease.count());
    case ServerStep::Fact::kReleased:
      return emit(EventKind::kReleased, step.owner, step.mutex, step.cause, 0, step.token);
    case ServerStep::Fact::kReleaseRefused:
      return emit(EventKind::kReleaseRefused, step.owner, step.mutex, step.cause, 0, step.token);
    case ServerStep::Fact::kExpired:
      return emit(EventKind::kExpired, step.owner, step.mutex, last_grant_[step.mutex], 0, step.token);
    case ServerStep::Fact::kForgotten:
      return emit(EventKind::kExpired, step.owner, step.mutex, step.cause,
                  static_cast<std::uint8_t>(LeaseEnd::kForgotten), step.token);
    case ServerStep::Fact::kRestored:
      return last_grant_[step.mutex] =
                 emit(EventKind::kGranted, step.owner, step.mutex, step.cause,
                      static_cast<std::uint8_t>(GrantKind::kRestored), step.token, step.lease.count());
    case ServerStep::Fact::kOther:
      return emit(step.kind, step.owner.empty() ? server.name : step.owner, step.mutex, step.cause, step.detail,
                  step.token, step.a, is_vote(step) ? server.name.handle : step.b);
    case ServerStep::Fact::kProbe:
      probe(server, step);
      return step.cause;
  }
  return 0;
}

void World::watch(Server& server, std::uint32_t tag) {
  const TrueTime at =
      visit_first([tag, &server](const auto& model) { return model.deadline(tag, server.clock); }, server.model);
  if (tag >= server.wakes.size()) server.wakes.resize(tag + 1);
  Wake& wake = server.wakes[tag];
  if (at >= wake.at) return;  // the entry that waits looks again when it pops
  wake.at = at;
  ++wake.generation;
  const auto stores = static_cast<std::uint32_t>(servers_.size());
  queue_.push(std::max(now_, at), Due::kLeaseEnds, several_servers_ ? tag * stores + server.place : tag,
              wake.generation);
}

bool World::on_wake(const QueueEntry& entry) {
  const auto stores = static_cast<std::uint32_t>(servers_.size());
  Server& server = servers_[several_servers_ ? entry.node() % stores : 0];
  const std::uint32_t tag = several_servers_ ? entry.node() / stores : entry.node();
  Wake& wake = server.wakes[tag];
  if (wake.generation != entry.payload || wake.at == TrueTime::max()) return false;
  wake.at = TrueTime::max();
  if ((server.crashes > 0 || server.freezes > 0) &&
      std::visit([](const auto& model) { return std::decay_t<decltype(model)>::kActs; }, server.model)) {
    server.overslept = true;
    return false;
  }
  const ServerNow moment = server.now(now_);
  visit_first([&](auto& model) { model.wake(tag, moment, steps_); }, server.model);
  if (steps_.empty()) {
    watch(server, tag);
    return false;
  }
  input_.node = server.name;
  input_.a = names().text_hash(facts_->mutexes[steps_.begin()->mutex]);
  settle_steps(server);
  watch(server, tag);
  return true;
}

// ---- what a server suffers

// The port is closed: the caller hears so after a way back.
void World::refuse(const QueueEntry& entry) {
  const Message message = pool_.take(entry.payload);
  const Server& server = servers_[message.request.store];
  input_.node = server.name;
  input_.a = message.request.id;
  ServerStep refused;
  refused.node = entry.node();
  refused.life = message.life;
  refused.cause = message.cause;
  refused.reply.request = message.request.id;
  refused.reply.kind = message.request.kind;
  refused.reply.ending = Ending::kFailed;
  answer(server, refused, message.cause);
}

// Every connection breaks: whoever waits for an answer learns that it will not come, whoever listens hears no more.
void World::crash_store(Server& server) {
  if (++server.crashes > 1) return;
  ++server.life;
  for (const QueueEntry& entry : server.inbox) pool_.take(entry.payload);
  for (const QueueEntry& entry : server.line) pool_.take(entry.payload);
  server.inbox.clear();
  server.line.clear();
  server.attends = false;
  server.asked.clear();
  server.stalls.clear();
  server.unsent.clear();
  const std::uint8_t store = server.place;
  for (NodeIndex index = 0; index < nodes_.size(); ++index) {
    Node& node = nodes_[index];
    node.listening &= static_cast<std::uint8_t>(~(1U << store));
    const bool cut = node.disturbed != 0 && disturbed_[node.disturbed - 1].way(Way::kDown).cuts > 0;
    visit_outstanding(index, [&](Outstanding& out) {
      if (out.request == 0 || out.store != store) return false;
      watch(index, out);
      if (cut) return false;  // nor is it told that the connection broke
      Message message;
      message.reply = Reply{};
      message.reply.request = out.request;
      message.reply.kind = out.kind;
      message.reply.ending = Ending::kUnknown;
      message.life = node.life;
      queue_.push(now_ + facts_->latencies[node.latency].first(), Due::kReplyArrives, index, pool_.put(message));
      return false;
    });
  }
}

void World::watch_anew(Server& server) {
  for (std::uint32_t tag = 0; tag < server.wakes.size(); ++tag) {
    server.wakes[tag].at = TrueTime::max();
    watch(server, tag);
  }
}

void World::rouse(Server& server) {
  if (server.crashes == 0 && server.freezes == 0 && std::exchange(server.overslept, false)) watch_anew(server);
}

// It takes connections again; clients open theirs and subscribe anew within a round trip.
void World::restore_store(Server& server) {
  if (--server.crashes > 0) return;
  rouse(server);
  const NodeIndex store = server.place;
  for (NodeIndex index = 0; index < nodes_.size(); ++index)
    if (nodes_[index].subscribed)
      queue_.push(now_ + 2 * facts_->latencies[nodes_[index].latency].first(), Due::kResubscribed,
                  static_cast<NodeIndex>(store * nodes_.size() + index), nodes_[index].life);
}

bool World::on_resubscribed(const QueueEntry& entry) {
  constexpr Duration kRetry = std::chrono::seconds(1);
  const auto nodes = static_cast<NodeIndex>(nodes_.size());
  Node& node = nodes_[entry.node() % nodes];
  const NodeIndex store = entry.node() / nodes;
  const auto bit = static_cast<std::uint8_t>(1U << store);
  if (entry.payload != node.life || !node.subscribed || (node.listening & bit) != 0 || servers_[store].crashes > 0)
    return false;
  if (deaf(node)) {
    queue_.push(now_ + kRetry, Due::kResubscribed, entry.node(), entry.payload);
    return false;
  }
  input_.node = node.name;
  node.listening |= bit;
  return true;
}

void World::thaw_store(Server& server) {
  if (--server.freezes > 0) return;
  for (const ServerStep& step : std::exchange(server.unsent, {})) answer(server, step, step.cause);
  for (const Disturbance what : std::exchange(server.asked, {})) disturb_model(server, what);
  std::vector<QueueEntry> inbox;
  inbox.swap(server.inbox);
  for (const QueueEntry& entry : inbox) queue_.push(now_, Due::kRequestArrives, entry.node(), entry.payload);
  rouse(server);
  attend(server);
}

void World::change_store_clock(Server& server, Duration by, std::int32_t ppm) {
  server.clock.step(now_, by);
  server.ppm += ppm;
  // However many faults slow it down, it does not stand still: no lease would ever end.
  server.clock.set_rate(now_, std::max(server.ppm, kSlowestPpm));
  emit(EventKind::kClockChanged, server.name, 0, acting_, 0, kNoToken, by.count(), ppm);
  disturb_model(server, Disturbance::kClockChanged);
  watch_anew(server);
}

// What comes of it, the fault that acts has caused.
void World::disturb_model(Server& server, Disturbance what) {
  if (is_asked_of(what) && server.freezes > 0) return server.asked.push_back(what);
  const ServerNow moment = server.now(now_);
  std::visit([&](auto& model) { model.disturb(what, moment, steps_); }, server.model);
  for (ServerStep& step : steps_)
    if (step.cause == 0) step.cause = acting_;
  settle_steps(server);
}

}  // namespace leasescope
