// Of a history only what is reported: what came in a stretch of it, of some of its mutexes, and what that comes to.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/history/chosen_mutexes.h"
#include "simulator/run/outcome.h"
#include "simulator/run/stretch.h"
#include "ui/models/watch_account.h"

namespace leasescope {

struct WantedPart {
  std::optional<std::pair<TrueTime, TrueTime>> stretch{};  // none: all of it
  std::vector<std::string> mutexes{};  // as `replay --mutex` has them: '*' and '?' as in a shell; none: all of them

  bool all() const { return !stretch && mutexes.empty(); }
};

// The same as `leasescopectl replay --from --to --mutex` makes of a recording of it.
class ReportedPart {
 public:
  // `frame`: names and legend, and how many events are not there; the scenario outlives it.
  ReportedPart(WantedPart wanted, const std::string& world, const Scenario& scenario, const History& frame);

  const WantedPart& wanted() const { return wanted_; }
  // Events came, from that place on: those that are not wanted are let go of. What was before the stretch stays, as who
  // owned what at its begin follows from that.
  void take(History& history, std::size_t from);
  // All of them have, and it was known until `history.now`: its incidents, its summary and what it came to are those of
  // the part.
  void finish(History& history, Outcome& outcome);
  // Of what was told of alerts what is about stores, and about these mutexes.
  void choose(WatchAccount& account, const NameTable& names) const;

 private:
  const WantedPart wanted_;
  ChosenMutexes chosen_;
  const TrueTime from_, to_;
  const Sequence first_;
  Stretch stretch_;
};

}  // namespace leasescope
