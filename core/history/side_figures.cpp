#include "core/history/side_figures.h"

#include <algorithm>

#include "core/history/figures.h"
#include "core/history/measures/gap.h"
#include "core/time/wide.h"

namespace leasescope {

SeenLength median_of(const Lengths& lengths) {
  if (lengths.kept() == 0) return {};
  const Duration median = percentiles_of(lengths.values()).p50;
  return {median, lengths.known(lengths.nearest(median))};
}

SeenLength longest_of(const Lengths& lengths) {
  if (lengths.kept() == 0) return {};
  return {lengths.longest(), lengths.known(lengths.nearest(lengths.longest()))};
}

void SideFigures::append(Sequence last) {
  for (seen_ = std::max(seen_, history_.forgotten); seen_ < last; ++seen_) take(history_.event(seen_ + 1));
}

void SideFigures::take(const Event& event) {
  if (event.kind == EventKind::kGranted)
    if (const std::optional<Gap> gap = gap_before(event, standing_)) {
      gaps_.add(gap->length, event.at());
      if (gap->handed_off) handoffs_.add(gap->length, event.at());
    }
  if (event.kind == EventKind::kAttempt)
    requests_.add(event.at(), static_cast<AttemptResult>(event.detail) >= AttemptResult::kFailed);
  if (event.kind == EventKind::kRenewed && !first_renewal_) first_renewal_ = event.at();
  if (const std::optional<Duration> trip = round_trips_.take(event)) trips_.add(*trip, event.at());
  standing_.append(event, history_.names);
}

SeenLength SideFigures::round_trip() const {
  return trips_.kept() > 0 ? median_of(trips_) : SeenLength{history_.legend.store.round_trip, std::nullopt};
}

std::uint64_t SideFigures::requests_per_kilosecond() const {
  const std::int64_t ns = history_.now.time_since_epoch().count();
  if (ns <= 0) return 0;
  return static_cast<std::uint64_t>(static_cast<Int128>(requests_.count()) * 1'000'000'000'000 / ns);
}

std::optional<TrueTime> SideFigures::busiest() const {
  const std::vector<Rate::Stretch>& all = requests_.stretches();
  const auto most =
      std::max_element(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.all < y.all; });
  if (most == all.end()) return std::nullopt;
  return TrueTime{} + requests_.width() * (most - all.begin()) + requests_.width() / 2;
}

std::optional<TrueTime> SideFigures::first_incident(IncidentKind kind) const {
  for (const Incident& incident : history_.incidents)
    if (incident.kind == kind) return incident.start;
  return std::nullopt;
}

}  // namespace leasescope
