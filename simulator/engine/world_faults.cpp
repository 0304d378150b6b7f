// The virtual world, continued: the fault plan, and what a fault does to a contender.
#include <algorithm>

#include "simulator/engine/world_fault_port.h"
#include "simulator/engine/world_host_port.h"

namespace leasescope {
namespace {

// Who plays which role right now, by the store's truth.
class WorldRoles final : public Roles {
 public:
  WorldRoles(NodeIndex owner, const LargeVector<Node>& nodes, const Fleet& fleet, bool store_runs)
      : owner_(owner), nodes_(nodes), fleet_(fleet), store_runs_(store_runs) {}
  NodeIndex owner() const override { return owner_; }
  bool contends(NodeIndex node) const override {
    return nodes_[node].mutex == 0 && nodes_[node].alive && fleet_.running(node);
  }
  bool store_runs() const override { return store_runs_; }

 private:
  NodeIndex owner_;
  const LargeVector<Node>& nodes_;
  const Fleet& fleet_;
  bool store_runs_;
};

constexpr int kLifeBits = 16;
constexpr std::uint32_t kLifeMask = (1u << kLifeBits) - 1;
constexpr int kRowless = static_cast<int>(kLifeMask) - 1;  // rows from here on do not fit

}  // namespace

void World::on_faults_due() {
  const Name owner = owner_of(0);
  const WorldRoles roles(owner.empty() ? kNobody : node_of(owner), nodes_, fleet_, servers_.front().crashes == 0);
  begin(plan_.due(now_, roles));
  faults_due_ = plan_.next();
}

void World::began_compute(NodeIndex node) { begin(plan_.computing(node)); }

void World::begin(const std::vector<Firing>& firings) {
  const auto fleet = static_cast<NodeIndex>(nodes_.size());
  for (const Firing& firing : firings) {
    const FaultKind& kind = *firing.kind;
    const bool store = firing.node == kNobody;
    const Name target = store ? facts_->stores[firing.store] : nodes_[firing.node].name;
    const std::uint32_t mutex = store ? 0 : nodes_[firing.node].mutex;
    const int index = index_of(kind);
    const Sequence began = emit(EventKind::kFaultBegan, target, mutex, 0, static_cast<std::uint8_t>(index), kNoToken,
                                firing.duration.count(), firing.row);
    ++firings_[static_cast<std::size_t>(index)];
    if (!store) nodes_[firing.node].cause = began;
    acting_ = began;
    acting_row_ = firing.row;
    WorldFaultPort port(*this, firing.store);
    kind.begin(port, firing.call(fleet));
    acting_row_ = -1;
    if (!kind.lasts) continue;
    std::uint32_t slot = static_cast<std::uint32_t>(active_faults_.size());
    if (ended_faults_.empty()) {
      active_faults_.emplace_back();
    } else {
      slot = ended_faults_.back();
      ended_faults_.pop_back();
    }
    const TrueTime ends = now_ + firing.duration;
    active_faults_[slot] = {firing, began, ends, 0};
    const NodeIndex place = store ? 0 : firing.node;
    queue_.push(ends, Due::kFaultEnds, place, slot);
    if (kind.period == nullptr) continue;
    const TrueTime acts = now_ + kind.period(firing.call(fleet));
    if (acts < ends) queue_.push(acts, Due::kFaultActs, place, slot);
  }
}

bool World::on_fault_act(const QueueEntry& entry) {
  ActiveFault& fault = active_faults_[entry.payload];
  const FaultCall call = fault.firing.call(static_cast<NodeIndex>(nodes_.size()), ++fault.ticks);
  const TrueTime again = now_ + fault.firing.kind->period(call);
  if (again < fault.ends) queue_.push(again, Due::kFaultActs, entry.node(), entry.payload);
  input_.node = fault.firing.node == kNobody ? facts_->stores[fault.firing.store] : nodes_[fault.firing.node].name;
  acting_ = fault.began;
  WorldFaultPort port(*this, fault.firing.store);
  fault.firing.kind->act(port, call);
  return true;
}

void World::on_fault_end(const QueueEntry& entry) {
  const ActiveFault fault = active_faults_[entry.payload];
  ended_faults_.push_back(entry.payload);
  const bool store = fault.firing.node == kNobody;
  const Name target = store ? facts_->stores[fault.firing.store] : nodes_[fault.firing.node].name;
  input_.node = target;
  const Sequence ended = emit(EventKind::kFaultEnded, target, store ? 0 : nodes_[fault.firing.node].mutex, fault.began,
                              static_cast<std::uint8_t>(index_of(*fault.firing.kind)), kNoToken,
                              fault.firing.duration.count(), fault.firing.row);
  if (!store) nodes_[fault.firing.node].cause = ended;
  acting_ = ended;
  WorldFaultPort port(*this, fault.firing.store);
  fault.firing.kind->end(port, fault.firing.call(static_cast<NodeIndex>(nodes_.size()), fault.ticks));
}

// A step of the plan is an input like any other: a paused contender is handed it after the pause. Its entry bears the
// life it was meant for and, above that, the row of the plan plus one; 0: of none, as a start at the beginning.
void World::tell(NodeIndex index, Due what) {
  if (!nodes_[index].alive) return handed_step(acting_row_, false);
  const std::uint32_t row = acting_row_ < kRowless ? static_cast<std::uint32_t>(acting_row_ + 1) : 0;
  queue_.push(now_, what, index, row << kLifeBits | (nodes_[index].life & kLifeMask));
}

bool World::on_step(const QueueEntry& entry, Node& node) {
  if ((entry.payload & kLifeMask) != (node.life & kLifeMask)) return false;
  node.refused = false;
  if (entry.due() == Due::kStart) {
    node.alive = true;
    hand(entry.node(), Start{}, 0);
  } else {
    hand(entry.node(), Stop{}, 0);
  }
  handed_step(static_cast<int>(entry.payload >> kLifeBits) - 1, !node.refused);
  return true;
}

void World::handed_step(int row, bool taken) {
  if (row >= 0) plan_.handed(static_cast<std::uint32_t>(row), taken);
}

void World::restart(NodeIndex index, NodeIndex as) {
  nodes_[index].restart(WorldHostPort(*this, index), facts_->contenders[as], as == index ? 0 : nodes_[as].name.handle);
}

void World::start_anew(NodeIndex index) { queue_.push(now_, Due::kStart, index, nodes_[index].life & kLifeMask); }

void World::change_rates(NodeIndex index) {
  const Disturbed& wrong = disturbed(index);
  ContenderClock& clock = nodes_[index].clock;
  const ContenderClock before = clock;
  const bool stopped = wrong.stopped_clocks > 0;
  // However many faults slow it down together.
  const auto rate = [&](std::int32_t own, std::int32_t by) {
    return stopped ? kStandingPpm : std::max(kSlowestPpm, own + by);
  };
  clock.wall.set_rate(now_, rate(wrong.own_wall_ppm, wrong.wall_ppm));
  const std::int32_t steady = rate(wrong.own_steady_ppm, wrong.steady_ppm);
  if (steady != clock.steady.ppm()) {
    clock.steady.set_rate(now_, steady);
    rearm(index);
  }
  tell_clocks(nodes_[index], before, acting_);
}

void World::tell_clocks(const Node& node, const ContenderClock& before, Sequence cause) {
  each_difference(before, node.clock, now_, [&](ClockOf which, Duration by, std::int64_t ppm) {
    emit(EventKind::kClockChanged, node.name, node.mutex, cause, static_cast<std::uint8_t>(which), kNoToken, by.count(),
         ppm);
  });
}

bool World::undisturbed(NodeIndex index) const {
  const Node& node = nodes_[index];
  if (node.held() || !node.inbox.empty()) return false;
  if (node.disturbed == 0) return true;
  const Disturbed& wrong = disturbed_[node.disturbed - 1];
  return wrong.neutral() && node.clock.wall.ppm() == wrong.own_wall_ppm &&
         node.clock.steady.ppm() == wrong.own_steady_ppm;
}

// ---- the port

void WorldFaultPort::resume(NodeIndex node) { world_.nodes_[node].resume(WorldHostPort(world_, node)); }
void WorldFaultPort::feed(NodeIndex node) { world_.nodes_[node].feed(WorldHostPort(world_, node)); }
void WorldFaultPort::crash(NodeIndex node) { world_.nodes_[node].crash(WorldHostPort(world_, node)); }

void WorldFaultPort::cut(NodeIndex node, LinkDirection direction) {
  for_ways(node, direction, [](DisturbedWay& way, Way) { ++way.cuts; });
}

void WorldFaultPort::heal(NodeIndex node, LinkDirection direction) {
  for_ways(node, direction, [](DisturbedWay& way, Way) { --way.cuts; });
}

void WorldFaultPort::clog(NodeIndex node, LinkDirection direction) {
  for_ways(node, direction, [](DisturbedWay& way, Way) { ++way.clogs; });
}

void WorldFaultPort::unclog(NodeIndex node, LinkDirection direction) {
  if (direction != LinkDirection::kFromStore) world_.unclog(node, Way::kUp);
  if (direction == LinkDirection::kToStore) return;
  world_.unclog(node, Way::kDown);
  world_.unclog(node, Way::kMessages);
}

void WorldFaultPort::trouble(NodeIndex node, LinkDirection direction, const LinkTrouble& by, std::uint64_t fault) {
  constexpr std::array<std::string_view, kWays> kPurposes{"trouble of messages", "trouble up", "trouble down"};
  const std::string_view name = world_.names().text(world_.nodes_[node].name);
  for_ways(node, direction, [&](DisturbedWay& way, Way which) {
    way.troubles.push_back({fault, by, RandomStream(fault, name, kPurposes[static_cast<std::size_t>(which)])});
  });
}

void WorldFaultPort::untrouble(NodeIndex node, LinkDirection direction, std::uint64_t fault) {
  for_ways(node, direction, [&](DisturbedWay& way, Way) {
    const auto ended = [&](const ActiveTrouble& trouble) { return trouble.fault == fault; };
    way.troubles.erase(std::remove_if(way.troubles.begin(), way.troubles.end(), ended), way.troubles.end());
  });
}

void WorldFaultPort::step_clock(NodeIndex node, Duration by) {
  Node& at = world_.nodes_[node];
  at.clock.wall.step(world_.now_, by);
  world_.emit(EventKind::kClockChanged, at.name, at.mutex, world_.acting_, static_cast<std::uint8_t>(ClockOf::kWall),
              kNoToken, by.count());
}

void WorldFaultPort::speed_clock(NodeIndex node, ClockOf which, std::int32_t ppm) {
  Disturbed& wrong = world_.disturbed(node);
  if (which != ClockOf::kSteady) wrong.wall_ppm += ppm;
  if (which != ClockOf::kWall) wrong.steady_ppm += ppm;
  world_.change_rates(node);
}

void WorldFaultPort::stop_clocks(NodeIndex node) {
  ++world_.disturbed(node).stopped_clocks;
  world_.change_rates(node);
}

void WorldFaultPort::run_clocks(NodeIndex node) {
  --world_.disturbed(node).stopped_clocks;
  world_.change_rates(node);
}

void WorldFaultPort::half_open(NodeIndex node) {
  Disturbed& wrong = world_.disturbed(node);
  ++wrong.half_opens;
  wrong.half_open_requests = true;
  wrong.half_open_life = world_.nodes_[node].life;
}

// Keep-alive has noticed: both lines are opened anew.
void WorldFaultPort::close_half_open(NodeIndex node) {
  Disturbed& wrong = world_.disturbed(node);
  if (--wrong.half_opens == 0) wrong.half_open_requests = false;
}

void WorldFaultPort::stall_row(std::uint64_t fault) {
  store().stalls.push_back(fault);
  world_.disturb_model(store(), Disturbance::kStall);
}

void WorldFaultPort::unstall_row(std::uint64_t fault) {
  std::vector<std::uint64_t>& stalls = store().stalls;
  const auto stall = std::find(stalls.begin(), stalls.end(), fault);
  if (stall == stalls.end()) return;  // the store has crashed since
  stalls.erase(stall);
  world_.disturb_model(store(), Disturbance::kUnstall);
}

void WorldFaultPort::delay_callbacks(NodeIndex node, Duration by) {
  Disturbed& wrong = world_.disturbed(node);
  wrong.late_callbacks += by;
  world_.hand(node, ExecutorLate{wrong.late_callbacks}, 0);
}

void WorldFaultPort::take_connections(NodeIndex node, std::int32_t count) {
  world_.disturbed(node).taken_connections += count;
  world_.lend_connections(node);
}

}  // namespace leasescope
