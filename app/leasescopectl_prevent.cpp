// prevent: what would have kept an incident away, by how much.
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_progress.h"
#include "app/leasescopectl_seeds.h"
#include "simulator/campaign/prevention.h"
#include "simulator/run/virtual_run.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct PreventCommand {
  std::string scenario;
  std::optional<std::uint64_t> seed;
  SwarmOptions options;
  std::string incident;  // its kind; empty: the worst there is
  std::string mutex;     // empty: the first that has one
  bool json = false;
  bool quiet = false;
};

// The worst of a run, or the first of the kind and the mutex that were asked for.
tl::expected<Unwanted, std::string> wanted(const PreventCommand& command, const Scenario& scenario) {
  VirtualRun run(scenario);
  run.advance(TrueTime::max());
  const History& history = run.history();
  const Incident* found = nullptr;
  for (const Incident& incident : history.incidents) {
    if (!command.incident.empty() && text(incident.kind) != command.incident) continue;
    if (!command.mutex.empty() && history.names.text(incident.mutex) != command.mutex) continue;
    if (found == nullptr || severity(incident.kind) < severity(found->kind)) found = &incident;
  }
  if (found != nullptr) return Unwanted{found->kind, std::string(history.names.text(found->mutex))};
  const std::string what = command.incident.empty() ? "incident" : command.incident;
  const std::string where = command.mutex.empty() ? "" : " of " + command.mutex;
  return tl::unexpected(fmt::format("there is no {}{} in {} with seed {}: nothing to prevent", what, where,
                                    command.scenario, scenario.seed));
}

Json as_json(const Scenario& scenario, const Unwanted& unwanted, const Prevention& found) {
  Json out{{"scenario", scenario.name}, {"seed", scenario.seed}, {"incident", text(unwanted.kind)},
           {"mutex", unwanted.mutex},   {"runs", found.runs},    {"remedies", Json::array()}};
  for (const Remedy& each : found.remedies) {
    Json remedy{{"key", each.path}, {"from", each.from}, {"to", each.to}};
    if (each.margin != Duration::zero()) remedy["margin_ns"] = each.margin.count();
    remedy["other_seeds"] = {{"tried", kOtherSeeds}, {"prevented", each.others}};
    out["remedies"].push_back(std::move(remedy));
  }
  return out;
}

void print(const Scenario& scenario, const Unwanted& unwanted, const Prevention& found) {
  const std::string of = unwanted.mutex.empty() ? "" : " of " + unwanted.mutex;
  say("{}, seed {}: {}{}\n", scenario.name, scenario.seed, title(unwanted.kind), of);
  if (found.remedies.empty()) {
    say("no single setting that was tried prevents it ({} runs)\n", found.runs);
    return;
  }
  say("each of these alone prevents it with this seed ({} runs):\n", found.runs);
  for (const Remedy& each : found.remedies) say("  {}\n", text(scenario, each));
}

int prevent(const PreventCommand& command) {
  const auto scenario = scenario_of(command.scenario, command.options, command.seed);
  if (!scenario) return bad_input(scenario.error().text());
  const auto unwanted = wanted(command, *scenario);
  if (!unwanted) return bad_input(unwanted.error());
  Progress progress(command.quiet);
  int runs = 0;
  const Prevention found = prevention_of(*scenario, *unwanted, [&] {
    progress.tell([&] { return fmt::format("{} runs", runs); });
    ++runs;
    return true;
  });
  progress.clear();
  if (command.json)
    say("{}\n", as_json(*scenario, *unwanted, found).dump(2));
  else
    print(*scenario, *unwanted, found);
  return kAsExpected;
}

}  // namespace

void add_prevent_command(CLI::App& app, int& exit) {
  auto asked = std::make_shared<PreventCommand>();
  CLI::App* command = app.add_subcommand("prevent", "What would have kept an incident away, and by how much");
  command->add_option("SCENARIO", asked->scenario, "A built-in name, a TOML file, or swarm: what that seed draws")
      ->required();
  command->add_option("--incident", asked->incident, "Its kind, as in run --json; else the worst there is")
      ->check(CLI::IsMember([] {
        std::vector<std::string> kinds;
        kinds.reserve(kAllIncidentKinds.size());
        for (const IncidentKind kind : kAllIncidentKinds) kinds.emplace_back(text(kind));
        return kinds;
      }()));
  command->add_option("--mutex", asked->mutex, "Of that mutex");
  command->add_option("--seed", asked->seed, "Seed of all draws; else the scenario's own")->check(wrong_seed);
  command->add_option("--set", asked->options.sets, "KEY=VALUE")->take_all();
  command->add_flag("--json", asked->json, "Print one JSON object");
  command->add_flag("--quiet", asked->quiet, "No progress on a terminal");
  command->callback([asked, &exit] { exit = prevent(*asked); });
}

}  // namespace leasescope::ctl
