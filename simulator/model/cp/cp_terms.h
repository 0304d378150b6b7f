// What a scenario says about a CP group, [store.cp].
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/describe.h"
#include "core/store/port.h"
#include "core/time/clock.h"
#include "simulator/fault/port.h"

namespace leasescope {

struct CpTerms {
  static constexpr std::string_view kName = "cp";
  static constexpr bool carries(Family family) { return family == Family::kSession; }
  static constexpr bool suffers(Disturbance what) {
    return what == Disturbance::kLeaderLost || what == Disturbance::kCloseSession;
  }
  using Model = class CpModel;

  Duration commit = std::chrono::microseconds(300);  // from the leader's log to a majority's
  Duration check = std::chrono::seconds(1);          // how often the leader looks for sessions that have expired
  Duration heartbeat{};                              // of sessions; zero: a tenth of the ttl
  Duration election = std::chrono::seconds(1);       // without a leader
  Duration
      lock_delay{};  // nobody is granted for so long after a holder's session has ended otherwise than by its close
  int limit = 0;     // so often one holder may enter; zero: without bound

  std::uint32_t most_entries() const { return limit == 0 ? UINT32_MAX : static_cast<std::uint32_t>(limit); }

  template <class Keys>
  static void describe(Keys& keys) {
    constexpr int kMost = 1000;
    const Duration least = std::chrono::microseconds(1);
    keys.span("commit", &CpTerms::commit, Duration::zero(), "from the leader's log to a majority's");
    keys.span("check", &CpTerms::check, least, "how often the leader looks for sessions that have expired");
    keys.span("heartbeat", &CpTerms::heartbeat, Duration::zero(), "of sessions; 0s: a tenth of the ttl");
    keys.span("election", &CpTerms::election, Duration::zero(), "how long there is no leader after one was lost");
    keys.span("lock_delay", &CpTerms::lock_delay, Duration::zero(),
              "nobody is granted for so long after a holder's session was not closed but ended");
    keys.number("limit", &CpTerms::limit, 0, kMost, "how often one holder may enter; 0: without bound");
  }
  bool operator==(const CpTerms&) const = default;
};

}  // namespace leasescope
