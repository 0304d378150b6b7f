#include "core/cas/contender.h"

namespace leasescope {

// Whether the register is free, or its lease over; and if not, when it may be.
CasContender::Judged CasContender::judge(const Reply& reply, std::uint8_t cell, Clocks now) {
  using As = Judged::As;
  if (static_cast<CellMode>(reply.answer & ~kLeaseOver) == CellMode::kFree) return {As::kFree, {}};
  if (is_own_trace(reply, cell)) return {As::kOver, {}};
  switch (terms_.stamp) {
    case Stamp::kClient: {
      const Duration left = reply.remaining - now.wall.time_since_epoch();
      return {left <= Duration::zero() ? As::kOver : As::kBusy, left};
    }
    case Stamp::kServer: {
      const bool over = (reply.answer & kLeaseOver) != 0;
      const bool dated = terms_.wait == CasTerms::Wait::kDeadline;
      return {over ? As::kOver : As::kBusy, dated ? reply.remaining - now.wall.time_since_epoch() : reply.remaining};
    }
    case Stamp::kVersion: {
      // From the answer on, not from the question: until it left the store the version may have been a new one. And a
      // margin longer, for its own clock may be the faster one.
      Sight& sight = sights_[cell];
      if (sight.version != reply.number) sight = {reply.number, now.steady};
      const Duration left = reply.remaining + margin() - (now.steady - sight.since);
      return {left <= Duration::zero() ? As::kOver : As::kBusy, left};
    }
  }
  return {};
}

bool CasContender::is_own_trace(const Reply& reply, std::uint8_t cell) const {
  if (!trace_.any || trace_.cell != cell || reply.owner != setting_.id) return false;
  return reply.token == trace_.token || reply.number == trace_.version;
}

Duration CasContender::margin() const { return lease_margin(setting_.lease); }

}  // namespace leasescope
