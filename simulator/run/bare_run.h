// A run that keeps only its hash, its incidents and its summary: what the bench, a sweep and a swarm need.
#pragma once
#include <memory>

#include "core/history/checkers.h"
#include "simulator/engine/world.h"

namespace leasescope {

class BareRun {
 public:
  explicit BareRun(const Scenario& scenario);

  // Dispatches up to `until`, without looking at the scenario's own length.
  void advance(TrueTime until);
  // Dispatches `inputs` more, or fewer when nothing is due any more.
  void dispatch(std::uint64_t inputs);

  std::uint64_t inputs() const { return world_.inputs(); }
  std::uint64_t protocol_inputs() const { return protocol_inputs_; }
  std::uint64_t trace_hash() const { return hash_.digest(); }
  const Checkers& checkers() const { return checkers_; }
  const World& world() const { return world_; }

 private:
  bool step(TrueTime until);

  World world_;
  TraceHash hash_;
  Checkers checkers_;
  std::uint64_t protocol_inputs_ = 0;
};

}  // namespace leasescope
