#include "simulator/live/live_world.h"

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "core/store/several_stores.h"
#include "core/store/store_type.h"
#include "simulator/engine/processes.h"
#include "simulator/fault/kinds.h"
#include "simulator/scenario/scenario_legend.h"

namespace leasescope {

bool needs_proxies(const Scenario& scenario) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultTable& row) {
    const FaultKind* const kind = find_fault_kind(row.kind);
    return kind != nullptr && (kind->of_network || kind->needs_replica);
  });
}

namespace {

// Of its contenders and faults as the scenario has them; of the store as the live one is, not as the model would be.
Legend legend_on(const StoreType& type, const Scenario& scenario) {
  Legend legend = legend_of(scenario);
  legend.store.tells = type.tells && scenario.family() != Family::kRegister;
  return legend;
}

std::vector<StoreUrl> servers_of(const StoreUrl& store, const Scenario& scenario) {
  return scenario.servers() == 1 ? std::vector<StoreUrl>{store} : each_alone(store);
}

// Attempts of a quorum lock and nodes of a latch are told apart by numbers that are drawn: at a store that others use
// too they are not those of another process, though it may run the same scenario by the same seed.
Scenario drawn_apart(Scenario scenario) {
  const Family family = scenario.family();
  std::random_device draw;
  if (family == Family::kQuorum || family == Family::kNodes) scenario.seed = std::uint64_t{draw()} << 32 | draw();
  return scenario;
}

}  // namespace

LiveWorld::LiveWorld(Loop& loop, const Scenario& scenario, const StoreUrl& store, const std::string& store_name,
                     bool given, ServerControl* server)
    : loop_(&loop),
      scenario_(scenario),
      store_(store),
      servers_(servers_of(store, scenario)),
      given_(given),
      recorder_(NameTable(), scenario.terms(), legend_on(*store.type, scenario)),
      names_(recorder_),
      plan_(scenario),
      plan_timer_(loop),
      server_(server),
      crashes_(servers_.size()),
      clocks_(loop, servers_.size(), server, [this](std::size_t which, Duration by) { clock_asked(which, by); }),
      resolver_(std::make_shared<Resolver>(loop)),
      write_timer_(loop) {
  for (std::size_t i = 0; i < servers_.size(); ++i)
    store_names_.push_back(recorder_.intern(servers_.size() == 1 ? store_name
                                            : given              ? printable(servers_[i])
                                                                 : fmt::format("{} {}", store_name, i + 1)));
  recorder_.known_within(scenario.store.timeout);
}

// ---- setting up

tl::expected<void, std::string> LiveWorld::open() {
  if (auto added = add_mutexes(); !added) return added;
  if (auto added = add_contenders(); !added) return added;
  return add_replication();
}

tl::expected<bool, std::string> LiveWorld::connect_next() {
  if (links_.size() == nodes_.size()) return false;
  Driver& node = *nodes_[links_.size()];
  if (auto added = add_link(node.place()); !added) return tl::unexpected(added.error());
  node.connect();
  return links_.size() < nodes_.size();
}

tl::expected<void, std::string> LiveWorld::add_mutexes() {
  const std::vector<std::string> mutexes = scenario_.mutex_names();
  for (const std::string& mutex : mutexes) {
    const auto name = names_.add_mutex(mutex, wire_name(scenario_, mutex, given_));
    if (!name) return tl::unexpected(name.error());
    mutex_names_.push_back(*name);
    auto book = make_book(
        scenario_.family(), {*name, store_names_.front(), scenario_.terms().lease(), store_.type->rows, store_names_},
        [this](const Event& event) { return this->record(event); },
        [this](Name who) { return node_of(who) != kNobody; });
    mutexes_.push_back(std::make_unique<Mutex>(*loop_, std::move(book)));
    for (const ResourceTable& table : scenario_.resources)
      resources_.emplace_back(recorder_.intern(mutexes.size() == 1 ? table.name : table.name + "@" + mutex),
                              table.fencing, table.accepts_tokenless, scenario_.capacity());
  }
  return {};
}

