// Random sequences of calls of nodes, of a few clients of one or two latches, that a model and its server are to answer
// alike.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace leasescope::tests {

struct NodeStep {
  enum class What : std::uint8_t {
    kCreate,
    kChildren,      // of its latest node
    kChildrenWord,  // of a word it may have used
    kLookOwn,
    kLookBefore,  // at the node before its own, as it was told last
    kWatchBefore,
    kDeleteOwn,
    kDeleteBefore,
    kHeartbeat,
    kClose,
    kCrash,  // the client stands still, and gives no sign of life until its next step, with which it comes back
    kPass,   // until the sessions of those are over; the server may be killed and started again meanwhile
  };

  What what = What::kCreate;
  std::uint8_t client = 0;
  std::uint8_t word = 1;
};

struct NodeSequence {
  std::uint64_t seed = 0;
  std::uint8_t clients = 2;
  std::uint8_t mutexes = 1;  // client i is of mutex i modulo that
  std::vector<NodeStep> steps;
};

// A client without a session opens one by its step, whatever that says.
NodeSequence node_sequence(std::uint64_t seed);
std::string text(const NodeStep& step);

}  // namespace leasescope::tests
