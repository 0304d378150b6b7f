// The live world of one run: contenders, their links through the fault proxy, resources, the fault plan, the record.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/contend/driver/driver.h"
#include "core/history/recorder.h"
#include "core/loop/one_shot.h"
#include "simulator/fault/plan.h"
#include "simulator/live/error_words.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/live_book.h"
#include "simulator/live/live_names.h"
#include "simulator/live/replication.h"
#include "simulator/live/server_clocks.h"
#include "simulator/live/server_control.h"
#include "simulator/model/resource.h"

namespace leasescope {

// Whether its plan acts on the network, or makes another server lead: else contenders reach the store without a proxy
// in between.
bool needs_proxies(const Scenario& scenario);

class LiveWorld final : public DriverHost, public FaultPort, public Roles {
 public:
  // `store`: where the server is reached; `given`: others may use it too.
  // `server`: what faults of the server are done to; null where it is not ours.
  LiveWorld(Loop& loop, const Scenario& scenario, const StoreUrl& store, const std::string& store_name, bool given,
            ServerControl* server = nullptr);

  // Makes the contenders, and a way to its leader for a replica.
  tl::expected<void, std::string> open();
  // Makes the next one's link and begins to connect it; false once all have begun. Errors are for people.
  tl::expected<bool, std::string> connect_next();
  std::size_t connected() const;  // how many are
  std::size_t contenders() const { return nodes_.size(); }
  std::string trouble() const;  // why not all

  // Where the server's replica finds its leader, once open; null where it needs none.
  const Endpoint* way_to_leader() const { return replication_ == nullptr ? nullptr : &replication_->endpoint(); }

  // Time 0.
  void begin();
  // The history ends here; nothing is recorded from now on.
  void close(TrueTime end);
  // Stops the waiters or the owners, without a record; settled() when they have.
  void wind_up(bool owners);
  bool settled() const;
  // The replica has taken over: whoever connects from now on is led there, and what led before is to follow it.
  void lead_to(const Endpoint& leader);
  // The server's clock shows by now what was asked for first of what was not done.
  void clock_is_set(std::size_t which);
  // Every connection ends. A write of the last moment may be under way still: nobody is there to hear what it came to.
  void leave() {
    write_timer_.cancel();
    nodes_.clear();
  }

  Recorder& recorder() { return recorder_; }
  const Recorder& recorder() const { return recorder_; }
  std::uint64_t dispatches() const { return dispatches_; }
  std::vector<std::string> unfired() const { return plan_.unfired(); }

  // FaultPort
  void pause(NodeIndex node) override { nodes_[node]->pause(); }
  void resume(NodeIndex node) override { nodes_[node]->resume(); }
  void cut(NodeIndex node, LinkDirection direction) override;
  void heal(NodeIndex node, LinkDirection direction) override;
  void step_clock(NodeIndex node, Duration by) override { nodes_[node]->step_wall_clock(by); }
  void stop_clocks(NodeIndex node) override;
  void run_clocks(NodeIndex node) override;
  void starve(NodeIndex node) override { nodes_[node]->starve(); }
  void feed(NodeIndex node) override { nodes_[node]->feed(); }
  void speed_clock(NodeIndex node, ClockOf which, std::int32_t ppm) override;
  void step_store_clock(Duration by) override { clocks_.step(acting_store_, by); }
  void speed_store_clock(std::int32_t ppm) override;
  void clog(NodeIndex node, LinkDirection direction) override;
  void unclog(NodeIndex node, LinkDirection direction) override;
  void delay_writes(NodeIndex node, Duration by) override { troubles_[node].late_writes += by; }
  void delay_callbacks(NodeIndex node, Duration by) override;
  void crash_store() override;
  void restore_store() override;
  void freeze_store() override { server_->freeze(acting_store_); }
  void thaw_store() override { server_->thaw(acting_store_); }
  void disturb_store(Disturbance what) override;
  void stall_row(std::uint64_t fault) override { server_->stall(first_mutex(), fault); }
  void unstall_row(std::uint64_t fault) override { server_->let_go(fault); }
  void trouble(NodeIndex node, LinkDirection direction, const LinkTrouble& by, std::uint64_t fault) override;
  void untrouble(NodeIndex node, LinkDirection direction, std::uint64_t fault) override;
  void half_open(NodeIndex node) override;
  void close_half_open(NodeIndex node) override;
  void mute(NodeIndex node) override;
  void unmute(NodeIndex node) override;
  void delay_messages(NodeIndex node, Duration by) override;
  void delay_requests(NodeIndex node, Duration by) override;
  void start(NodeIndex node) override { nodes_[node]->start(acting_row_); }
  void stop(NodeIndex node) override { nodes_[node]->stop(acting_row_); }
  void crash(NodeIndex node) override { nodes_[node]->crash(); }
  void restart(NodeIndex node) override { nodes_[node]->restart(); }

  // Roles
  NodeIndex owner() const override;
  bool contends(NodeIndex node) const override;
  bool store_runs() const override { return crashes_.front() == 0; }