tl::expected<void, std::string> LiveWorld::add_contenders() {
  std::vector<Name> ids;
  for (const std::string& name : scenario_.contender_names()) {
    const auto handle = names_.add_contender(name);
    if (!handle) return tl::unexpected(handle.error());
    ids.push_back(*handle);
  }
  DriverSetting setting;
  for (const ResourceTable& resource : scenario_.resources) setting.terms.push_back(resource.work);
  setting.connects_itself = scenario_.family() == Family::kNodes;
  const Scenario drawn = given_ ? drawn_apart(scenario_) : scenario_;
  each_process(drawn, ids, mutex_names_, [&](const Process& process) {
    setting.place = process.index;
    setting.name = process.name;
    setting.mutex = mutex_names_[process.mutex];
    setting.mutex_place = process.mutex;
    setting.contender = process.contender;
    setting.clock = process.clock;
    setting.works = process.works;
    setting.callback = process.table->callback;
    nodes_.push_back(std::make_unique<Driver>(*loop_, *this, setting));
    Trouble trouble;
    trouble.own_wall_ppm = process.clock.wall.ppm();
    trouble.own_steady_ppm = process.clock.steady.ppm();
    troubles_.push_back(trouble);
  });
  return {};
}

std::unique_ptr<Store> LiveWorld::make_store(Driver& node, StoreListener& listener) {
  const auto make = [&](std::size_t server, StoreListener& told) {
    return store_.type->make(*loop_, servers_[server], scenario_.family(), links_[node.place()][server].route,
                             scenario_.store.timeout, names_, told);
  };
  if (servers_.size() == 1) return make(0, listener);
  return std::make_unique<SeveralStores>(*loop_, servers_.size(), make, listener);
}

std::size_t LiveWorld::connected() const {
  return static_cast<std::size_t>(
      std::count_if(nodes_.begin(), nodes_.end(), [](const auto& node) { return node->connected(); }));
}

std::string LiveWorld::trouble() const {
  for (const auto& node : nodes_)
    if (!node->connected() && !node->trouble().empty()) return node->trouble();
  return "no answer";
}

// ---- from time 0 to the end

void LiveWorld::begin() {
  recording_ = true;
  if (replication_ != nullptr) replication_->begin();
  for (const auto& node : nodes_) node->tell_clocks();
  NodeIndex index = 0;
  for (const ContenderTable& table : scenario_.contenders) {
    for (int i = 0; i < table.count; ++i, ++index) {
      const Duration start = table.start.under(scenario_.terms());
      Driver* const node = nodes_[index].get();
      timers_.push_back(std::make_unique<OneShot>(*loop_));
      timers_.back()->arm(start, [node] { node->start(); });
    }
  }
  plan_next();
}

void LiveWorld::close(TrueTime end) {
  recording_ = false;
  plan_timer_.cancel();
  write_timer_.cancel();
  clocks_.rest();
  timers_.clear();
  for (const auto& fault : faults_) fault->acts->cancel();
  for (std::size_t place = 0; server_ != nullptr && place < servers_.size(); ++place)
    server_->thaw(place);  // who is to give something back may need it
  recorder_.finish(end);
}

void LiveWorld::wind_up(bool owners) {
  for (Link& link : links_)
    for (Lane& lane : link) {
      if (lane.requests == nullptr) continue;
      lane.requests->heal();
      lane.messages->heal();
    }
  for (const auto& node : nodes_)
    if (owners || !node->believes()) node->wind_up();
}

bool LiveWorld::settled() const {
  return std::none_of(nodes_.begin(), nodes_.end(),
                      [](const auto& node) { return node->alive() && node->status() == Status::kStopping; });
}

Sequence LiveWorld::record(const Event& event) {
  if (!recording_) return 0;
  const Sequence sequence = recorder_.append(event);
  const bool grant = event.kind == EventKind::kGranted && event.mutex == mutex_names_.front();
  if (const NodeIndex node = grant ? node_of(event.node) : kNobody; node != kNobody && plan_.waits_for_grant())
    begin_faults(plan_.granted(node));
  return sequence;
}

NodeIndex LiveWorld::node_of(Name name) const {
  for (const auto& node : nodes_)
    if (node->name() == name) return node->place();
  return kNobody;
}

NodeIndex LiveWorld::owner() const {
  const Name owner = mutexes_.front()->book->owner();
  return owner.empty() ? kNobody : node_of(owner);
}

bool LiveWorld::contends(NodeIndex node) const { return nodes_[node]->alive() && nodes_[node]->running(); }

// ---- what the store held

void LiveWorld::sending(Driver& node, const Request& request, Sequence cause) {
  mutexes_[node.mutex_place()]->book->sending(node.name(), request, loop_->now(), cause);
  watch(node.mutex_place());
}

Sequence LiveWorld::replied(Driver& node, const Reply& reply, TrueTime sent, TrueTime received) {
  const Sequence fact = mutexes_[node.mutex_place()]->book->replied(node.name(), reply, sent, received);
  watch(node.mutex_place());
  return fact;
}

void LiveWorld::heard(Driver& node, const StoreEvent& event, TrueTime received) {
  if (event.kind != StoreEventKind::kHandedOver) return;
  mutexes_[node.mutex_place()]->book->handed_over(node.name(), event.token, received);
  watch(node.mutex_place());
}

