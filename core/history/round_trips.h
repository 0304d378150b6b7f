// How long a live store took to answer: of a call that renewed, from when it was asked until it was heard. What the
// store did lies between those two moments, and they are all that is known of it.
#pragma once
#include <optional>

#include "core/history/event.h"

namespace leasescope {

// Events in order, one after another.
class RoundTrips {
 public:
  // The length that this event tells of; none of any other, and none in virtual time, where the moment itself is known.
  std::optional<Duration> take(const Event& event) {
    const bool renews = event.kind == EventKind::kRenewed || event.kind == EventKind::kSessionRenewed;
    if (!renews || event.hi <= event.lo) return std::nullopt;
    // Of who holds by its session, one call renews both, and both are told.
    const bool same = last_ && last_->node == event.node && last_->lo == event.lo && last_->hi == event.hi;
    last_ = event;
    if (same) return std::nullopt;
    return event.hi - event.lo;
  }

 private:
  std::optional<Event> last_;
};

}  // namespace leasescope
