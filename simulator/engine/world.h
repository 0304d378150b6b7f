// The virtual world: contenders, server models, resources, messages in flight, event queue and random streams, as a
// value.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "simulator/engine/fleet.h"
#include "simulator/engine/majority.h"
#include "simulator/engine/message.h"
#include "simulator/engine/node.h"
#include "simulator/engine/server.h"
#include "simulator/engine/trace_hash.h"
#include "simulator/fault/plan.h"
#include "simulator/model/bank.h"
#include "simulator/model/resource.h"

namespace leasescope {

// What every world of a scenario shares and none changes: names and distributions.
struct WorldFacts {
  NameTable names;
  std::vector<Name> mutexes;
  std::vector<Name> contenders;
  std::vector<Name> resources;  // by mutex, then by table
  std::vector<Name> stores;
  std::vector<Distribution> latencies;      // the store's, then those of contenders that have their own
  std::optional<Distribution> tells_after;  // the stores, of a change; none: at once
  std::vector<Distribution> write_latency;  // by resource table
  std::vector<WorkTerms> work_terms;        // likewise
  std::vector<TransferForm> transfers;      // likewise; empty: none of them is a bank
  std::vector<Duration> callbacks;          // of the contenders' applications; empty: none takes any time
  std::uint32_t loss_ppm = 0;
  std::int32_t pool = 0;                // connections of one process; 0 = one line carries all
  std::vector<NodeIndex> node_of_name;  // by name handle, kNobody where it is none of ours
};

std::shared_ptr<const WorldFacts> make_facts(const Scenario& scenario);

// A copy continues identically; that is what snapshots, seeking and forks are.
class World {
 public:
  World(const Scenario& scenario, std::shared_ptr<const WorldFacts> facts);

  // True time of the next input; TrueTime::max() when nothing will ever happen again.
  TrueTime next() const { return std::min(queue_.next(), faults_due_); }

  // Dispatches the next input that is still valid, unless none is due by `until`. What came of it: input() and
  // events().
  bool step(TrueTime until);
  const DispatchedInput& input() const { return input_; }
  const std::vector<Event>& events() const { return events_; }
  // A protocol or server input, as the bench counts them: everything but the work, its writes and the faults.
  bool protocol_input() const { return protocol_; }

  TrueTime now() const { return now_; }
  std::uint64_t inputs() const { return inputs_; }
  const NameTable& names() const { return facts_->names; }
  const Fleet& fleet() const { return fleet_; }
  std::size_t node_count() const { return nodes_.size(); }
  std::vector<std::string> unfired() const { return plan_.unfired(); }
  // No fault lasts on this contender, and nothing is left of those that did.
  bool undisturbed(NodeIndex node) const;
  // Every stream of draws there is: visit(whose, purpose, stream).
  template <class Visit>
  void visit_streams(Visit visit) const;
  // How often each kind of fault has begun, by its index.
  const std::vector<std::uint32_t>& firings() const { return firings_; }
  // From here on, `at`, with the faults, links and resources of `changed`, which is else the same scenario
  // (check_fork). Refuses to change what has already happened.
  tl::expected<void, std::string> change_course(const Scenario& changed, TrueTime at);
  // Memory that a copy takes.
  std::size_t bytes() const;

 private:
  friend class WorldFaultPort;
  friend class WorldHostPort;
  struct ActiveFault {
    Firing firing;
    Sequence began = 0;
    TrueTime ends{};
    std::uint32_t ticks = 0;
  };

  // ---- world.cpp: dispatch; each says whether the entry was still valid
  void turn_to(TrueTime at, Due due);
  bool dispatch(const QueueEntry& entry);
  void concerns(const Node& node) {
    input_.process = node.name;
    input_.process_hash = node.name_hash;
  }
  [[gnu::noinline]] void fetch_ahead(const QueueEntry& entry, bool foreseen) const;  // small worlds go without
  void fetch(const QueueEntry& entry) const;
  void fetch_further(const QueueEntry& entry) const;
  bool dispatch_to_contender(const QueueEntry& entry, Node& node);
  bool on_request_timeout(const QueueEntry& entry, Node& node);
  bool on_reply(const QueueEntry& entry, Node& node);
  bool on_store_event(const QueueEntry& entry, Node& node);
  void hand(NodeIndex index, const Input& input, Sequence cause);
  void rearm(NodeIndex index);
  Sequence emit(EventKind kind, Name node, std::uint32_t mutex, Sequence cause, std::uint8_t detail = 0,
                Token token = kNoToken, std::int64_t a = 0, std::int64_t b = 0);