void LiveWorld::abandoned(Driver& node) {
  mutexes_[node.mutex_place()]->book->abandoned(node.name());
  watch(node.mutex_place());
}

void LiveWorld::watch(std::uint32_t place) {
  Mutex& mutex = *mutexes_[place];
  const TrueTime due = mutex.book->due();
  if (due == TrueTime::max()) return mutex.due.cancel();
  mutex.due.arm(due - loop_->now(), [this, place] {
    mutexes_[place]->book->tick(loop_->now());
    watch(place);
  });
}

Name LiveWorld::said(std::string_view error) { return recorder_.intern(errors_.kept(error)); }

// ---- the protected resources

void LiveWorld::write(Driver& node, std::uint32_t resource, std::uint32_t number, Token token, Sequence cause) {
  const Duration way = scenario_.resources[resource].latency.sample(node.write_delays(resource));
  writes_.emplace(loop_->now() + way + troubles_[node.place()].late_writes,
                  Write{node.place(), resource, number, token, cause, way});
  deliver_writes();
}

void LiveWorld::deliver_writes() {
  while (!writes_.empty() && writes_.begin()->first <= loop_->now()) {
    const Write write = writes_.begin()->second;
    writes_.erase(writes_.begin());
    deliver(write);
  }
  if (!writes_.empty()) write_timer_.arm(writes_.begin()->first - loop_->now(), [this] { deliver_writes(); });
}

void LiveWorld::deliver(const Write& write) {
  Driver& writer = *nodes_[write.writer];
  if (write.answered) return writer.write_answered(write.table, write.number);
  Resource& resource = resources_[writer.mutex_place() * scenario_.resources.size() + write.table];
  const auto highest = static_cast<std::int64_t>(resource.highest(write.token));
  dispatched();
  writer.note(resource.write(write.token), write.cause, 0, write.token, resource.name().handle, highest);
  Write answer = write;
  answer.answered = true;
  writes_.emplace(loop_->now() + write.way, answer);
}

// ---- the fault plan

void LiveWorld::plan_next() {
  const TrueTime next = plan_.next();
  if (next == TrueTime::max()) return;
  plan_timer_.arm(next - loop_->now(), [this] {
    begin_faults(plan_.due(loop_->now(), *this));
    plan_next();
  });
}

void LiveWorld::handed(int row, bool taken) {
  if (row >= 0) plan_.handed(static_cast<std::uint32_t>(row), taken);
}

void LiveWorld::computing(Driver& node) {
  if (recording_ && plan_.waits_for_compute()) begin_faults(plan_.computing(node.place()));
}

Sequence LiveWorld::record_fault(EventKind kind, const Firing& firing, Sequence cause) {
  const bool store = firing.node == kNobody;
  Event event;
  event.kind = kind;
  event.lo = event.hi = loop_->now();
  event.node = store ? store_names_[firing.store] : nodes_[firing.node]->name();
  event.mutex = store ? mutex_names_.front() : nodes_[firing.node]->mutex();
  event.detail = static_cast<std::uint8_t>(index_of(*firing.kind));
  event.a = firing.duration.count();
  event.b = firing.row;
  event.cause = cause;
  const Sequence recorded = record(event);
  if (!store) nodes_[firing.node]->led_by(recorded);
  dispatched();
  return recorded;
}

void LiveWorld::begin_faults(const std::vector<Firing>& firings) {
  const auto fleet = static_cast<NodeIndex>(nodes_.size());
  for (const Firing& firing : firings) {
    const Sequence began = record_fault(EventKind::kFaultBegan, firing, 0);
    acting_row_ = firing.row;
    acting_store_ = firing.store;
    firing.kind->begin(*this, firing.call(fleet));
    acting_row_ = -1;
    if (!firing.kind->lasts) continue;
    faults_.push_back(std::make_unique<Fault>(
        Fault{firing, began, loop_->now() + firing.duration, 0, std::make_unique<OneShot>(*loop_)}));
    Fault* const fault = faults_.back().get();
    timers_.push_back(std::make_unique<OneShot>(*loop_));
    timers_.back()->arm(firing.duration, [this, fault] { end_fault(*fault); });
    act_later(*fault);
  }
}

void LiveWorld::end_fault(const Fault& fault) {
  fault.acts->cancel();
  record_fault(EventKind::kFaultEnded, fault.firing, fault.began);
  acting_store_ = fault.firing.store;
  fault.firing.kind->end(*this, fault.firing.call(static_cast<NodeIndex>(nodes_.size()), fault.ticks));
}

