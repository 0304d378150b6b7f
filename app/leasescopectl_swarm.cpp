// swarm: many seeds, judged.
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "app/leasescopectl_progress.h"
#include "app/leasescopectl_seeds.h"
#include "core/time/duration_text.h"
#include "simulator/campaign/campaign.h"
#include "simulator/campaign/swarm.h"
#include "simulator/engine/trace_hash.h"
#include "simulator/scenario/scenario_text.h"
#include "simulator/scenario/validity.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct SwarmCommand {
  std::string scenario = "swarm";
  std::string seeds = "1..1000";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  SwarmOptions options;
  std::string out;
  std::string hashes;
  bool print = false;
  bool json = false;
  bool quiet = false;
  std::string csv;
};

std::atomic<bool>* interrupted = nullptr;  // what a signal may reach: the watch of the campaign that runs

bool read_number(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out <= INT64_MAX;
}

// "A..B", or one seed.
bool read_seeds(std::string_view text, SeedRange& out) {
  const std::size_t dots = text.find("..");
  if (!read_number(text.substr(0, dots), out.first)) return false;
  if (dots == std::string_view::npos) {
    out.last = out.first;
    return true;
  }
  return read_number(text.substr(dots + 2), out.last) && out.last >= out.first;
}

std::string unknown_kind(const std::vector<std::string>& kinds) {
  for (const std::string& kind : kinds)
    if (find_fault_kind(kind) == nullptr)
      return fmt::format("--without {}: there is no such kind of fault: expected one of {}", kind,
                         fmt::join(fault_kind_names(), ", "));
  return {};
}

// A line that is written over, on a terminal only.
void show_progress(const CampaignWatch& watch, const SeedRange& seeds, const std::atomic<bool>& over, bool quiet) {
  Progress progress(quiet);
  while (!over) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress.tell([&] {
      return fmt::format("{} of {}, {} failed", watch.done.load(), counted(seeds.count(), "seed"), watch.failed.load());
    });
  }
}

tl::expected<Campaign, InputError> run_watched(const SwarmCommand& command, const CampaignOptions& options) {
  CampaignWatch watch;
  interrupted = &watch.stop;
  std::signal(SIGINT, [](int) { *interrupted = true; });
  std::signal(SIGTERM, [](int) { *interrupted = true; });
  std::signal(SIGHUP, [](int) { *interrupted = true; });
  std::atomic<bool> over{false};
  std::thread progress([&] { show_progress(watch, options.seeds, over, command.quiet); });
  auto campaign = run_campaign([&](std::uint64_t seed) { return scenario_of(command.scenario, command.options, seed); },
                               options, watch);
  over = true;
  progress.join();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGHUP, SIG_DFL);
  return campaign;
}

std::string replay_path(const SwarmCommand& command, std::uint64_t seed) {
  const std::string name = std::filesystem::path(command.scenario).stem().string();
  return (std::filesystem::path(command.out) / fmt::format("{}-{}.toml", name, seed)).string();
}

struct Replays {
  std::map<std::uint64_t, std::string> paths;  // by seed
  std::string problem;                         // why there are no more; empty when all is well
};

// The replay files of the first failures.
Replays write_replays(const SwarmCommand& command, const Campaign& campaign) {
  constexpr std::size_t kMost = 100;
  Replays out;
  if (command.out.empty()) return out;
  for (const FailedSeed& failure : campaign.failures) {
    if (out.paths.size() == kMost) break;
    const auto scenario = scenario_of(command.scenario, command.options, failure.seed);
    if (!scenario) break;
    const std::string path = replay_path(command, failure.seed);
    out.problem = write_file(path, scenario_text(replay_of(*scenario, verdict_of(*scenario))));
    if (!out.problem.empty()) break;
    out.paths[failure.seed] = path;
  }
  return out;
}

// Of the folder for replays, which is made where there is none: why it takes none, as far as it can be known before.
std::string wrong_folder(const SwarmCommand& command, std::uint64_t seed) {
  if (command.out.empty()) return {};
  std::error_code code;
  if (!std::filesystem::is_directory(command.out, code) && !std::filesystem::create_directories(command.out, code))
    return fmt::format("--out {}: expected a folder, or a name for a new one", command.out);
  const std::string problem = unwritable(replay_path(command, seed));
  return problem.empty() ? problem : fmt::format("--out {}: {}", command.out, problem);
}

