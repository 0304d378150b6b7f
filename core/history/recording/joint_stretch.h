// One stretch as several observers tell of it.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "core/history/recording/observed_account.h"

namespace leasescope {

class JointStretch {
 public:
  JointStretch(const ToldStretch& told, std::size_t observer);

  // Takes that in, where it is the same one; false: it is another, or nobody can tell.
  bool take(const ToldStretch& told, std::size_t observer);
  bool is_by(std::size_t observer) const;
  // Of one that has no end: it was over by `hi`, and lasted at `lo` yet.
  void end_between(TrueTime lo, TrueTime hi);
  // What those next to it say: it was over by then, or did not begin before.
  void is_over_by(TrueTime hi);
  void begins_after(TrueTime lo);
  // Its events in their order, each within its bounds.
  std::vector<Event> events() const;

  ToldStretch told;  // without what was said again

 private:
  void take_begin(const ToldStretch& of);
  void take_end(const std::optional<Event>& end);
  void take_again(const std::vector<Event>& events);

  std::vector<Event> again_;  // by their `hi`; no two observers' that may be the same
  std::vector<std::size_t> observers_;
};

}  // namespace leasescope
