// The register of lanes: one line each, by its file in ui/timeline/lanes/. Who stands further down is painted over who
// stands above, and is what a pointer meets first.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#define LEASESCOPE_LANES(LANE)        \
  LANE(Ground, ground)                \
  LANE(NotSeen, not_seen)             \
  LANE(IncidentTints, incident_tints) \
  LANE(ClockSeams, clock_seams)       \
  LANE(Bands, bands)                  \
  LANE(Rims, rims)                    \
  LANE(Held, held)                    \
  LANE(Beside, beside)                \
  LANE(Votes, votes)                  \
  LANE(Believed, believed)            \
  LANE(HoldCounts, hold_counts)       \
  LANE(Queue, queue)                  \
  LANE(Sessions, sessions)            \
  LANE(InUse, in_use)                 \
  LANE(Leaderless, leaderless)        \
  LANE(Messages, messages)            \
  LANE(Attempts, attempts)            \
  LANE(Lives, lives)                  \
  LANE(Writes, writes)                \
  LANE(Refusals, refusals)            \
  LANE(Requests, requests)            \
  LANE(Notifications, notifications)  \
  LANE(Thefts, thefts)                \
  LANE(Transfers, transfers)          \
  LANE(Incidents, incidents)          \
  LANE(Folds, folds)

namespace leasescope {

enum class LaneKind : std::uint8_t {
#define LEASESCOPE_ENUMERATOR(Name, name) k##Name,
  LEASESCOPE_LANES(LEASESCOPE_ENUMERATOR)
#undef LEASESCOPE_ENUMERATOR
      kNone
};

// Of a lane by its kind: "hold_counts".
inline constexpr std::array kLaneNames{
#define LEASESCOPE_LANE_NAME(Name, name) std::string_view(#name),
    LEASESCOPE_LANES(LEASESCOPE_LANE_NAME)
#undef LEASESCOPE_LANE_NAME
};

class Lane;
using Lanes = std::vector<std::unique_ptr<Lane>>;
// One of each, in their order: by LaneKind.
Lanes make_lanes();

}  // namespace leasescope
