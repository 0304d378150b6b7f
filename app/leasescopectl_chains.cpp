// How long chains of thieves get, and how long a lease must be for them: core/quorum/README.md.
#include <cmath>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_seeds.h"
#include "core/quorum/chains.h"
#include "core/time/duration_text.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct ChainsCommand {
  int priorities = 100;
  std::vector<double> rhos{0.1, 0.3, 1, 3, 10, 30, 100};
  std::string acquire = "5ms";
  double timeout_probability = 0.001;
  std::uint64_t rounds = 100'000;
  std::uint64_t seed = 1;
  bool json = false;
};

struct OfRho {
  double rho = 0;
  double mean = 0;
  chains::Measured measured;
};

struct Report {
  chains::Published published;
  chains::Length length;
  chains::Measured measured;
  std::vector<OfRho> curve;
  Duration ttl{};
  double timeout = 0;  // its probability with that ttl
};

constexpr double kShares[] = {0.5, 0.95, 0.99, 0.999};

Report made(const ChainsCommand& of, Duration acquire) {
  Report out{chains::published(of.priorities),
             chains::Length(of.priorities),
             chains::measure(of.priorities, of.rounds, of.seed),
             {},
             {},
             0};
  for (const double rho : of.rhos)
    out.curve.push_back({rho, chains::mean_with_releases(of.priorities, rho),
                         chains::measure_with_releases(
                             of.priorities, static_cast<std::uint64_t>(std::llround(rho * 1e6)), of.rounds, of.seed)});
  out.ttl = chains::ttl_for(out.length, acquire, of.timeout_probability);
  out.timeout = chains::timeout_probability(out.length, acquire, out.ttl);
  return out;
}

Json json_of(const chains::Measured& of) {
  return {{"rounds", of.rounds}, {"mean", of.mean}, {"standard_error", of.error}, {"variance", of.variance}};
}

void print_json(const ChainsCommand& command, Duration acquire, const Report& of) {
  Json quantiles = Json::object();
  for (const double share : kShares) quantiles[fmt::format("{}", share)] = of.length.quantile(share);
  Json curve = Json::array();
  for (const OfRho& at : of.curve)
    curve.push_back({{"rho", at.rho}, {"mean", at.mean}, {"measured", json_of(at.measured)}});
  const Json out{{"priorities", command.priorities},
                 {"published_formula", {{"mean", of.published.mean}, {"sum_of_chances", of.published.total}}},
                 {"mean", of.length.mean()},
                 {"variance", of.length.variance()},
                 {"thefts", of.length.thefts()},
                 {"quantiles", quantiles},
                 {"seed", command.seed},
                 {"measured", json_of(of.measured)},
                 {"with_releases", curve},
                 {"ttl",
                  {{"acquire_ns", acquire.count()},
                   {"wanted_timeout_probability", command.timeout_probability},
                   {"ttl_ns", of.ttl.count()},
                   {"timeout_probability", of.timeout}}}};
  say("{}\n", out.dump(2));
}

void print_text(const ChainsCommand& command, Duration acquire, const Report& of) {
  say("Chains of thieves among {} priorities: holders in one round, until the highest has the lock\n\n",
      command.priorities);
  say("  published formula  {:.6g}  (its chances add up to {:.6g}: it is no mean)\n", of.published.mean,
      of.published.total);
  say("  true mean          {:.4f}  (1 + 1/2 + … + 1/{}), variance {:.4f}, {:.4f} of them thefts\n", of.length.mean(),
      command.priorities, of.length.variance(), of.length.thefts());
  say("  measured           {:.4f} ± {:.4f}  ({} rounds, seed {})\n", of.measured.mean, of.measured.error,
      of.measured.rounds, command.seed);
  say("  not more than     ");
  for (const double share : kShares) say(" {} in {:.4g} %", of.length.quantile(share), 100 * share);
  say("\n\n  with releases: rho claims in the time a lock is held on average\n");
  say("  {:>9}  {:>8}  {}\n", "rho", "mean", "measured");
  for (const OfRho& at : of.curve)
    say("  {:>9g}  {:>8.4f}  {:.4f} ± {:.4f}\n", at.rho, at.mean, at.measured.mean, at.measured.error);
  say("\n  A lease of {} is too short with a probability of {:.3g} (handshakes of {}, {:.3g} wanted).\n",
      format_duration(of.ttl), of.timeout, format_duration(acquire), command.timeout_probability);
}

int run_chains(const ChainsCommand& command) {
  constexpr Duration kLongest = std::chrono::hours(1);
  const auto acquire = parse_duration(command.acquire);
  if (!acquire) return bad_input("--acquire " + acquire.error());
  if (*acquire <= Duration::zero() || *acquire > kLongest)
    return bad_input(fmt::format("--acquire {}: a handshake takes more than nothing and an hour at most, such as 5ms",
                                 command.acquire));
  if (!(command.timeout_probability >= 1e-15 && command.timeout_probability < 1))
    return bad_input(fmt::format("--timeout-probability {}: expected from 1e-15 to below 1, such as 0.001",
                                 command.timeout_probability));
  const Report report = made(command, *acquire);
  command.json ? print_json(command, *acquire, report) : print_text(command, *acquire, report);
  return kAsExpected;
}

}  // namespace

void add_chain_commands(CLI::App& app, int& exit) {
  constexpr std::uint64_t kMostRounds = 100'000'000;
  constexpr double kMostRho = 1000;
  auto asked = std::make_shared<ChainsCommand>();
  CLI::App* command =
      app.add_subcommand("chains", "Chains of thieves of the quorum lock: how long they get, and the ttl they need");
  command->add_option("--priorities", asked->priorities, "So many, each of which claims the lock once")
      ->check(CLI::Range(1, chains::kMostPriorities));
  command->add_option("--rho", asked->rhos, "Claims in the time a lock is held on average, one or more")
      ->check(CLI::Range(0.0, kMostRho));
  command->add_option("--acquire", asked->acquire, "How long one theft takes to be acknowledged, e.g. 5ms");
  command->add_option("--timeout-probability", asked->timeout_probability,
                      "The ttl is advised so that a chain takes longer with this probability at most");
  command->add_option("--rounds", asked->rounds, "To measure")->check(CLI::Range(std::uint64_t{1}, kMostRounds));
  command->add_option("--seed", asked->seed, "Of what is measured")->check(wrong_seed);
  command->add_flag("--json", asked->json, "Print one JSON object");
  command->callback([asked, &exit] { exit = run_chains(*asked); });
}

}  // namespace leasescope::ctl
