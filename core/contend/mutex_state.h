// The change a notification brings: the owner before and after.
#pragma once
#include "core/contend/mutex_owner.h"

namespace leasescope {

struct MutexState {
  MutexOwner before = MutexOwner::none();
  MutexOwner after = MutexOwner::none();

  // To a contender that is told of itself alone: it owns from now on, or owns no more.
  static MutexState of_self(bool owns, const MutexOwner& self) {
    return owns ? MutexState{MutexOwner::none(), self} : MutexState{self, MutexOwner::none()};
  }

  // Ids only: a renewal is never a change.
  bool is_changed() const { return !before.is_owner(after.owner); }
  bool is_acquired(Name id) const { return is_changed() && after.is_owner(id); }
  bool is_released(Name id) const { return is_changed() && before.is_owner(id); }
  bool is_owner(Name id) const { return after.is_owner(id); }
  bool is_in_ttl(Name id, WallTime now) const { return after.is_in_ttl(id, now); }
};

}  // namespace leasescope