// What lasts may also act now and then, not at the beginning and not at the end.
void LiveWorld::act_later(Fault& fault) {
  if (fault.firing.kind->period == nullptr) return;
  const auto fleet = static_cast<NodeIndex>(nodes_.size());
  const Duration period = fault.firing.kind->period(fault.firing.call(fleet, fault.ticks));
  if (loop_->now() + period >= fault.ends) return;
  fault.acts->arm(period, [this, &fault, fleet] {
    ++fault.ticks;
    dispatched();
    acting_store_ = fault.firing.store;
    fault.firing.kind->act(*this, fault.firing.call(fleet, fault.ticks));
    act_later(fault);
  });
}

// ---- what is done to clocks, callbacks and the server

void LiveWorld::change_rates(NodeIndex node) {
  const Trouble& wrong = troubles_[node];
  // However many faults slow it down together.
  const auto rate = [&](std::int32_t own, std::int32_t by) {
    return wrong.stopped_clocks > 0 ? kStandingPpm : std::max(kSlowestPpm, own + by);
  };
  nodes_[node]->set_rates(rate(wrong.own_wall_ppm, wrong.wall_ppm), rate(wrong.own_steady_ppm, wrong.steady_ppm));
}

void LiveWorld::speed_clock(NodeIndex node, ClockOf which, std::int32_t ppm) {
  if (which != ClockOf::kSteady) troubles_[node].wall_ppm += ppm;
  if (which != ClockOf::kWall) troubles_[node].steady_ppm += ppm;
  change_rates(node);
}

void LiveWorld::stop_clocks(NodeIndex node) {
  ++troubles_[node].stopped_clocks;
  change_rates(node);
}

void LiveWorld::run_clocks(NodeIndex node) {
  --troubles_[node].stopped_clocks;
  change_rates(node);
}

void LiveWorld::delay_callbacks(NodeIndex node, Duration by) {
  troubles_[node].late_callbacks += by;
  nodes_[node]->set_late_callbacks(troubles_[node].late_callbacks);
}

// A store that forgets is told apart from one that lets a lease end too early.
void LiveWorld::crash_store() {
  ++crashes_[acting_store_];
  server_->kill(acting_store_);
  for (const auto& mutex : mutexes_) mutex->book->may_have_forgotten(loop_->now());
}

// Who takes over while another fault keeps the store down is down with it.
void LiveWorld::restore_store() {
  const bool another_leads = std::exchange(another_leads_, false);
  const bool runs = --crashes_[acting_store_] == 0;
  if (runs && !another_leads) server_->start_again(acting_store_);
  if (!runs && another_leads) server_->kill(acting_store_);
}

// A process that is killed and started again suffers the rest by itself.
void LiveWorld::disturb_store(Disturbance what) {
  switch (what) {
    case Disturbance::kCloseSession:
      return server_->end_session(first_mutex());
    case Disturbance::kErase:
      server_->erase(first_mutex());
      return mutexes_.front()->book->may_have_forgotten(loop_->now());
    case Disturbance::kReplicaCut:
      return replication_->cut();
    case Disturbance::kReplicaHeal:
      return replication_->heal();
    case Disturbance::kFailover:
      return fail_over();
    default:
      return;
  }
}

// What its leader had not got through to it is lost, however the way between them heals.
void LiveWorld::fail_over() {
  another_leads_ = true;
  replication_->lose();
  server_->promote();
  for (const auto& mutex : mutexes_) mutex->book->may_have_forgotten(loop_->now());
}

// As in virtual time; a step is told of when it has been made.
void LiveWorld::speed_store_clock(std::int32_t ppm) {
  clocks_.speed(acting_store_, ppm);
  record_clock(acting_store_, loop_->now(), Duration::zero(), ppm);
}

void LiveWorld::clock_asked(std::size_t which, Duration by) {
  for (std::uint32_t place = 0; place < mutexes_.size(); ++place) {
    mutexes_[place]->book->clock_asked(which, by, loop_->now());
    watch(place);
  }
}

void LiveWorld::clock_is_set(std::size_t which) {
  const ServerClocks::Step step = clocks_.done(which);
  if (step.told) record_clock(which, step.asked, step.by, 0);
  for (std::uint32_t place = 0; place < mutexes_.size(); ++place) {
    mutexes_[place]->book->clock_set(which, loop_->now());
    watch(place);
  }
}

void LiveWorld::record_clock(std::size_t which, TrueTime since, Duration by, std::int32_t ppm) {
  Event event;
  event.kind = EventKind::kClockChanged;
  event.lo = since;
  event.hi = loop_->now();
  event.node = store_names_[which];
  event.a = by.count();
  event.b = ppm;
  record(event);
}

}  // namespace leasescope
