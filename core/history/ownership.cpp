#include "core/history/ownership.h"

#include <algorithm>

namespace leasescope {

std::string_view text(OwnedStretch::End end) {
  switch (end) {
    case OwnedStretch::End::kReleased:
      return "released";
    case OwnedStretch::End::kExpired:
      return "expired";
    case OwnedStretch::End::kTaken:
      return "taken over";
    case OwnedStretch::End::kLasts:
      break;
  }
  return "";
}

void MutexOwnership::append(const Event& event, const Change& change, const Standing& standing) {
  if (event.mutex != mutex_ && !event.mutex.empty()) return;
  if (!met_ && event.mutex == mutex_) met_ = event.hi;
  const bool dark = event.kind == EventKind::kUnobservedBegan, seen = event.kind == EventKind::kUnobservedEnded;
  if (dark || seen) {
    if (standing.place_of(event.node) != Standing::kNone) return;  // a contender's own
    const bool lasts = !unobserved_.empty() && unobserved_.back().lasts();
    if (dark && !lasts) unobserved_.push_back({event.lo, TrueTime::max()});
    if (seen && lasts) unobserved_.back().end = event.hi;
    return;
  }
  switch (change.hold) {
    case Change::Hold::kGranted:
    case Change::Hold::kTakenUp:
      for (const std::uint32_t each : standing.displaced())
        end(standing.contender(each).name, event, OwnedStretch::End::kTaken);
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

void MutexOwnership::end(Name owner, const Event& event, OwnedStretch::End how) {
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

void MutexOwnership::forget_what_is_over() {
  const auto over = [](const auto& each) { return !each.lasts(); };
  owned_.erase(std::remove_if(owned_.begin(), owned_.end(), over), owned_.end());
  unobserved_.erase(std::remove_if(unobserved_.begin(), unobserved_.end(), over), unobserved_.end());
}

MutexOwnership::Moment MutexOwnership::at(TrueTime at) const {
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
    none_.append(event, change, standing_);
    for (MutexOwnership& each : all_) each.append(event, change, standing_);
    return;
  }
  const auto [place, is_new] = places_.try_emplace(event.mutex.handle, all_.size());
  if (is_new) all_.emplace_back(event.mutex).take_over(none_);
  all_[place->second].append(event, change, standing_);
}

}  // namespace leasescope
