// leasescopectl: what scripts, CI jobs and people on servers use. Exit codes: 0 as expected, 1 failed, 2 bad input, 3
// not as expected.
#include "app/leasescopectl.h"

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  using namespace leasescope;
  CLI::App app("Runs, watches and shows distributed mutexes.", "leasescopectl");
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help of all commands");

  bool json = false, faults = false;
  CLI::App* scenarios = app.add_subcommand("scenarios", "The built-in scenarios, with the worlds each can run in");
  scenarios->add_flag("--json", json, "As JSON");
  scenarios->add_flag("--faults", faults, "The kinds of fault instead, with their keys and what they may break");

  ctl::RunOptions run;
  CLI::App* command = app.add_subcommand("run", "Runs a scenario, in virtual time or against a live store");
  command->add_option("SCENARIO", run.scenario, "A built-in name or a TOML file")->required();
  command->add_option(
      "--store", run.store,
      "model (virtual time); redis, postgres (a private server for this run); redis://…, postgresql://…");
  command->add_option("--seed", run.seed, "Seed of all draws");
  command->add_option("--until", run.until, "End the run earlier, e.g. 20s");
  command->add_option("--set", run.sets, "KEY=VALUE, e.g. mutex.ttl=1s, contender.0.count=5, resource.fencing=false")
      ->take_all();
  command->add_flag("--json", run.json, "Print one JSON object");
  command->add_option("--report", run.report, "Draw the chart into FILE.svg or FILE.png");
  command->add_option("--history", run.history, "Write the history as JSON lines into FILE.jsonl");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return ctl::kBadInput;
  }
  if (scenarios->parsed()) return ctl::list_scenarios(json, faults);
  return ctl::run(run, argc, argv);
}
