// One run of a scenario in virtual time, with its history in memory: what the window and `run` drive.
#pragma once
#include <memory>
#include <optional>

#include <tl/expected.hpp>

#include "core/history/history.h"
#include "simulator/run/outcome.h"
#include "simulator/run/snapshot_terms.h"

namespace leasescope {

class VirtualRun {
 public:
  // With snapshots, the playhead can be moved.
  explicit VirtualRun(const Scenario& scenario, std::optional<SnapshotTerms> snapshots = std::nullopt);
  ~VirtualRun();

  // Dispatches inputs up to `until` (clamped to the scenario's length), but at most `most_inputs` of them. False once
  // the run has ended.
  bool advance(TrueTime until, std::uint64_t most_inputs = UINT64_MAX);
  // Dispatches exactly one input; false at the end.
  bool step();
  // Ends the run here: closes what is open.
  void finish();
  // Comes to just before `at`, and goes on from there under `changed`: what happened before stays. The error says what
  // cannot change (simulator/run/fork.h); the run has then come to just before `at`.
  tl::expected<void, std::string> fork(TrueTime at, const Scenario& changed);
  // The events so far are no longer held, but for the last so many: who asked for them has written them elsewhere.
  void forget_events(std::size_t but_last = 0);

  // Whether it could have gone on from `at`, by now(), under `changed`.
  tl::expected<void, std::string> may_fork(TrueTime at, const Scenario& changed) const;

  // ---- the playhead: a moment of what was run. At the newest unless it was moved, and again when the run goes on.
  TrueTime playhead() const;
  void seek(TrueTime at);
  // To the input before, and to the next one that was run; false at the beginning and at the newest.
  bool step_back();
  bool step_forward();
  // Of all that has happened up to there: the same whichever way it was come to.
  std::uint64_t trace_hash_at_playhead();

  bool finished() const;
  TrueTime now() const;  // covered up to here
  const History& history() const;
  const Scenario& scenario() const;
  Outcome outcome() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace leasescope
