// What one of two histories that are compared comes to beside its summary, each with the moment at which it is seen.
#pragma once
#include <optional>

#include "core/history/history.h"
#include "core/history/measures/measured.h"
#include "core/history/round_trips.h"
#include "core/history/standing.h"

namespace leasescope {

// A length and by when it was known; of a median that of the one nearest to it. No moment where there is no such
// length.
struct SeenLength {
  Duration length{};
  std::optional<TrueTime> at;
};
SeenLength median_of(const Lengths& lengths);
SeenLength longest_of(const Lengths& lengths);

class SideFigures {
 public:
  // The history stays where it is, and as it is.
  explicit SideFigures(const History& history) : history_(history), standing_(history.legend) {}

  // The events after those before, up to that number.
  void append(Sequence last);

  const Lengths& handoffs() const { return handoffs_; }  // from a release to another's grant
  const Lengths& gaps() const { return gaps_; }          // nobody held, until the next grant
  // Of the store: as measured by its renewals; in virtual time, or without any, the model's own, which has no moment.
  SeenLength round_trip() const;
  // Calls that were answered, or given up, in thousandths of one a second.
  std::uint64_t requests_per_kilosecond() const;
  // The middle of the stretch with the most of them.
  std::optional<TrueTime> busiest() const;
  std::optional<TrueTime> first_renewal() const { return first_renewal_; }
  // When the first incident of that kind began.
  std::optional<TrueTime> first_incident(IncidentKind kind) const;

 private:
  void take(const Event& event);

  const History& history_;
  Standing standing_;
  Sequence seen_ = 0;
  Lengths handoffs_, gaps_, trips_;
  Rate requests_;
  RoundTrips round_trips_;
  std::optional<TrueTime> first_renewal_;
};

}  // namespace leasescope
