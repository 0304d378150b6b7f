// The virtual world: contenders, server model, resources, messages in flight, event queue and random streams, as a
// value.
#pragma once
#include <memory>
#include <vector>

#include "simulator/engine/message.h"
#include "simulator/engine/node.h"
#include "simulator/engine/trace_hash.h"
#include "simulator/fault/plan.h"
#include "simulator/model/redis_model.h"
#include "simulator/model/resource.h"

namespace leasescope {

// What every world of a scenario shares and none changes: names and distributions.
struct WorldFacts {
  NameTable names;
  std::vector<Name> mutexes;
  std::vector<Name> contenders;
  std::vector<Name> resources;  // by mutex, then by table
  Name store;
  Distribution latency;
  std::vector<Distribution> write_latency;  // by resource table
  std::uint32_t loss_ppm = 0;
  std::vector<std::uint32_t> mutex_of_name;  // by name handle
  std::vector<NodeIndex> node_of_name;       // by name handle, kNobody where it is none of ours
};

std::shared_ptr<const WorldFacts> make_facts(const Scenario& scenario);

// A copy continues identically; that is what snapshots, seeking and forks are.
class World {
 public:
  World(const Scenario& scenario, std::shared_ptr<const WorldFacts> facts);

  // True time of the next input; TrueTime::max() when nothing will ever happen again.
  TrueTime next() const { return queue_.next(); }

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
  const Contender& contender(NodeIndex node) const { return nodes_[node].contender; }
  std::size_t node_count() const { return nodes_.size(); }
  std::vector<std::string> unfired() const { return plan_.unfired(); }

 private:
  friend class WorldFaultPort;
  struct ActiveFault {
    Firing firing;
    Sequence began = 0;
  };

  // Dispatch: each says whether the entry was still valid.
  bool dispatch(const QueueEntry& entry);
  bool on_timer(const QueueEntry& entry);
  bool on_work(const QueueEntry& entry);
  bool on_request_timeout(const QueueEntry& entry);
  bool on_reply(const QueueEntry& entry);
  bool on_store_event(const QueueEntry& entry);
  void on_request(const QueueEntry& entry);
  void on_write(const QueueEntry& entry);
  bool on_lease_end(const QueueEntry& entry);
  void on_faults_due();
  void on_fault_end(const QueueEntry& entry);

  void hand(NodeIndex index, const Input& input, Sequence cause);
  void apply(NodeIndex index, const Effects& effects);
  void on_notify(NodeIndex index, const MutexState& state);
  void arm(NodeIndex index, Timer timer, Duration delay);
  void send(NodeIndex index, const Request& request);
  static void remember(Node& node, const Request& request);
  void answer(NodeIndex index, const Reply& reply, std::uint32_t life, Sequence cause);
  void publish(const StoreEvent& message, Sequence cause);
  void watch_lease(std::uint32_t mutex);
  void run_work(std::uint32_t work, WorkInput input);
  void began_compute(NodeIndex node);
  void begin(const std::vector<Firing>& firings);
  void resume(NodeIndex index);
  void tell(NodeIndex index, Due what);
  void crash(NodeIndex index);
  void restart(NodeIndex index);
  void move_store_clock(Duration by);

  Sequence emit(EventKind kind, Name node, std::uint32_t mutex, Sequence cause, std::uint8_t detail = 0,
                Token token = kNoToken, std::int64_t a = 0, std::int64_t b = 0);
  bool lost(RandomStream& stream) { return stream.chance_ppm(facts_->loss_ppm); }
  TrueTime arrival(Link& link);
  NodeIndex node_of(Name name) const { return facts_->node_of_name[name.handle]; }
  std::uint32_t resources_per_node() const { return static_cast<std::uint32_t>(facts_->write_latency.size()); }

  std::shared_ptr<const WorldFacts> facts_;
  EventQueue queue_;
  MessagePool pool_;
  std::vector<Node> nodes_;
  std::vector<Work> works_;  // by node, then by resource table
  std::vector<Resource> resources_;
  RedisModel server_;
  SkewedClock<ServerTime> server_clock_;
  std::vector<TimerSlot> lease_watch_;  // by mutex
  std::vector<Sequence> last_grant_;    // by mutex: the event that granted or renewed
  FaultPlan plan_;
  std::vector<ActiveFault> active_faults_;
  DispatchedInput input_;
  std::vector<Event> events_;
  TrueTime now_{};
  std::uint64_t inputs_ = 0;
  Sequence sequence_ = 0;
  Sequence dispatch_cause_ = 0;
  bool protocol_ = false;
};

}  // namespace leasescope
