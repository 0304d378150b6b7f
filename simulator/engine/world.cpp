#include "simulator/engine/world.h"

#include <algorithm>

#include "simulator/engine/world_fault_port.h"

namespace leasescope {
namespace {

Due due_of(Timer timer) { return timer == Timer::kContend ? Due::kTimer0 : Due::kTimer1; }

// A time-out carries the low bits of the life and of the request; both are far apart from their next equal.
std::uint32_t timeout_tag(std::uint32_t life, std::uint64_t request) {
  return life << 24 | (static_cast<std::uint32_t>(request) & 0xffffff);
}

}  // namespace

bool World::step(TrueTime until) {
  while (queue_.next() <= until && !queue_.empty()) {
    const QueueEntry entry = queue_.pop();
    now_ = entry.at;
    events_.clear();
    input_ = {entry.at, Name{}, entry.due(), 0, 0, 0};
    dispatch_cause_ = 0;
    if (dispatch(entry)) {
      ++inputs_;
      return true;
    }
  }
  return false;
}

bool World::dispatch(const QueueEntry& entry) {
  const Due due = entry.due();
  protocol_ = due != Due::kWork && due != Due::kWriteArrives && due < Due::kFaultDue;
  switch (due) {
    case Due::kRequestArrives:
      on_request(entry);
      return true;
    case Due::kWriteArrives:
      on_write(entry);
      return true;
    case Due::kLeaseEnds:
      return on_lease_end(entry);
    case Due::kFaultDue:
      on_faults_due();
      return true;
    case Due::kFaultEnds:
      on_fault_end(entry);
      return true;
    case Due::kWork: {
      const NodeIndex node = entry.node() / resources_per_node();
      if (nodes_[node].pauses > 0 && works_[entry.node()].timer.valid(entry.payload)) {
        nodes_[node].inbox.push_back(entry);
        return false;
      }
      return on_work(entry);
    }
    default:
      break;
  }
  Node& node = nodes_[entry.node()];
  input_.node = node.name;
  if (node.pauses > 0) {
    node.inbox.push_back(entry);  // kept, and handed over when the pause ends
    return false;
  }
  switch (due) {
    case Due::kTimer0:
    case Due::kTimer1:
      return on_timer(entry);
    case Due::kRequestTimeout:
      return on_request_timeout(entry);
    case Due::kReplyArrives:
      return on_reply(entry);
    case Due::kStoreEventArrives:
      return on_store_event(entry);
    case Due::kStart:
      if (entry.payload != node.life) return false;
      node.alive = true;
      hand(entry.node(), Start{}, 0);
      return true;
    case Due::kStop:
      if (entry.payload != node.life) return false;
      hand(entry.node(), Stop{}, 0);
      return true;
    case Due::kCallbackDone:
      if (entry.payload != node.life) return false;
      hand(entry.node(), CallbackDone{}, 0);
      return true;
    default:
      return false;
  }
}

// ---- what a contender is handed

void World::hand(NodeIndex index, const Input& input, Sequence cause) {
  Node& node = nodes_[index];
  if (cause != 0) node.cause = cause;
  apply(index, node.contender.step(input, node.clock.at(now_)));
}

bool World::on_timer(const QueueEntry& entry) {
  const Timer timer = entry.due() == Due::kTimer0 ? Timer::kContend : Timer::kWatchdog;
  TimerSlot& slot = nodes_[entry.node()].timers[static_cast<std::size_t>(timer)];
  if (!slot.valid(entry.payload)) return false;
  slot.armed = false;
  hand(entry.node(), TimerFired{timer}, slot.cause);
  return true;
}

bool World::on_request_timeout(const QueueEntry& entry) {
  Node& node = nodes_[entry.node()];
  for (Outstanding& out : node.outstanding) {
    if (out.request == 0 || timeout_tag(node.life, out.request) != entry.payload) continue;
    Reply reply;
    reply.request = out.request;
    reply.kind = out.kind;
    reply.ending = Ending::kUnknown;
    out.request = 0;
    input_.a = reply.request;
    hand(entry.node(), reply, 0);
    return true;
  }
  return false;
}

bool World::on_reply(const QueueEntry& entry) {
  const Message message = pool_.take(entry.payload);
  Node& node = nodes_[entry.node()];
  if (message.life != node.life) return false;  // its process has crashed since
  for (Outstanding& out : node.outstanding) {
    if (out.request != message.reply.request) continue;
    out.request = 0;
    input_.a = message.reply.request;
    input_.b = message.reply.token;
    input_.c = static_cast<std::uint64_t>(message.reply.remaining.count());
    hand(entry.node(), message.reply, message.cause);
    return true;
  }
  return false;  // it came after its time-out: the contender has been told already
}

bool World::on_store_event(const QueueEntry& entry) {
  const Message message = pool_.take(entry.payload);
  Node& node = nodes_[entry.node()];
  if (message.life != node.life || !node.subscribed) return false;
  input_.a = static_cast<std::uint64_t>(message.event.kind);
  input_.b = names().text_hash(message.event.owner);
  const Sequence received = emit(EventKind::kNotification, node.name, node.mutex, message.cause,
                                 static_cast<std::uint8_t>(NotificationStep::kReceived), kNoToken,
                                 static_cast<std::int64_t>(message.event.kind), message.event.owner.handle);
  hand(entry.node(), message.event, received);
  return true;
}

// ---- what it answers

void World::apply(NodeIndex index, const Effects& effects) {
  Node& node = nodes_[index];
  for (const Effect& effect : effects) {
    if (const auto* call = std::get_if<Send>(&effect)) {
      send(index, call->request);
    } else if (const auto* armed = std::get_if<Arm>(&effect)) {
      arm(index, armed->timer, armed->delay);
    } else if (const auto* note = std::get_if<Note>(&effect)) {
      node.cause = emit(note->kind, node.name, node.mutex, node.cause, note->detail, note->token, note->a, note->b);
    } else if (const auto* disarmed = std::get_if<Disarm>(&effect)) {
      node.timers[static_cast<std::size_t>(disarmed->timer)].armed = false;
    } else if (const auto* notify = std::get_if<Notify>(&effect)) {
      on_notify(index, notify->state);
    }
  }
}

void World::arm(NodeIndex index, Timer timer, Duration delay) {
  Node& node = nodes_[index];
  TimerSlot& slot = node.timers[static_cast<std::size_t>(timer)];
  ++slot.generation;
  slot.armed = true;
  slot.cause = node.cause;
  const auto& steady = node.clock.steady;
  const TrueTime at = delay <= Duration::zero() ? now_ : steady.when(steady.at(now_) + delay);
  queue_.push(std::max(at, now_), due_of(timer), index, slot.generation);
}

void World::on_notify(NodeIndex index, const MutexState& state) {
  Node& node = nodes_[index];
  const bool acquired = state.is_acquired(node.name);
  if (!acquired && !state.is_released(node.name)) return;
  if (acquired && node.callback > Duration::zero()) {
    const auto& steady = node.clock.steady;
    queue_.push(steady.when(steady.at(now_) + node.callback), Due::kCallbackDone, index, node.life);
  }
  const std::uint32_t first = index * resources_per_node();
  for (std::uint32_t i = 0; i < resources_per_node(); ++i)
    run_work(first + i, acquired ? WorkInput::kAcquired : WorkInput::kReleased);
}

TrueTime World::arrival(Link& link) {
  link.last_arrival = std::max(link.last_arrival, now_ + facts_->latency.sample(link.delays));
  return link.last_arrival;
}

void World::send(NodeIndex index, const Request& request) {
  Node& node = nodes_[index];
  if (request.kind == RequestKind::kUnsubscribe) {
    node.subscribed = false;
    return;
  }
  if (request.kind == RequestKind::kSubscribe) node.subscribed = true;
  remember(node, request);
  const auto& steady = node.clock.steady;
  queue_.push(steady.when(steady.at(now_) + request.timeout), Due::kRequestTimeout, index,
              timeout_tag(node.life, request.id));
  const TrueTime at = arrival(node.up);
  if (lost(node.up.delays) || node.up.cuts > 0) return;
  Message message;
  message.request = request;
  message.life = node.life;
  message.cause = node.cause;
  queue_.push(at, Due::kRequestArrives, index, pool_.put(message));
}

// The oldest gives way when all places are taken: only releases that nobody waits for can be so many.
void World::remember(Node& node, const Request& request) {
  Outstanding* place = &node.outstanding.front();
  for (Outstanding& out : node.outstanding)
    if (out.request < place->request) place = &out;
  *place = {request.id, request.kind};
}

// ---- the work under the mutex

bool World::on_work(const QueueEntry& entry) {
  Work& work = works_[entry.node()];
  if (!work.timer.valid(entry.payload)) return false;
  work.timer.armed = false;
  input_.node = nodes_[entry.node() / resources_per_node()].name;
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
    Message message;
    message.write = {node.name, step.token, node.mutex * resources_per_node() + index % resources_per_node()};
    message.cause = node.cause;
    const Duration way = facts_->write_latency[index % resources_per_node()].sample(work.delays);
    queue_.push(now_ + way, Due::kWriteArrives, owner, pool_.put(message));
  }
  if (step.timer == WorkEffect::kArm) {
    ++work.timer.generation;
    work.timer.armed = true;
    const auto& steady = node.clock.steady;
    const TrueTime at = step.delay <= Duration::zero() ? now_ : steady.when(steady.at(now_) + step.delay);
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

// ---- the server

void World::on_request(const QueueEntry& entry) {
  const Message message = pool_.take(entry.payload);
  const Node& node = nodes_[entry.node()];
  const std::uint32_t mutex = node.mutex;
  const ServerTime server_now = server_clock_.at(now_);
  input_.node = facts_->store;
  input_.a = message.request.id;
  input_.b = static_cast<std::uint64_t>(message.request.kind);
  input_.c = names().text_hash(message.request.contender);
  if (server_.ended(mutex, server_now)) {
    emit(EventKind::kExpired, server_.owner(mutex), mutex, last_grant_[mutex], 0, server_.token(mutex));
    server_.expire(mutex);
  }
  const Token token = server_.token(mutex);
  const ServerStep step = server_.apply(mutex, message.request, server_now);
  Sequence cause = message.cause;
  switch (step.fact) {
    case ServerStep::Fact::kNothing:
      break;
    case ServerStep::Fact::kGranted:
    case ServerStep::Fact::kRenewed: {
      const bool granted = step.fact == ServerStep::Fact::kGranted;
      cause = emit(granted ? EventKind::kGranted : EventKind::kRenewed, message.request.contender, mutex, cause, 0,
                   step.reply.token, message.request.lease.count());
      last_grant_[mutex] = cause;
      watch_lease(mutex);
      break;
    }
    case ServerStep::Fact::kReleased:
      cause = emit(EventKind::kReleased, message.request.contender, mutex, cause, 0, token);
      lease_watch_[mutex].armed = false;
      break;
  }
  answer(entry.node(), step.reply, message.life, cause);
  if (step.publishes) publish(step.message, cause);
  if (step.fact == ServerStep::Fact::kGranted && mutex == 0 && plan_.waits_for_grant())
    begin(plan_.granted(entry.node()));
}

void World::answer(NodeIndex index, const Reply& reply, std::uint32_t life, Sequence cause) {
  Node& node = nodes_[index];
  const TrueTime at = arrival(node.down);
  if (lost(node.down.delays) || node.down.cuts > 0) return;
  Message message;
  message.reply = reply;
  message.life = life;
  message.cause = cause;
  queue_.push(at, Due::kReplyArrives, index, pool_.put(message));
}

void World::publish(const StoreEvent& event, Sequence cause) {
  const std::uint32_t mutex = facts_->mutex_of_name[event.mutex.handle];
  const auto kind = static_cast<std::int64_t>(event.kind);
  const Sequence sent = emit(EventKind::kNotification, facts_->store, mutex, cause,
                             static_cast<std::uint8_t>(NotificationStep::kSent), kNoToken, kind, event.owner.handle);
  Message message;
  message.event = event;
  message.cause = sent;
  const auto mutexes = static_cast<NodeIndex>(facts_->mutexes.size());
  for (NodeIndex index = mutex; index < nodes_.size(); index += mutexes) {
    Node& node = nodes_[index];
    if (!node.subscribed) continue;
    const TrueTime at = arrival(node.messages);
    if (lost(node.messages.delays) || node.mutes > 0 || node.down.cuts > 0) {
      emit(EventKind::kNotification, node.name, mutex, sent, static_cast<std::uint8_t>(NotificationStep::kLost),
           kNoToken, kind, event.owner.handle);
      continue;
    }
    message.life = node.life;
    queue_.push(at, Due::kStoreEventArrives, index, pool_.put(message));
  }
}

// One entry a mutex waits for the end of its lease; renewals move the end, so it looks again when it pops.
void World::watch_lease(std::uint32_t mutex) {
  TimerSlot& watch = lease_watch_[mutex];
  if (watch.armed) return;
  watch.armed = true;
  ++watch.generation;
  queue_.push(std::max(now_, server_clock_.when(server_.expires_at(mutex))), Due::kLeaseEnds, mutex, watch.generation);
}

bool World::on_lease_end(const QueueEntry& entry) {
  const std::uint32_t mutex = entry.node();
  TimerSlot& watch = lease_watch_[mutex];
  if (!watch.valid(entry.payload)) return false;
  watch.armed = false;
  if (server_.owner(mutex).empty()) return false;
  if (!server_.ended(mutex, server_clock_.at(now_))) {
    watch_lease(mutex);
    return false;
  }
  input_.node = facts_->store;
  input_.a = names().text_hash(server_.name(mutex));
  emit(EventKind::kExpired, server_.owner(mutex), mutex, last_grant_[mutex], 0, server_.token(mutex));
  server_.expire(mutex);
  return true;
}

Sequence World::emit(EventKind kind, Name node, std::uint32_t mutex, Sequence cause, std::uint8_t detail, Token token,
                     std::int64_t a, std::int64_t b) {
  Event event;
  event.lo = event.hi = now_;
  event.token = token;
  event.a = a;
  event.b = b;
  event.node = node;
  event.mutex = facts_->mutexes[mutex];
  event.cause = cause;
  event.kind = kind;
  event.detail = detail;
  events_.push_back(event);
  return ++sequence_;
}

}  // namespace leasescope
