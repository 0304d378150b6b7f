#include "tests/store/node_sequences.h"

#include <fmt/format.h>

#include "core/base/random_stream.h"

namespace leasescope::tests {
namespace {

using What = NodeStep::What;

What drawn_step(RandomStream& draws) {
  constexpr What kSteps[] = {What::kCreate,    What::kCreate,     What::kCreate,       What::kCreate,
                             What::kChildren,  What::kChildren,   What::kChildren,     What::kChildrenWord,
                             What::kLookOwn,   What::kLookBefore, What::kWatchBefore,  What::kWatchBefore,
                             What::kDeleteOwn, What::kDeleteOwn,  What::kDeleteBefore, What::kHeartbeat,
                             What::kHeartbeat, What::kClose,      What::kCrash,        What::kPass};
  return kSteps[draws.below(std::size(kSteps))];
}

}  // namespace

NodeSequence node_sequence(std::uint64_t seed) {
  RandomStream draws(seed, "nodes", "sequence");
  NodeSequence out;
  out.seed = seed;
  out.clients = static_cast<std::uint8_t>(2 + draws.below(4));
  out.mutexes = static_cast<std::uint8_t>(1 + draws.below(2));
  const std::uint64_t length = 10 + draws.below(14);
  bool passed = false;
  while (out.steps.size() < length) {
    NodeStep step;
    step.what = drawn_step(draws);
    step.client = static_cast<std::uint8_t>(draws.below(out.clients));
    step.word = static_cast<std::uint8_t>(1 + draws.below(2));
    // Each takes real time, that all sequences of a batch wait for together.
    if (step.what == What::kPass && passed) step.what = What::kHeartbeat;
    passed = passed || step.what == What::kPass;
    out.steps.push_back(step);
  }
  return out;
}

std::string text(const NodeStep& step) {
  constexpr const char* kSteps[] = {"makes a node",
                                    "asks for the children, by its number",
                                    "asks for the children, by its word",
                                    "looks at its node",
                                    "looks at the node before",
                                    "watches the node before",
                                    "deletes its node",
                                    "deletes the node before",
                                    "gives a sign of life",
                                    "closes its session",
                                    "stands still",
                                    ""};
  if (step.what == What::kPass) return "time passes";
  return fmt::format("client {} {} ({})", step.client, kSteps[static_cast<int>(step.what)], step.word);
}

}  // namespace leasescope::tests
