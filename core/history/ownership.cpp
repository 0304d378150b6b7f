#include "core/history/ownership.h"

#include <algorithm>

namespace leasescope {

void Ownership::append(const Event& event, const NameTable& names) {
  take(event, standing_.append(event, names), standing_);
}

void Ownership::take(const Event& event, const Change& change, const Standing& everybody) {
  if (event.mutex != mutex_ && !event.mutex.empty()) return;
  if (!met_ && event.mutex == mutex_) met_ = event.hi;
  const bool dark = event.kind == EventKind::kUnobservedBegan, seen = event.kind == EventKind::kUnobservedEnded;
  if (dark || seen) {
    if (everybody.place_of(event.node) != Standing::kNone) return;  // a contender's own
    const bool lasts = !unobserved_.empty() && unobserved_.back().end == TrueTime::max();
    if (dark && !lasts) unobserved_.push_back({event.lo, TrueTime::max()});
    if (seen && lasts) unobserved_.back().end = event.hi;
    return;
  }
  switch (change.hold) {
    case Change::Hold::kGranted:
    case Change::Hold::kTakenUp:
      for (const std::uint32_t each : everybody.displaced())
        end(everybody.contender(each).name, event, OwnedStretch::End::kTaken);
      owned_.push_back({event.node, event.token, event.lo, event.hi});
      break;
    case Change::Hold::kEnded:
      end(event.node, event,
          event.kind == EventKind::kExpired ? OwnedStretch::End::kExpired : OwnedStretch::End::kReleased);
      break;
    default:
      break;
  }
}

void Ownership::end(Name owner, const Event& event, OwnedStretch::End how) {
  const auto is = [&](const OwnedStretch& each) {
    const bool tokens = event.token != kNoToken && each.token != kNoToken && how != OwnedStretch::End::kTaken;
    return each.lasts() && each.owner == owner && (!tokens || event.token == each.token);
  };
  const auto last = std::find_if(owned_.rbegin(), owned_.rend(), is);
  if (last == owned_.rend()) return;
  last->end_lo = event.lo;
  last->end_hi = event.hi;
  last->end = how;
}

Ownership::Moment Ownership::at(TrueTime at) const {
  Moment out;
  for (const UnobservedStretch& each : unobserved_)
    if (each.begin <= at && at < each.end) out.unobserved = &each;
  for (const OwnedStretch& each : owned_) {
    if (each.begin_lo > at || each.end_hi <= at) continue;
    (each.begin_hi <= at && at < each.end_lo ? out.surely : out.perhaps).push_back(&each);
  }
  return out;
}

void Ownerships::append(const Event& event, const NameTable& names) {
  const Change change = standing_.append(event, names);
  if (event.mutex.empty()) {
    for (Ownership& each : all_) each.take(event, change, standing_);
    return;
  }
  const auto [place, is_new] = places_.try_emplace(event.mutex.handle, all_.size());
  if (is_new) all_.emplace_back(legend_, event.mutex);
  all_[place->second].take(event, change, standing_);
}

}  // namespace leasescope
