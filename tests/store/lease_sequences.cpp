#include "tests/store/lease_sequences.h"

#include <fmt/format.h>

#include "core/base/random_stream.h"

namespace leasescope::tests {
namespace {

using What = LeaseStep::What;
using Meant = LeaseStep::Meant;

What drawn_call(RandomStream& draws) {
  constexpr What kCalls[] = {What::kAcquire, What::kAcquire, What::kAcquire, What::kGuard, What::kGuard,
                             What::kRelease, What::kRelease, What::kPass,    What::kCrash};
  const What call = kCalls[draws.below(9)];
  // A crash is rarer than a call.
  return call == What::kCrash && draws.below(2) == 0 ? What::kAcquire : call;
}

Meant drawn_term(RandomStream& draws) {
  const std::uint64_t draw = draws.below(10);
  return draw < 6 ? Meant::kLatest : draw < 8 ? Meant::kEarlier : draw < 9 ? Meant::kAsBefore : Meant::kNone;
}

}  // namespace

LeaseSequence lease_sequence(std::uint64_t seed) {
  RandomStream draws(seed, "lease", "sequence");
  LeaseSequence out;
  out.seed = seed;
  out.clients = static_cast<std::uint8_t>(2 + draws.below(4));
  out.mutexes = static_cast<std::uint8_t>(2 + draws.below(2));
  out.fenced = draws.below(2) == 0;
  const std::uint64_t length = 8 + draws.below(10);
  // A queue goes by whole seconds, whose beginnings the model does not know.
  if (RandomStream(seed, "lease", "wake-up").below(2) == 0) out.wake_up = WakeUp::kHandOver;
  int passes = 0;
  while (out.steps.size() < length) {
    LeaseStep step;
    step.what = drawn_call(draws);
    step.client = static_cast<std::uint8_t>(draws.below(out.clients));
    step.mutex = static_cast<std::uint8_t>(draws.below(out.mutexes));
    step.brief = draws.below(3) == 0;
    step.meant = drawn_term(draws);
    // Each takes real time, that all sequences of a batch wait for together.
    if (step.what == What::kPass && ++passes > 2) step.what = What::kAcquire;
    out.steps.push_back(step);
  }
  return out;
}

std::string text(const LeaseStep& step) {
  constexpr const char* kCalls[] = {"acquires", "guards", "releases", "", ""};
  constexpr const char* kTerms[] = {"its latest term", "an earlier term", "the term it named before", "no term"};
  if (step.what == What::kPass) return "time passes";
  if (step.what == What::kCrash) return fmt::format("client {} begins another life", step.client);
  const bool names_term = step.what != What::kAcquire;
  return fmt::format("client {} {} mutex {}{}{}{}", step.client, kCalls[static_cast<int>(step.what)], step.mutex,
                     names_term ? ", naming " : "", names_term ? kTerms[static_cast<int>(step.meant)] : "",
                     step.what != What::kRelease && step.brief ? ", briefly" : "");
}

}  // namespace leasescope::tests
