// The terminal program: one function a command; each returns the exit code.
#pragma once
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/leasescopectl_run_reports.h"

namespace CLI {
class App;
}

namespace leasescope::ctl {

enum Exit : int { kAsExpected = 0, kFailed = 1, kBadInput = 2, kNotAsExpected = 3 };

// To standard output, unless another is named. Whether it arrived there is known at the end, by finish().
void put(std::string_view text, std::FILE* out = stdout);
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  put(fmt::format(format, std::forward<Args>(args)...));
}
// "1 fault", "3 faults"
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}
// The code to leave with: kFailed, with the reason on stderr, where something that was said did not arrive.
int finish(int code);

// On stderr. What a user, a file or a server wrote is repeated without its control codes, and not at any length: of a
// long message the beginning and the end, which says what to do.
void complain(const std::string& message);
// Says on stderr what was wrong; the exit code.
inline int bad_input(const std::string& message) {
  complain(message);
  return kBadInput;
}
inline int failed(const std::string& message) {
  complain(message);
  return kFailed;
}

struct RunOptions {
  std::string scenario;
  std::string store = "model";
  std::string password_file;  // of a given store
  std::optional<std::uint64_t> seed;
  std::string until;
  std::vector<std::string> sets;  // for the whole run
  std::string fork_at;
  std::vector<std::string> fork_sets;  // for what comes from there on
  WantedReports reports;
  bool json = false;
  bool quiet = false;  // no progress
};

int run(const RunOptions& options, int argc, char** argv);
// What to list instead of the scenarios.
enum class Listing { kScenarios, kFaults, kKeys };
int list_scenarios(bool json, Listing what);
// swarm; shrink and trail. The one that was asked for runs while arguments are parsed and leaves its exit code.
void add_swarm_commands(CLI::App& app, int& exit);
void add_seed_commands(CLI::App& app, int& exit);
// prevent: what would have kept an incident away.
void add_prevent_command(CLI::App& app, int& exit);
// check: a history of calls, judged by a model.
void add_check_command(CLI::App& app, int& exit);
void add_chain_commands(CLI::App& app, int& exit);
// fidelity: a scenario in both worlds, side by side.
void add_fidelity_command(CLI::App& app, int& exit);
// contend: a command that runs while a mutex is owned.
void add_contend_command(CLI::App& app, int& exit);
// watch, who: who owns what on stores that are in use.
void add_watch_commands(CLI::App& app, int& exit);
// history: who owned a mutex when, from a recording.
void add_history_command(CLI::App& app, int& exit);
// simulate: a scenario after what was observed.
void add_simulate_command(CLI::App& app, int& exit);
// alerts: rules, and when they would have fired.
void add_alert_commands(CLI::App& app, int& exit);
// proxy: the fault proxy alone.
void add_proxy_command(CLI::App& app, int& exit);
// replay: what a recording came to, again; recording: what can be done with one.
void add_replay_command(CLI::App& app, int& exit, int argc, char** argv);
void add_recording_commands(CLI::App& app, int& exit);
// completion and man: made from the same table as --help.
void add_help_commands(CLI::App& app, int& exit);
// What "did you mean" says of a word that is no command or option, and where --help is.
std::string usage_hint(const CLI::App& app, const std::vector<std::string>& unexpected);

}  // namespace leasescope::ctl
