// What a store did to a lease, as a call on it.
#pragma once
#include <optional>

#include "core/check/call.h"
#include "core/history/event.h"

namespace leasescope::check {

// Granted, renewed, released, expired; nothing of other events.
std::optional<Operation> grant_operation(EventKind kind);

// It took effect between the bounds of its event. `lease`: for how long it was granted or renewed. Whose it is and of
// which lock is left to the caller. Nothing of other events.
std::optional<Call> grant_call(EventKind kind, Moment from, Moment to, std::int64_t lease);

}  // namespace leasescope::check
