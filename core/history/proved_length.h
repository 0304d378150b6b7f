// How long an owner is proved to have owned, of what is known between bounds, and of what was not observed.
#pragma once
#include <optional>

#include "core/history/ownership.h"

namespace leasescope {

struct ProvedLength {
  Duration length{};
  bool at_least = false;         // it may have been longer
  std::optional<TrueTime> dark;  // it lasted when its store fell silent, then, and nobody looked any more
};

// Of one of that mutex's; the history is known until `now`.
ProvedLength proved_length(const MutexOwnership& mutex, const OwnedStretch& of, TrueTime now);

}  // namespace leasescope