  // ---- world_links.cpp: what is on its way
  void send(NodeIndex index, const Request& request, SteadyTime now);
  void transmit(NodeIndex index, const Request& request, Outstanding& out);
  void answer(const Server& server, const ServerStep& step, Sequence cause);
  void publish(Server& server, const ServerStep& step, Sequence cause);
  Outstanding& remember(NodeIndex index, const Request& request);
  Outstanding* find(NodeIndex index, std::uint64_t request) {
    for (Outstanding& out : nodes_[index].outstanding)
      if (out.request == request) return &out;
    return more_outstanding_.empty() ? nullptr : find_further(index, request);
  }
  Outstanding* find_further(NodeIndex index, std::uint64_t request);
  // Those in the node, and those that have no place there: visit(out) until it says true.
  template <class Visit>
  bool visit_outstanding(NodeIndex index, Visit visit);
  void watch(NodeIndex index, Outstanding& out);
  void settle(NodeIndex index, Outstanding& out);
  bool has_connection(NodeIndex index) const;
  void lend_connections(NodeIndex index);
  TrueTime arrival(NodeIndex index, Way way, std::size_t store, Duration later = {});
  // Each server is on a connection of its own, which keeps the order.
  TrueTime& last_arrival(NodeIndex index, Way way, std::size_t store);
  bool lost(RandomStream& stream) { return stream.chance_ppm(facts_->loss_ppm); }
  enum class Fate : std::uint8_t { kGoes, kWaits, kGone };
  // What is wrong on that way may make the packet late, make a second one, keep it or lose it.
  Fate disturb(NodeIndex index, Way way, std::size_t store, QueueEntry& packet, bool gone = false);
  void unclog(NodeIndex index, Way way);
  Disturbed& disturbed(NodeIndex index);
  bool deaf(const Node& node) const;

  // ---- world_kernel.cpp: what a kernel does for the connections of its processes
  void probe(const Server& server, const ServerStep& step);
  bool on_probe(const QueueEntry& entry);
  void hang_up(NodeIndex index);
  void send_by_kernel(NodeIndex index, const Request& request, std::uint32_t life);
  bool kernel_is_mute(const Node& node, std::uint32_t life) const;

  // ---- world_server.cpp
  bool on_request(const QueueEntry& entry);
  bool on_request_served(const QueueEntry& entry);
  void attend(Server& server);
  void serve(const QueueEntry& entry);
  bool on_wake(const QueueEntry& entry);
  void settle_steps(Server& server);
  Sequence note(const Server& server, const ServerStep& step);
  NodeIndex settle_votes();
  void watch(Server& server, std::uint32_t tag);
  void watch_anew(Server& server);
  void rouse(Server& server);
  void refuse(const QueueEntry& entry);
  void crash_store(Server& server);
  void restore_store(Server& server);
  void thaw_store(Server& server);
  bool on_resubscribed(const QueueEntry& entry);
  void change_store_clock(Server& server, Duration by, std::int32_t ppm);
  void disturb_model(Server& server, Disturbance what);
  Name owner_of(std::uint32_t mutex) const;

  // ---- world_work.cpp: the work under the mutex
  bool on_work(const QueueEntry& entry);
  bool on_write_answered(const QueueEntry& entry);
  void send_write(std::uint32_t index, Token token);
  void on_write(const QueueEntry& entry);
  bool is_bank(std::uint32_t table) const {
    return !facts_->transfers.empty() && facts_->transfers[table] != TransferForm::kNone;
  }
  void on_bank_asked(const Message& message, bool refused);
  void hear_bank(std::uint32_t work, std::uint32_t number);
  // Of the place of a work. With one resource nothing is divided: that takes longer than all else here.
  NodeIndex worker_of(std::uint32_t work) const { return works_each_ == 1 ? work : work / works_each_; }
  std::uint32_t table_of(std::uint32_t work) const { return works_each_ == 1 ? 0 : work % works_each_; }

