// Reads a scenario from TOML, with the overrides of `--set`; errors name file, line, column and what was expected.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "simulator/scenario/scenario.h"

namespace leasescope {

struct InputError {
  std::string file;  // or "--set mutex.ttl=abc"
  int line = 0;      // 0: no place
  int column = 0;
  std::string message;  // what was found, what was expected, what to do

  std::string text() const;  // "file:12:3: message"
};

// `overrides` are "path=value" pairs with dotted paths and list indices; what the file would reject, they are rejected
// for.
tl::expected<Scenario, InputError> read_scenario(std::string_view toml, const std::string& file,
                                                 const std::vector<std::string>& overrides = {});
tl::expected<Scenario, InputError> read_scenario_file(const std::string& path,
                                                      const std::vector<std::string>& overrides = {});

}  // namespace leasescope
