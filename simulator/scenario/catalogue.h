// The built-in scenarios: the files of resources/scenarios, compiled in.
#pragma once
#include <string>
#include <vector>

#include "simulator/scenario/reader.h"

namespace leasescope {

struct BuiltIn {
  std::string name;
  std::string toml;
};

const std::vector<BuiltIn>& built_in_scenarios();
// Each of them read, in the same order; once, for all who show them.
const std::vector<Scenario>& read_built_in_scenarios();
// It must be reported as failing, to prove that failures are seen: whatever it declares does not happen.
inline bool is_canary(std::string_view name) { return name == "canary"; }
// A built-in name, or the path of a file.
tl::expected<Scenario, InputError> find_scenario(const std::string& name_or_path,
                                                 const std::vector<std::string>& overrides = {});

}  // namespace leasescope
