// leasescopectl: what scripts, CI jobs and people on servers use. Exit codes: 0 as expected, 1 failed, 2 bad input, 3
// not as expected.
#include "app/leasescopectl.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include <CLI/CLI.hpp>

#include "app/leasescopectl_reports.h"
#include "app/leasescopectl_seeds.h"
#include "core/base/build.h"
#include "core/store/password.h"
#include "core/store/types/types.h"

namespace {

// Who starts us with one of them closed would have what we open next take its place.
void open_standard_descriptors() {
  int fd = 0;
  while ((fd = ::open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO) {
  }
  if (fd >= 0) ::close(fd);
}

// The --sets after --fork-at apply from there on. Nobody forks for nothing: with none after it, it is those before.
void part_sets(const CLI::App& command, const CLI::Option* set, const CLI::Option* fork_at,
               leasescope::ctl::RunOptions& run) {
  if (fork_at->count() == 0) return;
  std::size_t before = 0;
  for (const CLI::Option* option : command.parse_order()) {
    if (option == fork_at) break;
    before += option == set;
  }
  if (before == run.sets.size()) before = 0;
  const auto first = run.sets.begin() + static_cast<std::ptrdiff_t>(before);
  run.fork_sets.assign(first, run.sets.end());
  run.sets.erase(first, run.sets.end());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace leasescope;
  open_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // who reads no further is told of by the write
  CLI::App app("Runs, watches and shows distributed mutexes.", "leasescopectl");
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help of all commands");
  app.set_version_flag("--version", "leasescopectl " + build_text());

  bool json = false, faults = false, keys = false;
  CLI::App* scenarios =
      app.add_subcommand("scenarios", "The built-in scenarios, with what goes wrong in each and where it can run");
  scenarios->add_flag("--json", json, "As JSON");
  auto* const list_faults =
      scenarios->add_flag("--faults", faults, "The kinds of fault instead, with their keys and what they may break");
  scenarios->add_flag("--keys", keys, "The keys of a scenario file instead, with their defaults")
      ->excludes(list_faults);

  ctl::RunOptions run;
  CLI::App* command = app.add_subcommand("run", "Runs a scenario, in virtual time or against a live store");
  command->add_option("SCENARIO", run.scenario, "A built-in name, a TOML file, or - for standard input")->required();
  command->add_option("--store", run.store,
                      fmt::format("model (virtual time); {} (a private server for this run); {}. {}", store_words(),
                                  store_schemes(), store_hosts()));
  command->add_option("--password-file", run.password_file,
                      fmt::format("The store's password is the first line of FILE ({})", store_passwords()));
  command->add_option("--seed", run.seed, "Seed of all draws")->check(ctl::wrong_seed);
  command->add_option("--until", run.until, "End the run earlier, e.g. 20s or \"3 leases\"");
  const CLI::Option* fork_at = command->add_option(
      "--fork-at", run.fork_at,
      "Keep what happens before, and apply the --sets after it from there on (those before it to the whole run; "
      "with none after it, all from there on)");
  const CLI::Option* set =
      command
          ->add_option("--set", run.sets, "KEY=VALUE, e.g. mutex.ttl=1s, contender.0.count=5, resource.fencing=false")
          ->take_all()
          ->allow_extra_args(false);
  command->add_flag("--json", run.json, "Print one JSON object");
  run.reports.add_options(*command, false);
  command->add_flag("--quiet", run.quiet, "No progress on a terminal");

  int exit = -1;
  ctl::add_swarm_commands(app, exit);
  ctl::add_seed_commands(app, exit);
  ctl::add_prevent_command(app, exit);
  ctl::add_check_command(app, exit);
  ctl::add_chain_commands(app, exit);
  ctl::add_fidelity_command(app, exit);
  ctl::add_contend_command(app, exit);
  ctl::add_watch_commands(app, exit);
  ctl::add_history_command(app, exit);
  ctl::add_simulate_command(app, exit);
  ctl::add_alert_commands(app, exit);
  ctl::add_proxy_command(app, exit);
  ctl::add_replay_command(app, exit, argc, argv);
  ctl::add_recording_commands(app, exit);
  ctl::add_help_commands(app, exit);

  std::vector<std::string> words(argv + 1, argv + std::max(argc, 1));
  std::reverse(words.begin(), words.end());  // as it wants them
  hide_passwords(argc, argv);
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp& help) {
    return ctl::finish(app.exit(help));
  } catch (const CLI::CallForAllHelp& help) {
    return ctl::finish(app.exit(help));
  } catch (const CLI::CallForVersion& version) {
    return ctl::finish(app.exit(version));
  } catch (const CLI::ParseError& error) {
    ctl::complain(error.what() + ctl::usage_hint(app, app.remaining(true)));
    return ctl::kBadInput;
  }
  if (exit < 0 && scenarios->parsed())
    exit = ctl::list_scenarios(json, keys     ? ctl::Listing::kKeys
                                     : faults ? ctl::Listing::kFaults
                                              : ctl::Listing::kScenarios);
  if (exit < 0) {
    part_sets(*command, set, fork_at, run);
    exit = ctl::run(run, argc, argv);
  }
  return ctl::finish(exit);
}