  // ---- world_faults.cpp
  void on_faults_due();
  void on_fault_end(const QueueEntry& entry);
  bool on_fault_act(const QueueEntry& entry);
  void began_compute(NodeIndex node);
  void begin(const std::vector<Firing>& firings);
  void tell(NodeIndex index, Due what);
  bool on_step(const QueueEntry& entry, Node& node);
  void handed_step(int row, bool taken);
  void restart(NodeIndex index, NodeIndex as);
  void start_anew(NodeIndex index);
  void change_rates(NodeIndex index);
  void tell_clocks(const Node& node, const ContenderClock& before, Sequence cause);
  NodeIndex node_of(Name name) const { return facts_->node_of_name[name.handle]; }

  std::shared_ptr<const WorldFacts> facts_;
  EventQueue queue_;
  MessagePool pool_;
  Fleet fleet_;
  LargeVector<Node> nodes_;  // likewise
  LargeVector<Work> works_;  // by node, then by resource table
  std::vector<Resource> resources_;
  std::vector<Bank> banks_;  // as the resources, where one of them is a bank
  // What the bank has told whoever works there, by the place of the work.
  struct BankTalk {
    std::uint64_t transfer = 0;  // which he works on
    std::uint64_t answered = 0;  // as the answer to his latest step says, which may still be on its way
    std::uint32_t number = 0;    // that of the step
    std::uint8_t next = 0;
  };
  std::vector<BankTalk> bank_talks_;
  std::vector<Server> servers_;
  Majority majority_;                    // of several
  std::vector<TrueTime> more_arrivals_;  // likewise: by node, way and server but the first
  // By node: those that have no place in it. Of several servers they are many; else none, until one had too many.
  std::vector<std::vector<Outstanding>> more_outstanding_;
  std::vector<Sequence> last_grant_;  // by mutex: the event that granted or renewed
  std::vector<Disturbed> disturbed_;
  FaultPlan plan_;
  // Of its next row. Not an entry of the queue: faults come after all else of their moment, so that no turn hangs on
  // when the row became known, as it does at a fork.
  TrueTime faults_due_ = TrueTime::max();
  std::vector<ActiveFault> active_faults_;
  std::vector<std::uint32_t> ended_faults_;  // their places, free again
  std::vector<std::uint32_t> firings_;       // by kind
  DispatchedInput input_;
  std::vector<Event> events_;
  ServerSteps steps_;
  TrueTime now_{};
  std::uint64_t inputs_ = 0;
  Sequence sequence_ = 0;
  Sequence acting_ = 0;           // the event of the fault that acts now, or acted last
  int acting_row_ = -1;           // of the plan, while that row begins
  std::uint32_t works_each_ = 0;  // so many a contender, one a resource table
  bool several_servers_ = false;
  bool protocol_ = false;
  bool far_ = false;  // so many contenders that the processor does not have them at hand
};

template <class Visit>
bool World::visit_outstanding(NodeIndex index, Visit visit) {
  for (Outstanding& out : nodes_[index].outstanding)
    if (visit(out)) return true;
  if (more_outstanding_.empty()) return false;
  for (Outstanding& out : more_outstanding_[index])
    if (visit(out)) return true;
  return false;
}

template <class Visit>
void World::visit_streams(Visit visit) const {
  for (NodeIndex index = 0; index < nodes_.size(); ++index) {
    const Node& node = nodes_[index];
    visit(node.name, std::uint64_t{0}, fleet_.draws(index));
    for (std::size_t way = 0; way < kWays; ++way) visit(node.name, 1 + way, node.delays[way]);
    for (std::uint32_t i = 0; i < works_each_; ++i)
      visit(node.name, 1 + kWays + i, works_[index * works_each_ + i].delays);
    if (node.disturbed == 0) continue;
    for (std::size_t way = 0; way < kWays; ++way)
      for (const ActiveTrouble& trouble : disturbed_[node.disturbed - 1].ways[way].troubles)
        visit(node.name, trouble.fault ^ way, trouble.draws);
  }
}

}  // namespace leasescope
