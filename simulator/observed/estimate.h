// What the observed use of a mutex comes to: the values of a scenario that would be used like it. Each has how many
// observations it comes from; what has none is not there.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "simulator/observed/observed_use.h"
#include "simulator/observed/sample.h"

namespace leasescope {

// What is known beside the history, where a watch goes on.
struct ObservedFacts {
  std::optional<Duration> transition;   // as the store keeps it
  std::optional<Duration> longest;      // lease that was seen from its beginning on
  std::size_t waiters = 0;              // at the last look
  std::vector<Duration> round_trips{};  // of the observer's own questions
};

enum class LeaseKnown : std::uint8_t { kNot, kInTheMiddle, kWhole };
enum class SplitKnown : std::uint8_t { kNot, kByRenewals, kByStore };

struct EstimatedLease {
  Duration ttl{}, transition{};
  LeaseKnown lease = LeaseKnown::kNot;
  SplitKnown split = SplitKnown::kNot;
  std::size_t leases = 0;  // that were seen, from their grant or a renewal on
  bool bounded = false;    // the split is as near to what is known as a contender can still renew in time
  Duration not_taken{};    // the transition that the store keeps, where no more than that was seen of the lease
};

// A renewal came so much later than usual: its owner stood still, or could not reach its store. How long that lasted
// before the renewal was due nobody sees.
struct ObservedPause {
  TrueTime at{};  // when the renewal was due
  Duration length{};
};

struct Estimate {
  EstimatedLease lease;
  Sample renewals;         // from one to the next, those between which none was unseen
  std::size_t unsure = 0;  // likewise, those between which one may have been unseen
  Duration late{};         // from so much more than usual on a renewal is late
  std::vector<ObservedPause> pauses;
  Sample pause_lengths;

  Sample holding;                  // from the grant to the release, of those of which both were seen
  Sample gaps;                     // from a release to the next grant
  std::vector<TrueTime> released;  // by when, each
  std::vector<TrueTime> granted;   // ... and then granted anew; max(): it was not
  std::size_t ran_out = 0, handoffs = 0;

  std::optional<FittedDelay> latency;  // one way
  Sample answers;                      // that it comes from
  bool answers_are_ways = false;       // else round trips
  SeenBy by = SeenBy::kWatch;          // ... of the observer's questions, or of the contenders' renewals

  std::size_t contenders = 0;
  std::vector<Name> named;
  bool shared = false;
  TrueTime from{};    // the range's beginning
  Duration length{};  // ... and how long it is
};

Estimate estimate(const ObservedUse& use, const ObservedFacts& facts = {});

}  // namespace leasescope
