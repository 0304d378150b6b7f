// The terminal program: one function a command; each returns the exit code.
#pragma once
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace CLI {
class App;
}

namespace leasescope::ctl {

enum Exit : int { kAsExpected = 0, kFailed = 1, kBadInput = 2, kNotAsExpected = 3 };

// Says on stderr what was wrong; the exit code.
inline int bad_input(const std::string& message) {
  fmt::print(stderr, "leasescopectl: {}\n", message);
  return kBadInput;
}
inline int failed(const std::string& message) {
  fmt::print(stderr, "leasescopectl: {}\n", message);
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
  std::string report;
  std::string history;
  bool json = false;
};

int run(const RunOptions& options, int argc, char** argv);
int list_scenarios(bool json, bool faults);
// swarm; shrink and trail. The one that was asked for runs while arguments are parsed and leaves its exit code.
void add_swarm_commands(CLI::App& app, int& exit);
void add_seed_commands(CLI::App& app, int& exit);

}  // namespace leasescope::ctl
