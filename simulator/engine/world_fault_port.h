// What faults can do to the virtual world.
#pragma once
#include "simulator/engine/world.h"

namespace leasescope {

class WorldFaultPort final : public FaultPort {
 public:
  explicit WorldFaultPort(World& world) : world_(world) {}

  void pause(NodeIndex node) override { ++world_.nodes_[node].pauses; }
  void resume(NodeIndex node) override;
  void cut(NodeIndex node, LinkDirection direction) override;
  void heal(NodeIndex node, LinkDirection direction) override;
  void step_clock(NodeIndex node, Duration by) override;
  void step_store_clock(Duration by) override { world_.move_store_clock(by); }
  void mute(NodeIndex node) override { ++world_.nodes_[node].mutes; }
  void unmute(NodeIndex node) override { --world_.nodes_[node].mutes; }
  void start(NodeIndex node) override { world_.tell(node, Due::kStart); }
  void stop(NodeIndex node) override { world_.tell(node, Due::kStop); }
  void crash(NodeIndex node) override { world_.crash(node); }
  void restart(NodeIndex node) override { world_.restart(node); }

 private:
  World& world_;
};

}  // namespace leasescope
