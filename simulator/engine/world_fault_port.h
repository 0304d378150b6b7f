// What faults can do to the virtual world.
#pragma once
#include "simulator/engine/world.h"

namespace leasescope {

class WorldFaultPort final : public FaultPort {
 public:
  // `store`: which of several servers what is done to one is done to.
  WorldFaultPort(World& world, std::uint8_t store) : world_(world), store_(store) {}

  void pause(NodeIndex node) override { world_.nodes_[node].pause(); }
  void resume(NodeIndex node) override;
  void stop_clocks(NodeIndex node) override;
  void run_clocks(NodeIndex node) override;
  void starve(NodeIndex node) override { world_.nodes_[node].starve(); }
  void feed(NodeIndex node) override;
  void step_clock(NodeIndex node, Duration by) override;
  void speed_clock(NodeIndex node, ClockOf which, std::int32_t ppm) override;

  void cut(NodeIndex node, LinkDirection direction) override;
  void heal(NodeIndex node, LinkDirection direction) override;
  void clog(NodeIndex node, LinkDirection direction) override;
  void unclog(NodeIndex node, LinkDirection direction) override;
  void trouble(NodeIndex node, LinkDirection direction, const LinkTrouble& by, std::uint64_t fault) override;
  void untrouble(NodeIndex node, LinkDirection direction, std::uint64_t fault) override;
  void mute(NodeIndex node) override { ++world_.disturbed(node).mutes; }
  void unmute(NodeIndex node) override { --world_.disturbed(node).mutes; }
  void delay_messages(NodeIndex node, Duration by) override { world_.disturbed(node).late_messages += by; }
  void half_open(NodeIndex node) override;
  void close_half_open(NodeIndex node) override;
  void delay_writes(NodeIndex node, Duration by) override { world_.disturbed(node).late_writes += by; }
  void delay_requests(NodeIndex node, Duration by) override { world_.disturbed(node).late_requests += by; }
  void delay_callbacks(NodeIndex node, Duration by) override;
  void take_connections(NodeIndex node, std::int32_t count) override;

  void start(NodeIndex node) override { world_.tell(node, Due::kStart); }
  void stop(NodeIndex node) override { world_.tell(node, Due::kStop); }
  void crash(NodeIndex node) override;
  void restart(NodeIndex node) override { world_.restart(node, node); }
  void restart_as(NodeIndex node, NodeIndex other) override { world_.restart(node, other); }

  void step_store_clock(Duration by) override { world_.change_store_clock(store(), by, 0); }
  void speed_store_clock(std::int32_t ppm) override { world_.change_store_clock(store(), Duration::zero(), ppm); }
  void crash_store() override { world_.crash_store(store()); }
  void restore_store() override { world_.restore_store(store()); }
  void freeze_store() override { ++store().freezes; }
  void thaw_store() override { world_.thaw_store(store()); }
  void slow_store(Duration by) override { store().service += by; }
  void disturb_store(Disturbance what) override { world_.disturb_model(store(), what); }
  void stall_row(std::uint64_t fault) override;
  void unstall_row(std::uint64_t fault) override;

 private:
  Server& store() { return world_.servers_[store_]; }
  // A direction of the link and what goes with it: the messages come from the store.
  template <class Change>
  void for_ways(NodeIndex node, LinkDirection direction, Change change) {
    Disturbed& wrong = world_.disturbed(node);
    if (direction != LinkDirection::kFromStore) change(wrong.way(Way::kUp), Way::kUp);
    if (direction == LinkDirection::kToStore) return;
    change(wrong.way(Way::kDown), Way::kDown);
    change(wrong.way(Way::kMessages), Way::kMessages);
  }

  World& world_;
  std::uint8_t store_;
};

}  // namespace leasescope
