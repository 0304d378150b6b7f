// How closely the virtual world foretells the live one: what is measured of runs in either, as their contenders saw it,
// and how far apart the two distributions are.
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/history/history.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

// The two-sample Kolmogorov-Smirnov distance: the most by which the shares of values up to some value differ, from 0 to
// 1. Neither may be empty.
double kolmogorov_smirnov(std::vector<double> a, std::vector<double> b);
// The shortest value that at least that share (from 0 to 1) is not above. `sorted` is, and is not empty.
double quantile(const std::vector<double>& sorted, double share);

class FidelitySamples {
 public:
  enum class Measure : std::uint8_t {
    kHandoff,    // ms: from when an owner that gave it back believes no more until the next believes
    kGap,        // ms: likewise, however its belief ended
    kOverlap,    // ms: more than one believes
    kRoundTrip,  // ms: of a guard that renewed its lease, from its contender and back; of latches, which have none, of
                 // a sign of life. Of the other systems nothing
    kRequests,   // a second, of all contenders of a run: calls that were answered, or given up; of those who keep a
                 // session: attempts, and what opens the session or is a sign of life in it
  };
  static constexpr std::size_t kMeasures = 5;
  static constexpr std::array<double, 6> kShares{0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

  // A live run that has ended, with all its events.
  void add_live(const History& history, const Scenario& scenario);
  // Runs it in virtual time, to its end.
  void add_virtual(const Scenario& scenario);

  std::size_t runs() const { return of(Measure::kRequests).size(); }
  const std::vector<double>& of(Measure what) const { return values_[static_cast<std::size_t>(what)]; }
  // ms: of the hand-offs those whose owner had no write under way. Who has gives back a write later, which is not the
  // store's doing.
  const std::vector<double>& idle_handoffs() const { return idle_handoffs_; }

 private:
  void add(const History& history);
  void put(Measure what, double value) { values_[static_cast<std::size_t>(what)].push_back(value); }

  std::array<std::vector<double>, kMeasures> values_;
  std::vector<double> idle_handoffs_;
};

std::string_view name_of(FidelitySamples::Measure what);  // "hand-off"
std::string_view unit_of(FidelitySamples::Measure what);  // "ms"

// How long the calls of a live run took that its store answered by renewing: what it did lies between the moments it
// was asked and heard at.
std::vector<Duration> round_trips_of(const History& history);
// One way of such a round trip, so that two that are drawn apart are distributed much as it is. At least one value.
Distribution one_way_of(const std::vector<Duration>& round_trips);

// `scenario` without its faults, in which the owner is stopped in good order every other lease, at moments drawn by the
// seed: a calm run, by which a store is measured.
Scenario calm(const Scenario& scenario);
// What `store.tells_after` has to be for the hand-offs of such calm runs of `scenario` to take as long as the live ones
// did (ms; those whose owner was idle). None where the store tells nothing, where there was no hand-off, and where
// `goes_on`, which is asked before every run of it in virtual time, says no.
std::optional<Distribution> tells_after_of(Scenario scenario, std::vector<double> handoffs,
                                           const std::function<bool()>& goes_on);

}  // namespace leasescope
