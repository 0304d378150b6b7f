// The way from a private server to its replica: a fault proxy between the two, so that it has the lag a scenario says,
// and can be cut.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "simulator/live/fault_proxy.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// Whether a fault of its plan needs one.
bool needs_replica(const Scenario& scenario);

class Replication {
 public:
  Replication(Loop& loop, const Endpoint& leader, Duration lag);

  tl::expected<void, std::string> open();
  // Where the replica finds its leader, once open.
  const Endpoint& endpoint() const { return endpoint_; }
  // What the leader does from now on comes later by the lag. Not before time 0, for which a run sets its loop's clock
  // back: what is under way by then would be as much later.
  void begin();
  // Nothing arrives, until it is healed as often as it was cut; then all does, at once.
  void cut() { proxy_.clog(LinkDirection::kFromStore); }
  void heal() { proxy_.unclog(LinkDirection::kFromStore); }
  // What is under way or held is lost, and the connection ends: its leader is no more.
  void lose() { proxy_.reset(); }
  // Whoever connects from now on finds another leader.
  void lead_from(const Endpoint& leader) { proxy_.lead_to(leader); }

 private:
  Duration lag_;
  FaultProxy proxy_;
  Endpoint endpoint_;
};

}  // namespace leasescope
