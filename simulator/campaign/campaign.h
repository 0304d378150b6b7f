// Many seeds on several threads, each run on one of them; what comes of it does not depend on how many there are.
#pragma once
#include <atomic>
#include <functional>
#include <map>

#include "simulator/campaign/verdict.h"
#include "simulator/scenario/reader.h"

namespace leasescope {

struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t last = 1000;  // inclusive

  std::uint64_t count() const { return last - first + 1; }
};

struct FailedSeed {
  std::uint64_t seed = 0;
  Failure failure = Failure::kDoubleGrant;
  std::string reason;
};

// Of one seed, where they were asked for.
struct SeedMeasures {
  Summary summary;
  std::optional<Failure> failure;
  std::uint64_t inputs = 0;
  std::uint64_t hash = 0;
  TrueTime end{};
};

struct Campaign {
  SeedRange seeds;
  std::uint64_t done = 0;
  std::vector<FailedSeed> failures;  // those of the lowest seeds, at most kMostTold
  std::array<std::uint64_t, kFailures> failed{};
  std::vector<std::array<std::uint64_t, kFailures>> excused;  // by kind of fault; each breach counts
  std::vector<std::uint64_t> fired;                           // by kind of fault
  std::vector<std::uint64_t> possible;                        // likewise: seeds whose store can have it
  std::map<std::string, std::uint64_t> shares;                // seeds in which a field was as expected
  std::uint64_t unjudged = 0;   // seeds of a scenario whose expectations do not speak of it as it is
  std::string not_judged;       // why
  std::uint64_t undecided = 0;  // seeds whose calls may be illegal: to find out would take longer
  std::uint64_t inputs = 0;
  Duration simulated{};
  std::vector<std::uint64_t> hashes;   // by seed, where they were asked for
  std::vector<SeedMeasures> measures;  // likewise
  bool interrupted = false;

  static constexpr std::size_t kMostTold = 1000;
  std::uint64_t failures_in_all() const;
  // Kinds of fault that the seeds could have had and that never began: with so many seeds, a hole in the campaign.
  std::vector<std::string> never_fired() const;
};

struct CampaignOptions {
  SeedRange seeds;
  unsigned jobs = 1;
  bool keep_hashes = false;
  bool keep_measures = false;
};

// What the threads have come to, for whoever watches; `stop` ends them after the seeds they are at.
struct CampaignWatch {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<bool> stop{false};
};

// The scenario of a seed; called on any of the threads.
using ScenarioOfSeed = std::function<tl::expected<Scenario, InputError>(std::uint64_t seed)>;

// The scenario of the first seed is tried before anything else: its error is the answer.
tl::expected<Campaign, InputError> run_campaign(const ScenarioOfSeed& scenario_of, const CampaignOptions& options,
                                                CampaignWatch& watch);

}  // namespace leasescope
