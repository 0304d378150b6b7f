// The generations of Simba as a table of what each does differently; the protocol asks for a trait, never for a name.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/store/port.h"

namespace leasescope {

// The generations people run; each is faithful with its weaknesses, the default is the 4.x wire made firm. 3.0 is 3.0.2
// to 3.1.0 with one schedule: that each `released` it hears begins one more, which outlives a stop, is left out.
enum class Behaviour : std::uint8_t { kLeasescope, k4x, k31, k30 };

struct Generation {
  // What a renewal that fails leads to.
  enum class Failure : std::uint8_t {
    kTriesOn,         // while the lease lasts
    kStepsDown,       // at once, and tries again after a ttl
    kEndsItsSchedule  // and believes on
  };
  // What the message that somebody released leads to.
  enum class Wake : std::uint8_t { kAsks, kPlans, kAcquires };
  // When the application is told of a stop.
  enum class Farewell : std::uint8_t {
    kFirst,      // before anything is released
    kAfterward,  // by the executor, once the store has answered
    kByCaller,   // likewise, on the thread of whoever stops it
    kIfFreed     // likewise, and only where the release went well
  };

  std::string_view name;
  Wire wire;  // which calls it makes

  // What the default adds to 4.x.
  bool compares_clock = false;         // its checks and answers do, and a margin is kept before the deadline
  bool names_its_term = false;         // guard and release are for that; renewals count from the moment of sending
  bool lease_outlives_belief = false;  // after the watchdog or a failure the next call is a guard
  bool stops_work_first = false;       // before it releases, renewing meanwhile
  bool messages_are_hints = false;     // it asks the store; it needs no channel to start
  bool belief_is_prompt = false;       // only the callbacks wait for the executor
  bool retries_soon = false;           // within a second, however long the ttl
  bool polls_endless_lease = false;    // of another, once a ttl

  // What came with 3.2 and later.
  bool watchdog = false;         // and the deadline counts from the moment of sending
  bool renews_by_reply = false;  // what it last heard of the store decides between guard and acquire, not the belief
  bool close_is_quiet = false;   // no complaint when nothing runs; a close while it starts waits for that
  bool knows_own_message = false;

  bool one_by_one = true;             // callbacks; else all that wait at once
  bool callback_blocks_stop = false;  // a running one holds its lock
  bool outlives_stop = false;         // what waits for the executor, and what it believes
  bool guards_for_ttl = false;        // a renewal is for the ttl alone
  bool wake_up_is_lost = false;       // while a call is in flight
  Failure failure = Failure::kTriesOn;
  Wake wake = Wake::kAsks;
  Farewell farewell = Farewell::kFirst;
};

inline constexpr std::array<Generation, 4> kGenerations = [] {
  Generation ours;
  ours.name = "leasescope";
  ours.wire = Wire::kTerm;
  ours.compares_clock = ours.names_its_term = ours.lease_outlives_belief = ours.stops_work_first = true;
  ours.messages_are_hints = ours.belief_is_prompt = ours.retries_soon = ours.polls_endless_lease = true;
  ours.watchdog = ours.renews_by_reply = ours.close_is_quiet = ours.knows_own_message = true;
  ours.one_by_one = false;

  Generation v4;
  v4.name = "4.x";
  v4.wire = Wire::kFenced;
  v4.watchdog = v4.renews_by_reply = v4.close_is_quiet = v4.knows_own_message = true;
  v4.farewell = Generation::Farewell::kAfterward;

  Generation v31;
  v31.name = "3.1";
  v31.wire = Wire::kTokenless;
  v31.callback_blocks_stop = v31.wake_up_is_lost = true;
  v31.failure = Generation::Failure::kStepsDown;
  v31.wake = Generation::Wake::kPlans;
  v31.farewell = Generation::Farewell::kByCaller;

  Generation v30;
  v30.name = "3.0";
  v30.wire = Wire::kTokenless;
  v30.one_by_one = false;
  v30.outlives_stop = v30.guards_for_ttl = true;
  v30.failure = Generation::Failure::kEndsItsSchedule;
  v30.wake = Generation::Wake::kAcquires;
  v30.farewell = Generation::Farewell::kIfFreed;
  return std::array<Generation, 4>{ours, v4, v31, v30};
}();

inline const Generation& generation(Behaviour behaviour) { return kGenerations[static_cast<std::size_t>(behaviour)]; }
inline std::string_view text(Behaviour behaviour) { return generation(behaviour).name; }  // "leasescope", "4.x"
tl::expected<Behaviour, std::string> parse_behaviour(std::string_view text);

}  // namespace leasescope