// Fields that were expected for a share of seeds and were not for so many.
std::vector<std::string> missed_shares(const SwarmCommand& command, const Campaign& campaign) {
  std::vector<std::string> out;
  const auto scenario = scenario_of(command.scenario, command.options, campaign.seeds.first);
  if (!scenario || campaign.unjudged > 0) return out;
  const Expectations wanted = wanted_of(*scenario);
  for (const auto& [field, expectation] : wanted.fields) {
    if (!expectation.share) continue;
    const auto held = campaign.shares.find(field);
    const std::uint64_t seeds = held == campaign.shares.end() ? 0 : held->second;
    if (static_cast<double>(seeds) < *expectation.share * static_cast<double>(campaign.done))
      out.push_back(fmt::format("{} {} held in {} of {} seeds, expected in a share of {}", field, expectation.text,
                                seeds, campaign.done, *expectation.share));
  }
  return out;
}

// Of the kinds that were not turned off.
std::vector<std::string> never_fired(const SwarmCommand& command, const Campaign& campaign) {
  std::vector<std::string> out = campaign.never_fired();
  const std::vector<std::string>& without = command.options.without;
  std::erase_if(
      out, [&](const std::string& kind) { return std::find(without.begin(), without.end(), kind) != without.end(); });
  return out;
}

struct Result {
  const Campaign& campaign;
  double seconds = 0;
  Replays replays;
  std::vector<std::string> never_fired;
  std::vector<std::string> missed;

  // One-sided, 95 %: of what n seeds have not shown, at most a share of 3/n.
  double bound() const { return 3.0 / static_cast<double>(std::max<std::uint64_t>(1, campaign.done)); }
  bool clean() const { return campaign.failures.empty() && never_fired.empty() && missed.empty(); }
};

Json json_of(const Result& result) {
  const Campaign& campaign = result.campaign;
  Json failures = Json::array(), excused = Json::array(), fired = Json::object(), kinds = Json::object();
  for (const FailedSeed& failure : campaign.failures) {
    const auto replay = result.replays.paths.find(failure.seed);
    failures.push_back({{"seed", failure.seed},
                        {"failure", text(failure.failure)},
                        {"reason", failure.reason},
                        {"replay", replay == result.replays.paths.end() ? Json(nullptr) : Json(replay->second)}});
  }
  for (std::size_t i = 0; i < kFailures; ++i)
    if (campaign.failed[i] > 0) kinds[std::string(text(static_cast<Failure>(i)))] = campaign.failed[i];
  for (std::size_t kind = 0; kind < campaign.fired.size(); ++kind) {
    const std::string_view name = all_fault_kinds()[kind].name;
    fired[std::string(name)] = campaign.fired[kind];
    for (std::size_t i = 0; i < kFailures; ++i)
      if (campaign.excused[kind][i] > 0)
        excused.push_back(
            {{"failure", text(static_cast<Failure>(i))}, {"fault", name}, {"count", campaign.excused[kind][i]}});
  }
  return {{"seeds", {{"first", campaign.seeds.first}, {"last", campaign.seeds.last}, {"done", campaign.done}}},
          {"interrupted", campaign.interrupted},
          {"wall_seconds", result.seconds},
          {"inputs", campaign.inputs},
          {"simulated_seconds", std::chrono::duration<double>(campaign.simulated).count()},
          {"unjudged", campaign.unjudged},
          {"undecided", campaign.undecided},
          {"not_judged", campaign.not_judged.empty() ? Json(nullptr) : Json(campaign.not_judged)},
          {"failed", campaign.failures_in_all()},
          {"failed_by_kind", kinds},
          {"failures", failures},
          {"upper_bound", campaign.failures.empty() && campaign.unjudged == 0 ? Json(result.bound()) : Json(nullptr)},
          {"excused", excused},
          {"fired", fired},
          {"never_fired", result.never_fired},
          {"missed_shares", result.missed}};
}

