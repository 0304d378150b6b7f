#include <algorithm>

#include "simulator/engine/world_fault_port.h"

namespace leasescope {
namespace {

// Who plays which role right now, by the store's truth.
class WorldFleet final : public Fleet {
 public:
  WorldFleet(NodeIndex owner, const std::vector<Node>& nodes) : owner_(owner), nodes_(nodes) {}
  NodeIndex owner() const override { return owner_; }
  bool contends(NodeIndex node) const override { return nodes_[node].alive && nodes_[node].contender.running(); }

 private:
  NodeIndex owner_;
  const std::vector<Node>& nodes_;
};

}  // namespace

void World::on_faults_due() {
  const Name owner = server_.owner(0);
  const WorldFleet fleet(owner.empty() ? kNobody : node_of(owner), nodes_);
  begin(plan_.due(now_, fleet));
  if (const TrueTime next = plan_.next(); next != TrueTime::max()) queue_.push(next, Due::kFaultDue, 0, 0);
}

void World::began_compute(NodeIndex node) { begin(plan_.computing(node)); }

void World::begin(const std::vector<Firing>& firings) {
  WorldFaultPort port(*this);
  for (const Firing& firing : firings) {
    const bool store = firing.node == kNobody;
    const Name target = store ? facts_->store : nodes_[firing.node].name;
    const std::uint32_t mutex = store ? 0 : nodes_[firing.node].mutex;
    const auto detail = static_cast<std::uint8_t>(index_of(*firing.kind));
    const Sequence began =
        emit(EventKind::kFaultBegan, target, mutex, 0, detail, kNoToken, firing.duration.count(), firing.row);
    if (!store) nodes_[firing.node].cause = began;
    firing.kind->begin(port, firing.call(static_cast<NodeIndex>(nodes_.size())));
    if (!firing.kind->lasts) continue;
    active_faults_.push_back({firing, began});
    queue_.push(now_ + firing.duration, Due::kFaultEnds, store ? 0 : firing.node,
                static_cast<std::uint32_t>(active_faults_.size() - 1));
  }
}

void World::on_fault_end(const QueueEntry& entry) {
  const ActiveFault fault = active_faults_[entry.payload];
  const bool store = fault.firing.node == kNobody;
  const Name target = store ? facts_->store : nodes_[fault.firing.node].name;
  input_.node = target;
  const Sequence ended = emit(EventKind::kFaultEnded, target, store ? 0 : nodes_[fault.firing.node].mutex, fault.began,
                              static_cast<std::uint8_t>(index_of(*fault.firing.kind)), kNoToken,
                              fault.firing.duration.count(), fault.firing.row);
  if (!store) nodes_[fault.firing.node].cause = ended;
  WorldFaultPort port(*this);
  fault.firing.kind->end(port, fault.firing.call(static_cast<NodeIndex>(nodes_.size())));
}

// A pause ends: first the step the work was in, then what fell due meanwhile in its order, then the next cycle.
void World::resume(NodeIndex index) {
  Node& node = nodes_[index];
  if (--node.pauses > 0) return;
  std::vector<QueueEntry> inbox;
  inbox.swap(node.inbox);
  const std::uint32_t first = index * resources_per_node();
  for (std::uint32_t i = first; i < first + resources_per_node(); ++i) {
    Work& work = works_[i];
    if (!work.worker.computing() || !work.timer.armed) continue;
    ++work.timer.generation;  // a compute under way counts as finished, however long it had to go
    queue_.push(now_, Due::kWork, i, work.timer.generation);
  }
  for (const QueueEntry& entry : inbox)
    if (entry.due() != Due::kWork) queue_.push(now_, entry.due(), entry.node(), entry.payload);
  for (const QueueEntry& entry : inbox)
    if (entry.due() == Due::kWork) queue_.push(now_, entry.due(), entry.node(), entry.payload);
}

// A step of the plan is an input like any other: a paused contender is handed it after the pause.
void World::tell(NodeIndex index, Due what) {
  if (nodes_[index].alive) queue_.push(now_, what, index, nodes_[index].life);
}

void World::crash(NodeIndex index) {
  Node& node = nodes_[index];
  if (!node.alive) return;
  ++node.life;  // replies, messages and time-outs of the old process find nobody
  node.alive = node.subscribed = false;
  for (const QueueEntry& entry : node.inbox)
    if (entry.due() == Due::kReplyArrives || entry.due() == Due::kStoreEventArrives) pool_.take(entry.payload);
  node.inbox.clear();
  node.outstanding = {};
  for (TimerSlot& timer : node.timers) timer.armed = false;
  const std::uint32_t first = index * resources_per_node();
  for (std::uint32_t i = first; i < first + resources_per_node(); ++i) works_[i].timer.armed = false;
  if (node.contender.believes())
    emit(EventKind::kDisbelieved, node.name, node.mutex, node.cause, static_cast<std::uint8_t>(DisbeliefReason::kStop),
         node.contender.token());
  node.cause = emit(EventKind::kCrashed, node.name, node.mutex, node.cause);
}

void World::restart(NodeIndex index) {
  Node& node = nodes_[index];
  if (node.alive) return;
  node.cause = emit(EventKind::kRestarted, node.name, node.mutex, node.cause);
  node.contender = node.contender.reborn();
  const std::uint32_t first = index * resources_per_node();
  for (std::uint32_t i = first; i < first + resources_per_node(); ++i) works_[i].worker = works_[i].worker.reborn();
  queue_.push(now_, Due::kStart, index, node.life);
}

void World::move_store_clock(Duration by) {
  server_clock_.step(now_, by);
  emit(EventKind::kClockChanged, facts_->store, 0, sequence_, 0, kNoToken, by.count());
  for (std::uint32_t mutex = 0; mutex < lease_watch_.size(); ++mutex) {
    if (!lease_watch_[mutex].armed) continue;
    lease_watch_[mutex].armed = false;
    watch_lease(mutex);
  }
}

void WorldFaultPort::resume(NodeIndex node) { world_.resume(node); }

void WorldFaultPort::cut(NodeIndex node, LinkDirection direction) {
  Node& at = world_.nodes_[node];
  if (direction != LinkDirection::kFromStore) ++at.up.cuts;
  if (direction != LinkDirection::kToStore) ++at.down.cuts;
}

void WorldFaultPort::heal(NodeIndex node, LinkDirection direction) {
  Node& at = world_.nodes_[node];
  if (direction != LinkDirection::kFromStore) --at.up.cuts;
  if (direction != LinkDirection::kToStore) --at.down.cuts;
}

void WorldFaultPort::step_clock(NodeIndex node, Duration by) {
  Node& at = world_.nodes_[node];
  at.clock.wall.step(world_.now_, by);
  world_.emit(EventKind::kClockChanged, at.name, at.mutex, at.cause, 0, kNoToken, by.count());
}

}  // namespace leasescope
