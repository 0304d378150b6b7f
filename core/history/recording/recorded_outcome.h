// What a run came to beside its history, as it is kept in a recording: as the run itself said it, so that nobody who
// reads it judges anew by rules of another version.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/history/recording/facts.h"

namespace leasescope {

struct RecordedOutcome {
  std::int64_t simulated_ns = 0;
  std::int64_t wall_ns = 0;
  std::uint64_t inputs = 0;                 // dispatched
  std::optional<std::uint64_t> trace_hash;  // none in the live world
  std::optional<std::int64_t> forked_at_ns;
  std::optional<bool> as_expected;
  std::vector<std::string> reasons;  // why not
  std::string not_judged;            // why there is no verdict

  // What the model of its system says of its calls.
  struct Legality {
    std::string model;  // by its word
    std::uint32_t n = 0;
    std::int64_t eps_ns = 0;
    std::uint64_t calls = 0;
    std::uint64_t illegal = 0;    // mutexes
    std::uint64_t undecided = 0;  // likewise
    std::int64_t since_ns = INT64_MAX;
    std::string reason;
    bool excused = false;
    bool too_many = false;
  };
  std::optional<Legality> legal;
};

void put_outcome(const RecordedOutcome& outcome, FactWriter& facts);
// None of a recording whose run has not ended, or whose program was killed.
std::optional<RecordedOutcome> outcome_of(const Facts& facts);

}  // namespace leasescope
