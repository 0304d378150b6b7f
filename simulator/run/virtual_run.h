// One run of a scenario in virtual time, with its history in memory: what the window and `run` drive.
#pragma once
#include <memory>

#include <tl/expected.hpp>

#include "core/history/history.h"
#include "simulator/run/outcome.h"

namespace leasescope {

class VirtualRun {
 public:
  explicit VirtualRun(const Scenario& scenario);
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
  // The events so far are no longer held: who asked for them has written them elsewhere.
  void forget_events();

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
