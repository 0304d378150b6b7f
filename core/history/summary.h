// The summary fields of a run, as `run --json` prints them and expectations name them.
#pragma once
#include <array>
#include <cstdint>

#include "core/history/incident.h"

namespace leasescope {

struct Summary {
  std::uint64_t contenders = 0;    // of ours
  std::uint64_t acquisitions = 0;  // grants to ours
  std::uint64_t renewals = 0;      // successful ones
  std::uint64_t handoffs = 0;      // grants to another than the previous owner
  Duration leaderless{};           // nobody holds, from the first grant to the end; summed over mutexes
  Duration unobserved{};           // the store did not tell; summed over mutexes
  Duration belief_overlap{};       // length of the union of overlaps; summed over mutexes
  std::uint64_t double_grants = 0;
  std::uint64_t stale_writes_rejected = 0;
  std::uint64_t stale_writes_accepted = 0;
  std::uint64_t tokenless_writes_refused = 0;  // none of the stale ones: nobody can say how old they are
  std::uint64_t late_releases_refused = 0;     // of another term than the one that their contender had by then
  std::uint64_t fence_regressions = 0;
  std::uint64_t transfers = 0;             // credited, of those at a bank
  std::uint64_t transfers_duplicated = 0;  // credits beyond the first
  std::uint64_t transfers_lost = 0;        // passed over, and credited neither before nor since
  std::uint64_t illegal_mutexes = 0;  // whose calls have no order that the model of their system allows (core/check)
  std::array<std::uint64_t, kIncidentKinds> incidents{};  // by IncidentKind
};

}  // namespace leasescope
