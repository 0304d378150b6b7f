// A stretch of a run that was recorded: what had come of it by its end, less what had come of it before.
#pragma once
#include <optional>
#include <string>

#include "core/history/checkers.h"
#include "core/history/figures.h"
#include "core/history/history.h"
#include "core/history/history_header.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// Why a part has no verdict: "a part of a run, from 1.2 to 3.4 s"; of all its mutexes, or of some.
std::string part_words(bool all_mutexes, TrueTime from, TrueTime to);

class Stretch {
 public:
  // `frame`: names and legend of the history. What was before its first event counts as not being there.
  Stretch(const HistoryHeader& header, const Scenario& scenario, const History& frame, TrueTime from);
  Stretch(const Stretch&) = delete;  // the checkers point into the names
  Stretch& operator=(const Stretch&) = delete;

  // The next events, in their order, from the first of the run on.
  void append(const History& history);
  // It ends at `to`: its incidents are those that were not over when it began.
  void finish(TrueTime to);

  const Figures& figures() const { return figures_; }
  const Summary& summary() const { return summary_; }
  const IncidentList& incidents() const { return incidents_; }

 private:
  void begin();

  const HistoryHeader header_;
  const Scenario& scenario_;
  const NameTable names_;
  Checkers checkers_;
  Figures figures_;
  TrueTime from_;
  Sequence seen_ = 0;
  bool forked_ = false;
  std::optional<Summary> before_;  // once it has begun
  Summary summary_;
  IncidentList incidents_;
};

}  // namespace leasescope
