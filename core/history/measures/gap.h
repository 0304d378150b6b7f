// How long nobody held a mutex before a grant of it.
#pragma once
#include <optional>

#include "core/history/standing.h"

namespace leasescope {

struct Gap {
  Duration length{};
  bool handed_off = false;  // by a release, to another
};

// Before `grant`, which `standing` has not taken in yet; none where somebody holds, and before the first.
inline std::optional<Gap> gap_before(const Event& grant, const Standing& standing) {
  const Standing::Mutex* const of = standing.mutex(grant.mutex);
  if (of == nullptr || !of->ever_granted() || !of->free()) return std::nullopt;
  return Gap{std::max(Duration::zero(), Duration(grant.at() - of->free_since)),
             of->released && of->ended != standing.place_of(grant.node)};
}

}  // namespace leasescope
