#include "simulator/campaign/campaign.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "simulator/campaign/swarm.h"

namespace leasescope {
namespace {

// So many seeds a thread takes at a time.
constexpr std::uint64_t kShare = 16;
// With fewer seeds, or fewer of them whose store can have it, a rare kind may not have come up.
constexpr std::uint64_t kEnoughToFireAll = 10'000;
constexpr std::uint64_t kEnoughThatCan = 1'000;

Campaign empty_campaign(const CampaignOptions& options) {
  Campaign out;
  out.seeds = options.seeds;
  const std::size_t kinds = all_fault_kinds().size();
  out.excused.resize(kinds);
  out.fired.resize(kinds);
  out.possible.resize(kinds);
  return out;
}

void add(Campaign& to, const Scenario& scenario, const Verdict& verdict, std::uint64_t seed) {
  ++to.done;
  to.inputs += verdict.inputs;
  to.simulated += verdict.end.time_since_epoch();
  for (std::size_t kind = 0; kind < to.fired.size(); ++kind) {
    to.fired[kind] += verdict.firings[kind];
    const FaultKind& of = all_fault_kinds()[kind];
    to.possible[kind] += is_drawn(of) && can_have(scenario.store, of);
  }
  for (const Broken& broken : verdict.excused)
    ++to.excused[static_cast<std::size_t>(broken.excused_by)][static_cast<std::size_t>(broken.failure)];
  for (const std::string& field : verdict.shares) ++to.shares[field];
  to.unjudged += !verdict.not_judged.empty();
  to.undecided += verdict.undecided;
  if (to.not_judged.empty()) to.not_judged = verdict.not_judged;
  if (!verdict.failure) return;
  ++to.failed[static_cast<std::size_t>(*verdict.failure)];
  if (to.failures.size() < Campaign::kMostTold) to.failures.push_back({seed, *verdict.failure, verdict.reason});
}

void add(Campaign& to, const Campaign& part) {
  to.done += part.done;
  to.inputs += part.inputs;
  to.simulated += part.simulated;
  to.unjudged += part.unjudged;
  to.undecided += part.undecided;
  if (to.not_judged.empty()) to.not_judged = part.not_judged;
  for (std::size_t kind = 0; kind < to.fired.size(); ++kind) {
    to.fired[kind] += part.fired[kind];
    to.possible[kind] += part.possible[kind];
    for (std::size_t i = 0; i < kFailures; ++i) to.excused[kind][i] += part.excused[kind][i];
  }
  for (std::size_t i = 0; i < kFailures; ++i) to.failed[i] += part.failed[i];
  for (const auto& [field, seeds] : part.shares) to.shares[field] += seeds;
  to.failures.insert(to.failures.end(), part.failures.begin(), part.failures.end());
}

class Workers {
 public:
  Workers(const ScenarioOfSeed& scenario_of, const CampaignOptions& options, CampaignWatch& watch)
      : scenario_of_(scenario_of), options_(options), watch_(watch), whole_(empty_campaign(options)) {
    if (options.keep_hashes) whole_.hashes.resize(options.seeds.count());
    if (options.keep_measures) whole_.measures.resize(options.seeds.count());
  }

  tl::expected<Campaign, InputError> run() {
    std::vector<std::thread> threads;
    for (unsigned job = 0; job < std::max(1u, options_.jobs); ++job) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    if (error_) return tl::make_unexpected(*error_);
    std::sort(whole_.failures.begin(), whole_.failures.end(),
              [](const FailedSeed& a, const FailedSeed& b) { return a.seed < b.seed; });
    if (whole_.failures.size() > Campaign::kMostTold) whole_.failures.resize(Campaign::kMostTold);
    whole_.interrupted = whole_.done < options_.seeds.count();
    return whole_;
  }

 private:
  // Its own seeds in rising order, so that of what it does not tell none is lower than what it tells.
  void work() {
    Campaign mine = empty_campaign(options_);
    const std::uint64_t count = options_.seeds.count();
    while (!watch_.stop) {
      const std::uint64_t from = next_.fetch_add(kShare);
      if (from >= count) break;
      for (std::uint64_t i = from; i < std::min(count, from + kShare) && !watch_.stop; ++i) one(mine, i);
    }
    const std::lock_guard lock(mutex_);
    add(whole_, mine);
  }

  void one(Campaign& mine, std::uint64_t place) {
    const std::uint64_t seed = options_.seeds.first + place;
    const auto scenario = scenario_of_(seed);
    if (!scenario) {
      const std::lock_guard lock(mutex_);
      error_ = scenario.error();
      watch_.stop = true;
      return;
    }
    const Verdict verdict = verdict_of(*scenario);
    add(mine, *scenario, verdict, seed);
    if (options_.keep_measures)
      whole_.measures[place] = {verdict.summary, verdict.failure, verdict.inputs, verdict.trace_hash, verdict.end};
    if (options_.keep_hashes) whole_.hashes[place] = verdict.trace_hash;  // nobody else writes there
    ++watch_.done;
    if (verdict.failure) ++watch_.failed;
  }

  const ScenarioOfSeed& scenario_of_;
  const CampaignOptions& options_;
  CampaignWatch& watch_;
  std::atomic<std::uint64_t> next_{0};
  std::mutex mutex_;  // of what follows
  Campaign whole_;
  std::optional<InputError> error_;
};

}  // namespace

std::uint64_t Campaign::failures_in_all() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : failed) sum += count;
  return sum;
}

std::vector<std::string> Campaign::never_fired() const {
  std::vector<std::string> out;
  if (done < kEnoughToFireAll) return out;
  for (std::size_t kind = 0; kind < fired.size(); ++kind)
    if (fired[kind] == 0 && possible[kind] >= kEnoughThatCan) out.emplace_back(all_fault_kinds()[kind].name);
  return out;
}

tl::expected<Campaign, InputError> run_campaign(const ScenarioOfSeed& scenario_of, const CampaignOptions& options,
                                                CampaignWatch& watch) {
  if (const auto first = scenario_of(options.seeds.first); !first) return tl::make_unexpected(first.error());
  return Workers(scenario_of, options, watch).run();
}

}  // namespace leasescope
