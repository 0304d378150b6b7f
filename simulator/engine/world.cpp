#include "simulator/engine/world_host_port.h"

#include <algorithm>

#include "core/base/prefetch.h"
#include "core/base/visit_first.h"

namespace leasescope {
namespace {

constexpr std::size_t kAhead = 4;  // inputs between asking for memory and needing it

}  // namespace

bool World::step(TrueTime until) {
  while (queue_.next() <= until && !queue_.empty() && queue_.next() <= faults_due_) {
    const bool foreseen = queue_.knows(0);
    const QueueEntry entry = queue_.pop();
    if (far_) fetch_ahead(entry, foreseen);
    turn_to(entry.at, entry.due());
    if (dispatch(entry)) {
      protocol_ = is_protocol(entry.due());
      ++inputs_;
      return true;
    }
  }
  if (faults_due_ > until || faults_due_ == TrueTime::max()) return false;
  turn_to(faults_due_, Due::kFaultDue);
  on_faults_due();
  protocol_ = false;
  ++inputs_;
  return true;
}

void World::turn_to(TrueTime at, Due due) {
  now_ = at;
  events_.clear();
  input_.at = at;
  input_.node = Name{};
  input_.due = due;
  input_.a = input_.b = input_.c = 0;
}

// The memory that an input needs is asked for while the inputs before are handled, and what is only found by way of
// that just before its turn.
void World::fetch_ahead(const QueueEntry& entry, bool foreseen) const {
  if (!foreseen) {
    fetch(entry);
    for (std::size_t after = 0; after < kAhead && queue_.knows(after); ++after) fetch(queue_.soon(after));
  }
  if (queue_.knows(kAhead)) fetch(queue_.soon(kAhead));
  if (queue_.knows(0)) fetch_further(queue_.soon(0));
}

// Only what the input touches: all of many nodes does not fit into what a processor can ask for at once.
void World::fetch(const QueueEntry& entry) const {
  switch (entry.due()) {
    case Due::kLeaseEnds:
    case Due::kFaultEnds:
    case Due::kFaultActs:
    case Due::kRequestServed:
    case Due::kResubscribed:
      return;
    case Due::kRequestArrives: {
      const Node& node = nodes_[entry.node()];
      pool_.fetch(entry.payload);
      prefetch(&node.mutex);
      prefetch(&node.outstanding);
      return prefetch(&node.delay(Way::kUp));
    }
    case Due::kWriteArrives:
      pool_.fetch(entry.payload);
      return prefetch(&nodes_[entry.node()].mutex);
    case Due::kWriteAnswered:
    case Due::kWork: {
      const Node& node = nodes_[worker_of(entry.node())];
      prefetch(&works_[entry.node()], &works_[entry.node()] + 1);
      fleet_.fetch_for_reply(worker_of(entry.node()));
      return prefetch(&node.clock, &node.pauses);
    }
    case Due::kReplyArrives:
    case Due::kStoreEventArrives: {
      const Node& node = nodes_[entry.node()];
      pool_.fetch(entry.payload);
      fleet_.fetch_for_reply(entry.node());
      return prefetch(&node.clock, &node.outstanding[1]);
    }
    default: {
      const Node& node = nodes_[entry.node()];
      fleet_.fetch_for_timer(entry.node());
      prefetch(&node.clock, &node.outstanding[1]);
      return prefetch(&node.delay(Way::kUp));
    }
  }
}

void World::fetch_further(const QueueEntry& entry) const {
  const Due due = entry.due();
  if (due != Due::kRequestArrives && due != Due::kReplyArrives && due != Due::kTimer0) return;
  const Node& node = nodes_[entry.node()];
  if (due != Due::kRequestArrives || several_servers_) return;
  const Server& server = servers_.front();
  visit_first([&](const auto& model) { model.fetch(node.mutex); }, server.model);
  if (node.mutex < server.wakes.size()) prefetch(&server.wakes[node.mutex]);
  prefetch(&last_grant_[node.mutex]);
}

// What comes most often is asked for first: a switch over everything is a jump that no processor foresees.
bool World::dispatch(const QueueEntry& entry) {
  const Due due = entry.due();
  if (due == Due::kRequestArrives) return on_request(entry);
  if (due == Due::kReplyArrives || due == Due::kTimer0) return dispatch_to_contender(entry, nodes_[entry.node()]);
  switch (due) {
    case Due::kRequestServed:
      return on_request_served(entry);
    case Due::kWriteArrives:
      on_write(entry);
      return true;
    case Due::kLeaseEnds:
      return on_wake(entry);
    case Due::kResubscribed:
      return on_resubscribed(entry);
    case Due::kWork:
      return on_work(entry);
    case Due::kWriteAnswered:
      return on_write_answered(entry);
    case Due::kProbeArrives:
      return on_probe(entry);
    case Due::kFaultEnds:
      on_fault_end(entry);
      return true;
    case Due::kFaultActs:
      return on_fault_act(entry);
    case Due::kClocksTold:
      for (const Node& node : nodes_) tell_clocks(node, ContenderClock{}, 0);
      return true;
    default:
      return dispatch_to_contender(entry, nodes_[entry.node()]);
  }
}

bool World::dispatch_to_contender(const QueueEntry& entry, Node& node) {
  if (node.held()) {
    node.inbox.push_back(entry);  // kept, and handed over when the pause ends
    return false;
  }
  concerns(node);
  input_.node = node.name;
  const Due due = entry.due();
  if (due == Due::kReplyArrives) return on_reply(entry, node);
  if (due == Due::kTimer0) return node.on_timer(WorldHostPort(*this, entry.node()), 0, entry.payload);
  switch (due) {
    case Due::kTimer1:
      return node.on_timer(WorldHostPort(*this, entry.node()), 1, entry.payload);
    case Due::kTimer2:
      return node.on_timer(WorldHostPort(*this, entry.node()), 2, entry.payload);
    case Due::kCallbackDone:
      return node.on_timer(WorldHostPort(*this, entry.node()), kCallbackTimer, entry.payload);
    case Due::kRequestTimeout:
      return on_request_timeout(entry, node);
    case Due::kStoreEventArrives:
      return on_store_event(entry, node);
    case Due::kStart:
    case Due::kStop:
      return on_step(entry, node);
    default:
      return false;
  }
}

// ---- what a contender is handed

void World::hand(NodeIndex index, const Input& input, Sequence cause) {
  nodes_[index].hand(WorldHostPort(*this, index), input, cause);
}

bool World::on_request_timeout(const QueueEntry& entry, Node& node) {
  Outstanding* late = nullptr;
  visit_outstanding(entry.node(), [&](Outstanding& out) {
    const bool found = out.request != 0 && out.tag(node.life) == entry.payload;
    if (found) late = &out;
    return found;
  });
  if (late == nullptr || now_ < late->expires) return false;  // its clock has been slowed since
  Reply reply;
  reply.request = late->request;
  reply.kind = late->kind;
  reply.ending = Ending::kUnknown;
  input_.a = reply.request;
  if (node.disturbed != 0)
    disturbed_[node.disturbed - 1].half_open_requests = false;  // the next one goes by a new line
  settle(entry.node(), *late);
  hand(entry.node(), reply, 0);
  return true;
}

bool World::on_reply(const QueueEntry& entry, Node& node) {
  const Message& message = pool_.take(entry.payload);
  if (message.life != node.life) return false;  // its process has crashed since
  Outstanding* const out = find(entry.node(), message.reply.request);
  if (out == nullptr) return false;  // it came after its time-out: the contender has been told already
  input_.a = message.reply.request;
  input_.b = message.reply.token;
  input_.c = static_cast<std::uint64_t>(message.reply.remaining.count());
  const Input input = message.reply;  // what is sent next may move the message
  const Sequence cause = message.cause;
  settle(entry.node(), *out);
  node.hand(WorldHostPort(*this, entry.node()), input, cause);
  return true;
}

bool World::on_store_event(const QueueEntry& entry, Node& node) {
  const Message message = pool_.take(entry.payload);
  if (message.life != node.life || !node.subscribed) return false;
  input_.a = static_cast<std::uint64_t>(message.event.kind);
  input_.b = input_.text_hash(message.event.owner, names());
  const Sequence received = emit(EventKind::kNotification, node.name, node.mutex, message.cause,
                                 static_cast<std::uint8_t>(NotificationStep::kReceived), kNoToken,
                                 static_cast<std::int64_t>(message.event.kind), message.event.owner.handle);
  hand(entry.node(), message.event, received);
  return true;
}

// Its steady clock runs at another rate from now on: what is armed falls due at other true times.
void World::rearm(NodeIndex index) {
  Node& node = nodes_[index];
  const bool stopped = disturbed(index).stopped_clocks > 0;
  node.rearm(WorldHostPort(*this, index), stopped);
  visit_outstanding(index, [&](Outstanding& out) {
    if (out.request == 0) return false;
    out.watched = false;
    out.expires = stopped ? TrueTime::max() : std::max(now_, node.clock.steady.when(out.due));
    if (!stopped) watch(index, out);
    return false;
  });
}

Sequence World::emit(EventKind kind, Name node, std::uint32_t mutex, Sequence cause, std::uint8_t detail, Token token,
                     std::int64_t a, std::int64_t b) {
  Event& event = events_.emplace_back();  // in place: a copy right after its fields were set would stall
  event.lo = event.hi = now_;
  event.token = token;
  event.a = a;
  event.b = b;
  event.node = node;
  event.mutex = facts_->mutexes[mutex];
  event.cause = cause;
  event.kind = kind;
  event.detail = detail;
  return ++sequence_;
}

}  // namespace leasescope
