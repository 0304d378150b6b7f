#include "core/observe/past_watch.h"

#include <algorithm>

#include <fmt/format.h>

namespace leasescope {
namespace {

// It held already when it was first looked at.
bool was_met_held(const MutexOwnership& of, const OwnedStretch& stretch) {
  const auto& gaps = of.unobserved();
  return std::any_of(gaps.begin(), gaps.end(), [&](const UnobservedStretch& gap) {
    return gap.begin <= stretch.begin_lo && stretch.begin_lo <= gap.end && gap.end <= stretch.begin_hi;
  });
}

std::string named(const std::vector<std::string>& owners, std::string_view between) {
  std::string out;
  for (const std::string& each : owners) out += (out.empty() ? "" : std::string(between)) + each;
  return out;
}

}  // namespace

void PastWatch::append(const History& seen) {
  if (all_ == nullptr) all_ = std::make_unique<Ownerships>(seen.legend);
  for (taken_ = std::max(taken_, seen.forgotten); taken_ < seen.last(); ++taken_)
    all_->append(seen.event(taken_ + 1), seen.names);
  for (; placed_ < all_->all().size(); ++placed_)
    places_.emplace(seen.names.text(all_->all()[placed_].mutex()), placed_);
}

const MutexOwnership* PastWatch::of(const WatchedMutex& mutex) const {
  const auto found = places_.find(mutex.shown);
  return found == places_.end() ? nullptr : &all_->all()[found->second];
}

WatchedRow past_row(const MutexOwnership* of, const NameTable& names, TrueTime at) {
  WatchedRow out;
  if (of == nullptr) return out;
  const MutexOwnership::Moment then = of->at(at);
  for (const OwnedStretch* each : then.surely) out.holders.emplace_back(names.text(each->owner));
  out.held = static_cast<std::uint32_t>(out.holders.size());
  if (!then.surely.empty()) {
    Sighting seen;
    if (out.held > 1)
      share(seen, out.holders);
    else
      seen.owner = out.holders.front();
    out.owner = owner_text(seen);
    const OwnedStretch& first = *then.surely.front();
    if (out.held == 1) out.token = first.token;
    out.lasts_least = at - first.begin_hi;
    if (!was_met_held(*of, first)) out.lasts_most = at - first.begin_lo;
  } else if (!then.perhaps.empty()) {
    for (const OwnedStretch* each : then.perhaps) out.holders.emplace_back(names.text(each->owner));
    out.owner = "perhaps " + named(out.holders, " or ");
  }
  const bool known = then.unobserved == nullptr && of->met() && *of->met() <= at;
  if (known && !then.surely.empty())
    out.state = WatchState::kHeld;
  else if (known && then.perhaps.empty())
    out.state = WatchState::kFree;
  return out;
}

}  // namespace leasescope
