#include "simulator/scenario/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/embedded.h"
#include "core/base/nearest_word.h"
#include "simulator/scenario/text_file.h"

namespace leasescope {
namespace embedded {
std::vector<File> builtin_scenarios();
}  // namespace embedded

const std::vector<BuiltIn>& built_in_scenarios() {
  static const std::vector<BuiltIn> all = [] {
    std::vector<BuiltIn> out;
    for (const embedded::File& file : embedded::builtin_scenarios()) out.push_back({file.name, file.text});
    return out;
  }();
  return all;
}

const std::vector<Scenario>& read_built_in_scenarios() {
  static const std::vector<Scenario> all = [] {
    std::vector<Scenario> out;
    for (const BuiltIn& each : built_in_scenarios())
      if (auto scenario = read_scenario(each.toml, each.name + ".toml")) out.push_back(std::move(*scenario));
    return out;
  }();
  return all;
}

tl::expected<Scenario, InputError> find_scenario(const std::string& name_or_path,
                                                 const std::vector<std::string>& overrides) {
  for (const BuiltIn& built_in : built_in_scenarios())
    if (built_in.name == name_or_path) return read_scenario(built_in.toml, built_in.name + ".toml", overrides);
  std::error_code code;
  if (name_or_path == kStandardInput || std::filesystem::exists(name_or_path, code))
    return read_scenario_file(name_or_path, overrides);
  std::vector<std::string> names;
  for (const BuiltIn& built_in : built_in_scenarios()) names.push_back(built_in.name);
  return tl::make_unexpected(
      InputError{name_or_path, 0, 0,
                 fmt::format("there is no such scenario and no such file{}: expected a TOML file or one of {}",
                             did_you_mean(name_or_path, names), fmt::join(names, ", "))});
}

}  // namespace leasescope
