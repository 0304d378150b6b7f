// Until when a watch has seen all that its mutexes did: what it would have to say if it were to end just now.
#pragma once
#include "core/time/clock.h"

namespace leasescope {

// Of each mutex it may be later.
struct KnownUntil {
  TrueTime ours{};
  TrueTime foreign{};  // those of other makers, of which nobody tells and which are looked at more seldom
};

}  // namespace leasescope
