// What a run came to, in either world: what `run --json` prints and the status bar shows.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/history/history.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

struct Outcome {
  std::string scenario;
  std::uint64_t seed = 0;
  std::string store;  // "model:redis", "redis", "redis://…" without its password
  std::string world;  // "virtual" or "live"
  Duration simulated{};
  Duration wall{};
  std::optional<TrueTime> forked_at;        // from then on under other settings
  std::uint64_t events = 0;                 // inputs dispatched
  std::optional<std::uint64_t> trace_hash;  // none in the live world
  Summary summary;
  std::optional<bool> as_expected;
  std::vector<std::string> reasons;  // why not
};

// Judges by the scenario's expectations, those without fencing where it is off. `unfired`: faults that never found
// their target; the run is then not as expected.
void judge(Outcome& outcome, const Scenario& scenario, const std::vector<std::string>& unfired);

}  // namespace leasescope
