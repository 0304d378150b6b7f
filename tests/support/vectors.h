// What Simba's own classes answer: tests/vectors/*.json. Each file says in `about` what was called, and in `versions`
// of which releases; what was given and what came of it follow, a case a line.
#pragma once
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/places.h"

namespace leasescope::tests {

struct Vector {
  nlohmann::json given;
  nlohmann::json then;   // what the version asked for answered
  std::string describe;  // for the message of a failing test
};

// The vectors of a topic that were asked of `version` ("3.1.3" or "4.x").
inline std::vector<Vector> vectors(const std::string& topic, const std::string& version = "3.1.3") {
  std::ifstream file(std::string(kSourceFolder) + "/tests/vectors/" + topic + ".json");
  if (!file) throw std::runtime_error("no vectors for " + topic);
  std::vector<Vector> out;
  const nlohmann::json all = nlohmann::json::parse(file);
  for (const nlohmann::json& vector : all.at("vectors"))
    for (const nlohmann::json& result : vector.at("results"))
      for (const nlohmann::json& asked : result.at("versions"))
        if (asked == version)
          out.push_back({vector.at("given"), result.at("then"), version + ": " + vector.at("given").dump()});
  return out;
}

}  // namespace leasescope::tests