// The arguments that mean that one seed again.
std::string asked_again(const SwarmCommand& command, std::uint64_t seed) {
  std::string out = fmt::format("{} --seed {}", command.scenario, seed);
  for (const std::string& set : command.options.sets) out += fmt::format(" --set '{}'", set);
  for (const std::string& kind : command.options.without) out += " --without " + kind;
  if (command.options.system != SimbaTerms::kSystem) out += " --system " + command.options.system;
  return out;
}

void print_text(const Result& result, const SwarmCommand& command) {
  const Campaign& campaign = result.campaign;
  say("{} of {} in {:.1f} s, {:.0f} a second: {}, {:.0f} s simulated{}\n", campaign.done,
      counted(campaign.seeds.count(), "seed"), result.seconds,
      static_cast<double>(campaign.done) / std::max(1e-9, result.seconds), counted(campaign.inputs, "input"),
      std::chrono::duration<double>(campaign.simulated).count(), campaign.interrupted ? " (interrupted)" : "");
  if (campaign.unjudged > 0) {
    say("not judged: {}\n", campaign.not_judged);
  } else if (campaign.failures.empty() && campaign.done > 0) {
    say("no failure: at most {:.2g} of all seeds fail (3/n, 95 % sure)\n", result.bound());
  } else {
    say("{} failed\n", campaign.failures_in_all());
  }
  if (campaign.undecided > 0)
    say("undecided whether the calls of {} are legal: it would take longer\n", counted(campaign.undecided, "seed"));
  for (std::size_t i = 0; i < kFailures; ++i)
    if (campaign.failed[i] > 0)
      say("  {:<22} {:>8}  {}\n", text(static_cast<Failure>(i)), campaign.failed[i], about(static_cast<Failure>(i)));
  constexpr std::size_t kMost = 10;
  for (std::size_t i = 0; i < std::min(kMost, campaign.failures.size()); ++i) {
    const FailedSeed& failure = campaign.failures[i];
    const auto replay = result.replays.paths.find(failure.seed);
    say("seed {}, {}: {}{}\n", failure.seed, text(failure.failure), failure.reason,
        replay == result.replays.paths.end() ? "" : fmt::format("\n  replay: {}", replay->second));
  }
  if (!campaign.failures.empty())
    say("make one small: leasescopectl shrink {}\n", asked_again(command, campaign.failures[0].seed));
  const bool draws_faults = command.scenario == "swarm";
  say("\n{:<22} {:>10}  excused\n", "fault", "fired");
  for (std::size_t kind = 0; kind < campaign.fired.size(); ++kind) {
    std::string excused;
    for (std::size_t i = 0; i < kFailures; ++i)
      if (campaign.excused[kind][i] > 0)
        excused += fmt::format("{}{} {}", excused.empty() ? "" : ", ", text(static_cast<Failure>(i)),
                               campaign.excused[kind][i]);
    if (campaign.fired[kind] > 0 || (draws_faults && campaign.possible[kind] > 0))
      say("{:<22} {:>10}  {}\n", all_fault_kinds()[kind].name, campaign.fired[kind], excused);
  }
  if (!result.never_fired.empty()) say("never fired: {}\n", fmt::join(result.never_fired, ", "));
  for (const std::string& missed : result.missed) say("{}\n", missed);
}

std::string write_hashes(const Campaign& campaign, const std::string& path) {
  std::string text;
  for (std::size_t i = 0; i < campaign.hashes.size(); ++i)
    text += fmt::format("{} {}\n", campaign.seeds.first + i, hash_text(campaign.hashes[i]));
  return write_file(path, text);
}

// A line a seed; times in seconds.
std::string write_measures(const Campaign& campaign, const std::string& path) {
  std::string text =
      "seed,simulated_seconds,inputs,failure,acquisitions,renewals,handoffs,leaderless_seconds,belief_overlap_seconds,"
      "double_grants,stale_writes_rejected,stale_writes_accepted,fence_regressions,trace_hash\n";
  for (std::size_t i = 0; i < campaign.measures.size(); ++i) {
    const SeedMeasures& of = campaign.measures[i];
    if (of.inputs == 0) continue;  // it was interrupted before
    const Summary& s = of.summary;
    const auto seconds = [](Duration d) { return format_seconds(d, 9); };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", campaign.seeds.first + i,
                        seconds(of.end.time_since_epoch()), of.inputs, of.failure ? leasescope::text(*of.failure) : "",
                        s.acquisitions, s.renewals, s.handoffs, seconds(s.leaderless), seconds(s.belief_overlap),
                        s.double_grants, s.stale_writes_rejected, s.stale_writes_accepted, s.fence_regressions,
                        hash_text(of.hash));
  }
  return write_file(path, text);
}

