// Copies of a run along its way, so that it can be brought to any of its moments: the nearest one, then replay.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "simulator/run/bare_run.h"
#include "simulator/run/snapshot_terms.h"

namespace leasescope {

// A value. A copy shares the snapshots themselves, which nobody changes.
class Snapshots {
 public:
  explicit Snapshots(const BareRun& beginning, SnapshotTerms terms = {});

  // Copies the run if it has come to where the next one is due. Called after every input, or slice of them.
  void keep(const BareRun& run) {
    if (run.inputs() >= due_) add(run, false);
  }
  // As BareRun::advance, and keeps what is due.
  std::uint64_t advance(BareRun& run, TrueTime until, std::uint64_t most = UINT64_MAX);

  // Brings `run` forth or back: everything due by `at` has happened, and nothing later. It may be any moment of the run
  // these snapshots are of; beyond what was ever run it runs on.
  void seek(BareRun& run, TrueTime at);
  // To where so many inputs have been dispatched; fewer when no more ever come by `until`.
  void seek_input(BareRun& run, std::uint64_t inputs, TrueTime until = TrueTime::max());
  // One input back; false at the beginning. Further steps from there are cheap.
  bool step_back(BareRun& run);

  // Of `forked`, a moment of this run that goes on differently: shares the past, and forgets what came after.
  Snapshots fork(const BareRun& forked) const;

  std::size_t size() const { return kept_.size(); }
  std::size_t bytes() const { return bytes_; }
  std::uint64_t spacing() const { return terms_.spacing; }

 private:
  struct Kept {
    std::shared_ptr<const BareRun> run;
    bool fork = false;  // what lies before goes on differently, so it stays
  };

  void add(const BareRun& run, bool fork);
  void thin_out();
  void weigh();
  const BareRun* nearest(const BareRun& run, bool run_is_before, std::size_t before) const;

  SnapshotTerms terms_;
  std::vector<Kept> kept_;        // by their inputs
  std::optional<BareRun> close_;  // shortly before where step_back was last
  std::uint64_t due_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace leasescope