  // DriverHost
  Sequence record(const Event& event) override;
  void dispatched() override { ++dispatches_; }
  std::unique_ptr<Store> make_store(Driver& node, StoreListener& listener) override;
  void sending(Driver& node, const Request& request, Sequence cause) override;
  Sequence replied(Driver& node, const Reply& reply, TrueTime sent, TrueTime received) override;
  void heard(Driver& node, const StoreEvent& event, TrueTime received) override;
  Name said(std::string_view error) override;
  void abandoned(Driver& node) override;
  void computing(Driver& node) override;
  void write(Driver& node, std::uint32_t resource, std::uint32_t number, Token token, Sequence cause) override;
  void handed(int row, bool taken) override;

 private:
  struct LinkToxics {
    std::vector<std::shared_ptr<Toxic>> of_requests, of_messages;
  };
  struct Lane {  // to one server; the proxies are null where no fault needs them
    std::unique_ptr<FaultProxy> requests;
    std::unique_ptr<FaultProxy> messages;
    StoreRoute route;
    std::map<std::uint64_t, std::vector<LinkToxics>> troubles;  // by their fault, each beginning of it
  };
  using Link = std::vector<Lane>;  // a contender's, by server
  // What is wrong with a contender, beside what its driver and its link know themselves.
  struct Trouble {
    std::int32_t own_wall_ppm = 0, own_steady_ppm = 0;
    std::int32_t wall_ppm = 0, steady_ppm = 0;  // beside
    int stopped_clocks = 0;
    Duration late_writes{};
    Duration late_callbacks{};
  };
  struct Fault {
    Firing firing;
    Sequence began = 0;
    TrueTime ends{};
    std::uint32_t ticks = 0;
    std::unique_ptr<OneShot> acts;
  };
  struct Mutex {
    Mutex(Loop& loop, std::unique_ptr<LiveBook> held) : book(std::move(held)), due(loop) {}
    std::unique_ptr<LiveBook> book;
    OneShot due;  // when time alone changes what it knows
  };
  struct Write {
    NodeIndex writer = 0;
    std::uint32_t table = 0;   // of the resource
    std::uint32_t number = 0;  // of the writer's
    Token token = kNoToken;
    Sequence cause = 0;
    Duration way{};         // the answer takes as long
    bool answered = false;  // this is the answer
  };

  tl::expected<void, std::string> add_mutexes();
  tl::expected<void, std::string> add_contenders();
  tl::expected<void, std::string> add_replication();
  tl::expected<void, std::string> add_link(NodeIndex node);
  tl::expected<Lane, std::string> proxied_lane(NodeIndex node, const Endpoint& server);
  Link& proxied(NodeIndex node);
  void for_proxies(NodeIndex node, const std::function<void(FaultProxy&)>& act);
  void trouble(Lane& lane, NodeIndex node, LinkDirection direction, const LinkTrouble& by, std::uint64_t fault);
  void on_lost(NodeIndex node, std::string_view message);
  void watch(std::uint32_t mutex);
  void deliver_writes();
  void deliver(const Write& write);
  void begin_faults(const std::vector<Firing>& firings);
  Sequence record_fault(EventKind kind, const Firing& firing, Sequence cause);
  void end_fault(const Fault& fault);
  void plan_next();
  void fail_over();
  void clock_asked(std::size_t which, Duration by);
  void record_clock(std::size_t which, TrueTime since, Duration by, std::int32_t ppm);
  void change_rates(NodeIndex node);
  void act_later(Fault& fault);
  std::string first_mutex() const { return wire_name(scenario_, scenario_.mutex_names().front(), given_); }
  NodeIndex node_of(Name name) const;

  Loop* loop_;
  Scenario scenario_;
  StoreUrl store_;
  std::vector<StoreUrl> servers_;  // of it, each as if it were alone; one where it is one store to its contenders
  bool given_;
  Recorder recorder_;
  LiveNames names_;
  ErrorWords errors_;
  std::vector<Name> store_names_;  // by server
  FaultPlan plan_;
  OneShot plan_timer_;
  std::vector<std::unique_ptr<OneShot>> timers_;  // starts and ends of faults
  std::vector<std::unique_ptr<Fault>> faults_;    // that have begun and last
  std::vector<Trouble> troubles_;                 // by node
  ServerControl* server_;
  std::vector<int> crashes_;    // by server
  bool another_leads_ = false;  // when the fault that ends now has ended
  ServerClocks clocks_;
  int last_toxic_ = 0;
  std::shared_ptr<Resolver> resolver_;
  std::unique_ptr<Replication> replication_;  // null where no fault needs a replica
  std::optional<Endpoint> leader_;            // once it is another than the one that the run began with
  std::vector<Link> links_;
  std::vector<std::unique_ptr<Mutex>> mutexes_;
  std::vector<Name> mutex_names_;
  std::vector<Resource> resources_;        // by mutex, then by table
  std::multimap<TrueTime, Write> writes_;  // on their way
  OneShot write_timer_;
  std::vector<std::unique_ptr<Driver>> nodes_;
  int acting_row_ = -1;            // of the plan, while that row begins
  std::uint8_t acting_store_ = 0;  // which server what is done to one is done to
  std::uint64_t dispatches_ = 0;
  bool recording_ = false;
};

}  // namespace leasescope
