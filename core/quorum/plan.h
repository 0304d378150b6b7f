// What a scenario says of each contender of a quorum lock.
#pragma once
#include "core/base/describe.h"
#include "core/quorum/priority.h"
#include "core/time/clock.h"

namespace leasescope {

struct QuorumPlan {
  int priority = kUsualPriority;
  Duration hold = std::chrono::milliseconds(500);
  Duration rest = std::chrono::seconds(1);
  Duration acknowledge{};  // its own delay
  Duration limit{};
  Duration ttl{};
  int handles = 1;

  std::uint32_t entries() const { return static_cast<std::uint32_t>(handles); }

  template <class Keys>
  static void describe(Keys& keys) {
    constexpr int kMostPriority = 1'000'000;
    constexpr int kMostHandles = 9;
    keys.number("priority", &QuorumPlan::priority, -kMostPriority, kMostPriority,
                "it steals from whom has a lower one");
    keys.span("hold", &QuorumPlan::hold, Duration::zero(), "it holds for so long; 0s: as long as it can");
    keys.span("rest", &QuorumPlan::rest, Duration::zero(), "it rests for so long before it asks again");
    keys.span("acknowledge", &QuorumPlan::acknowledge, Duration::zero(),
              "so long after it let go it tells its thief so");
    keys.span("limit", &QuorumPlan::limit, Duration::zero(), "it gives up asking after so long; 0s: never");
    keys.span("ttl", &QuorumPlan::ttl, Duration::zero(), "of its own locks; 0s: the mutex's");
    keys.number("handles", &QuorumPlan::handles, 1, kMostHandles, "so often it enters, and leaves");
  }
  bool operator==(const QuorumPlan&) const = default;
};

}  // namespace leasescope
