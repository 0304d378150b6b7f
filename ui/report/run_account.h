// What a report in words has of a run's events, beside its chart: one pass over them, so that nobody has to hold them
// all. What was found in the run, and who is in it, is known before.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "core/alerts/alert_engine.h"
#include "core/history/ownership.h"
#include "ui/models/contender_tallies.h"
#include "ui/report/told_stories.h"

namespace leasescope {

// All of a history but its events: a letter of a later contender stands in sentences of what was before, so names and
// incidents are those of the end.
History frame_of(const History& history);

class RunAccount {
 public:
  struct Of {
    History frame;  // of the end; of its incidents the worst are told
    Cast cast;      // that knows everybody
    std::vector<AlertRule> rules{};
    bool watched = false;            // who owned what is told of a watch
    std::function<bool()> wanted{};  // asked before each story; none: it always is
  };
  explicit RunAccount(Of of);
  RunAccount(const RunAccount&) = delete;  // the stories refer to its cast
  RunAccount& operator=(const RunAccount&) = delete;

  // All events in their order; those it has had may be forgotten, but for the last that are looked back at.
  void append(const History& history);
  // No more come.
  void finish();

  const Cast& cast() const { return cast_; }
  const ContenderTallies& contenders() const { return contenders_; }
  const Ownerships* owners() const { return owners_ ? &*owners_ : nullptr; }   // null: it was no watch
  const AlertEngine* alerts() const { return alerts_ ? &*alerts_ : nullptr; }  // null: without rules
  const StoryTeller& stories() const { return stories_; }

 private:
  NameTable names_;
  TrueTime now_{};
  Cast cast_;
  ContenderTallies contenders_;
  std::optional<Ownerships> owners_;
  std::optional<AlertEngine> alerts_;
  StoryTeller stories_;
  Sequence read_ = 0;  // by those two
};

}  // namespace leasescope
