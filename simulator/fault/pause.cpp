#include "simulator/fault/kinds.h"

namespace leasescope::faults {
namespace {

bool clocks_stand(const FaultCall& call) { return call.values[0] == 1; }

}  // namespace

// A garbage collection, or with clocks that stand the migration of a virtual machine. Virtual: the node's inputs are
// kept and handed over afterwards. Live: the contender's timers and replies are held back; its sockets stay open.
FaultKind pause() {
  FaultKind kind;
  kind.name = "pause";
  kind.about = "the contender takes no input for a while; its clocks run on, or stand";
  kind.began = "{who} pauses for {for}";
  kind.ended = "{who} resumes";
  kind.disturbs = Disturbs::kPauses;
  kind.band = BandKind::kPause;
  kind.keys = {{"clock", FaultKeyType::kWord, {"runs", "stands"}, false}};
  kind.lasts = true;
  kind.during_compute = true;
  kind.may_overlap = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) {
    world.pause(call.node);
    if (clocks_stand(call)) world.stop_clocks(call.node);
  };
  // The clocks first: a compute under way counts as finished, which is for the end of the pause to say.
  kind.end = [](FaultPort& world, const FaultCall& call) {
    if (clocks_stand(call)) world.run_clocks(call.node);
    world.resume(call.node);
  };
  return kind;
}

}  // namespace leasescope::faults
