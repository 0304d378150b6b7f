// What a fault can do to a world. Both worlds offer it, so that a fault is written once.
#pragma once
#include <cstdint>

#include "core/time/clock.h"

namespace leasescope {

// A contender's place in the fleet, from 0.
using NodeIndex = std::uint32_t;

enum class LinkDirection : std::uint8_t { kBoth, kToStore, kFromStore };

class FaultPort {
 public:
  virtual ~FaultPort() = default;

  // The contender takes no input until resumed; its clocks run on.
  virtual void pause(NodeIndex node) = 0;
  virtual void resume(NodeIndex node) = 0;
  // The way between the contender and the store; packets are held up for ever, connections stay open.
  virtual void cut(NodeIndex node, LinkDirection direction) = 0;
  virtual void heal(NodeIndex node, LinkDirection direction) = 0;
  virtual void step_clock(NodeIndex node, Duration by) = 0;
  virtual void step_store_clock(Duration by) = 0;  // virtual world only
  // Messages the store publishes do not reach the contender; its requests and replies do.
  virtual void mute(NodeIndex node) = 0;
  virtual void unmute(NodeIndex node) = 0;

  // Steps of the plan.
  virtual void start(NodeIndex node) = 0;
  virtual void stop(NodeIndex node) = 0;
  virtual void crash(NodeIndex node) = 0;
  virtual void restart(NodeIndex node) = 0;
};

}  // namespace leasescope