int swarm(const SwarmCommand& command) {
  CampaignOptions options;
  options.jobs = command.jobs;
  options.keep_hashes = !command.hashes.empty();
  options.keep_measures = !command.csv.empty();
  if (!read_seeds(command.seeds, options.seeds))
    return bad_input(fmt::format("--seeds {}: expected A..B, such as 1..1000, or one seed", command.seeds));
  if (const std::string problem = unknown_kind(command.options.without); !problem.empty()) return bad_input(problem);
  for (const std::string& path : {command.hashes, command.csv})
    if (const std::string problem = unwritable(path); !problem.empty()) return bad_input(problem);
  if (const std::string problem = wrong_folder(command, options.seeds.first); !problem.empty())
    return bad_input(problem);
  if (command.print) {
    const auto scenario = scenario_of(command.scenario, command.options, options.seeds.first);
    if (!scenario) return bad_input(scenario.error().text());
    say("{}", scenario_text(*scenario));
    return kAsExpected;
  }
  const auto began = std::chrono::steady_clock::now();
  const auto campaign = run_watched(command, options);
  if (!campaign) return bad_input(campaign.error().text());
  Result result{*campaign};
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  result.replays = write_replays(command, *campaign);
  if (command.scenario == "swarm") result.never_fired = never_fired(command, *campaign);
  result.missed = missed_shares(command, *campaign);
  if (command.csv == "-") {
    // The measures have standard output for themselves.
  } else if (command.json) {
    say("{}\n", json_of(result).dump(2));
  } else {
    print_text(result, command);
  }
  std::fflush(stdout);
  if (options.keep_measures)
    if (const std::string problem = write_measures(*campaign, command.csv); !problem.empty()) return failed(problem);
  if (options.keep_hashes)
    if (const std::string problem = write_hashes(*campaign, command.hashes); !problem.empty()) return failed(problem);
  if (!result.replays.problem.empty()) return failed(fmt::format("--out: {}", result.replays.problem));
  if (!result.clean()) return kNotAsExpected;
  return campaign->interrupted ? kFailed : kAsExpected;
}

}  // namespace

void add_swarm_commands(CLI::App& app, int& exit) {
  auto many = std::make_shared<SwarmCommand>();
  CLI::App* command = app.add_subcommand("swarm", "Many seeds: random scenarios, or one scenario, judged");
  command->add_option("SCENARIO", many->scenario, "swarm (each seed draws its own), a built-in name or a TOML file");
  command->add_option("--seeds", many->seeds, "A..B, or one seed");
  command->add_option("--jobs", many->jobs, "Threads")->check(CLI::Range(1u, 1024u));
  command->add_option("--set", many->options.sets, "KEY=VALUE on top of what is drawn; contender.*.KEY means every one")
      ->take_all();
  command->add_option("--system", many->options.system, "The lock system that each seed of the swarm contends by")
      ->check(CLI::IsMember(system_names()));
  command->add_option("--without", many->options.without, "A kind of fault that is off in every seed")->take_all();
  command->add_option("--out", many->out, "Write a replay file for each failure into this folder (the first 100)");
  command->add_option("--hashes", many->hashes, "Write the trace hash of every seed into FILE");
  command->add_flag("--print", many->print, "Print what the first seed draws, as a scenario, and run nothing");
  command->add_option("--csv", many->csv, "Write the measures of every seed into FILE.csv; - is standard output");
  command->add_flag("--json", many->json, "Print one JSON object");
  command->add_flag("--quiet", many->quiet, "No progress on a terminal");
  command->callback([many, &exit] { exit = swarm(*many); });
}

}  // namespace leasescope::ctl
