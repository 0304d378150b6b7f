// shrink, trail: a failing seed made small, a run told line by line.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "app/leasescopectl_progress.h"
#include "app/leasescopectl_seeds.h"
#include "simulator/campaign/shrink.h"
#include "simulator/campaign/trail.h"
#include "simulator/scenario/scenario_text.h"
#include "simulator/scenario/text_file.h"

namespace leasescope::ctl {
namespace {

struct SeedCommand {
  std::string scenario;
  std::optional<std::uint64_t> seed;  // else the scenario's own
  SwarmOptions options;
  std::string out;
  std::string against;
  bool quiet = false;
};

// ---- shrink

std::string row_text(const FaultTable& fault) {
  std::string out = fmt::format("{} of {} at {}", fault.kind, fault.target, fault.at.text);
  if (fault.duration.fixed > Duration::zero() || fault.duration.relative()) out += " for " + fault.duration.text;
  for (const auto& [key, time] : fault.times) out += fmt::format(", {} {}", key, time.text);
  for (const auto& [key, word] : fault.words) out += fmt::format(", {} {}", key, word);
  for (const auto& [key, number] : fault.numbers) out += fmt::format(", {} {}", key, number);
  return out + (fault.during_compute ? ", during compute" : "");
}

int shrink_one(const SeedCommand& command) {
  if (const std::string problem = unwritable(command.out); !problem.empty()) return bad_input(problem);
  const auto scenario = scenario_of(command.scenario, command.options, command.seed);
  if (!scenario) return bad_input(scenario.error().text());
  const Verdict found = verdict_of(*scenario);
  if (!found.failure)
    return bad_input(
        fmt::format("seed {} of {} does not fail: there is nothing to shrink", scenario->seed, command.scenario));
  const auto began = std::chrono::steady_clock::now();
  Progress progress(command.quiet);
  int tries = 0;
  const Shrunk shrunk = shrink(*scenario, [&](const Scenario& candidate) {
    ++tries;
    progress.tell([&] { return fmt::format("{} runs, {} faults left", tries, candidate.faults.size()); });
    return verdict_of(candidate).fails_like(found);
  });
  progress.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const Verdict verdict = verdict_of(shrunk.scenario);
  const std::string text = scenario_text(replay_of(shrunk.scenario, verdict));
  fmt::print(stderr, "{} brought down to {} in {:.1f} s and {} runs\n", counted(scenario->faults.size(), "fault"),
             shrunk.scenario.faults.size(), seconds, shrunk.tries);
  for (const FaultTable& fault : shrunk.scenario.faults) fmt::print(stderr, "  {}\n", row_text(fault));
  fmt::print(stderr, "{}: {}\n", about(*verdict.failure), verdict.reason);
  if (command.out.empty()) {
    say("{}", text);
    return kAsExpected;
  }
  if (const std::string problem = write_file(command.out, text); !problem.empty()) return failed(problem);
  fmt::print(stderr, "written to {}: leasescopectl run {}\n", command.out, command.out);
  return kAsExpected;
}

// ---- trail

int trail(const SeedCommand& command) {
  if (const std::string problem = unwritable(command.out); !problem.empty()) return bad_input(problem);
  const auto scenario = scenario_of(command.scenario, command.options, command.seed);
  if (!scenario) return bad_input(scenario.error().text());
  Trail here(*scenario);
  if (command.against.empty()) {
    std::ofstream file;
    const bool to_file = !command.out.empty() && command.out != kStandardInput;
    if (to_file) file.open(command.out, std::ios::binary | std::ios::trunc);
    std::ostream& out = to_file ? file : std::cout;
    const std::string where = command.out.empty() ? "standard output" : command.out;
    while (const auto line = here.next()) out << *line << '\n';
    out.flush();
    if (out && file.is_open()) file.close();
    return out ? kAsExpected
               : failed(fmt::format("{} could not be written: the disk is full, or nobody reads it", where));
  }
  std::ifstream other(command.against, std::ios::binary);
  if (!other) return bad_input(fmt::format("--against {}: cannot be read", command.against));
  const auto divergence = first_divergence([&] { return here.next(); },
                                           [&]() -> std::optional<std::string> {
                                             std::string line;
                                             if (!std::getline(other, line)) return std::nullopt;
                                             return line;
                                           });
  if (!divergence) {
    say("the same to the end\n");
    return kAsExpected;
  }
  const auto shown = [](const std::string& line) { return line.empty() ? std::string("(has ended)") : line; };
  say("they part at line {}\n  before  {}\n  here    {}\n  there   {}\n", divergence->line,
      divergence->before.empty() ? "(nothing)" : divergence->before, shown(divergence->here), shown(divergence->there));
  return kNotAsExpected;
}

void add_seed_options(CLI::App* command, SeedCommand& into) {
  command->add_option("SCENARIO", into.scenario, "A built-in name, a TOML file, or swarm: what that seed draws")
      ->required();
  command->add_option("--seed", into.seed, "Seed of all draws; else the scenario's own")->check(wrong_seed);
  command->add_option("--set", into.options.sets, "KEY=VALUE")->take_all();
  command->add_option("--without", into.options.without, "Of a swarm: a kind of fault that is off")->take_all();
  command->add_option("--system", into.options.system, "Of a swarm: the lock system that it contends by")
      ->check(CLI::IsMember(system_names()));
  command->add_flag("--quiet", into.quiet, "No progress on a terminal");
}

}  // namespace

void add_seed_commands(CLI::App& app, int& exit) {
  auto small = std::make_shared<SeedCommand>();
  CLI::App* command = app.add_subcommand("shrink", "The smallest fault plan that still fails for the same reason");
  add_seed_options(command, *small);
  command->add_option("--out", small->out, "Write the replay file there instead of printing it");
  command->callback([small, &exit] { exit = shrink_one(*small); });

  auto told = std::make_shared<SeedCommand>();
  command = app.add_subcommand("trail", "Every input and event of a run with the hash so far; or where two runs part");
  add_seed_options(command, *told);
  command->add_option("--out", told->out, "Write it into FILE");
  command->add_option("--against", told->against, "Compare with a trail written before, e.g. by another build");
  command->callback([told, &exit] { exit = trail(*told); });
}

}  // namespace leasescope::ctl
