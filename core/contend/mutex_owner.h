// Who owns a mutex, as one contender was last told. A ttl has ended at its last moment, a transition after it.
#pragma once
#include "core/base/name.h"
#include "core/base/token.h"
#include "core/time/clock.h"

namespace leasescope {

// Deadlines are on the wall clock of whoever was told; every predicate takes the moment to judge by.
struct MutexOwner {
  Name owner;
  WallTime acquired_at{};
  WallTime ttl_at = WallTime::max();
  WallTime transition_at = WallTime::max();
  Token token = kNoToken;

  static MutexOwner none() { return {Name{}, WallTime{}, WallTime{}, WallTime{}, kNoToken}; }

  // By id only: no time check. The empty owner is "owned" by the empty id.
  bool is_owner(Name id) const { return owner == id; }
  bool is_in_ttl(WallTime now) const { return ttl_at > now; }
  bool is_in_ttl(Name id, WallTime now) const { return is_owner(id) && is_in_ttl(now); }
  bool is_in_transition(WallTime now) const { return transition_at >= now; }
  bool is_in_transition_of(Name id, WallTime now) const { return is_owner(id) && is_in_transition(now); }
  bool has_owner(WallTime now) const { return transition_at >= now; }
};

}  // namespace leasescope
