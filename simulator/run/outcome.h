// What a run came to, in either world: what `run --json` prints and the status bar shows.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/history/history.h"
#include "simulator/run/legality.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

struct Outcome {
  std::string scenario;
  std::uint64_t seed = 0;
  std::string store;  // "model:redis", "redis", "redis://…" without its password
  std::string world;  // "virtual" or "live"
  Duration simulated{};
  Duration wall{};
  bool measured = true;                     // else, of a part of a recording, `wall` and `events` are not known
  std::optional<TrueTime> forked_at;        // from then on under other settings
  std::uint64_t events = 0;                 // inputs dispatched
  std::optional<std::uint64_t> trace_hash;  // none in the live world
  Summary summary;
  std::optional<LegalVerdict> legal;  // of its calls; none before its end
  std::optional<bool> as_expected;
  std::vector<std::string> reasons;  // why not
  std::string not_judged;            // why there is no verdict: "stopped", "contender.0.count below 3"
};

enum class RunEnd : std::uint8_t {
  kWhole,    // the scenario's own end
  kStopped,  // before it
  kForked,   // its own end, but from some moment on under other values than those that the expectations are of
};

// Judges by the scenario's expectations, those without fencing where it is off, and only when the scenario and its end
// are those that they speak of. `unfired`: faults that never found their target; the run is then not as expected.
void judge(Outcome& outcome, const Scenario& scenario, const std::vector<std::string>& unfired,
           RunEnd end = RunEnd::kWhole);

// "as expected", "as expected in what was observed", "not as expected" or "not judged: stopped".
std::string verdict_text(const Outcome& outcome);

}  // namespace leasescope
