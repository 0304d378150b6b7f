#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "simulator/scenario/catalogue.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

std::string keys_of(const FaultKind& kind) {
  std::vector<std::string> keys{"at", "target"};
  if (kind.lasts) keys.emplace_back("duration");
  if (kind.during_compute) keys.emplace_back("during = compute");
  for (const FaultKey& key : kind.keys)
    keys.push_back(key.type == FaultKeyType::kWord ? fmt::format("{} = {}", key.name, fmt::join(key.words, "|"))
                                                   : std::string(key.name));
  return fmt::format("{}", fmt::join(keys, ", "));
}

std::vector<std::string> worlds_of(const FaultKind& kind) {
  if (kind.live) return {"virtual", "live:redis", "live:postgres"};
  return {"virtual"};
}

int list_faults(bool json) {
  Json list = Json::array();
  for (const FaultKind& kind : all_fault_kinds()) {
    if (json) {
      list.push_back({{"kind", kind.name},
                      {"about", kind.about},
                      {"keys", keys_of(kind)},
                      {"worlds", worlds_of(kind)},
                      {"may_break", kind.may_break.empty() ? Json(nullptr) : Json(kind.may_break)}});
      continue;
    }
    fmt::print("{:<18} {}\n{:<18} keys: {}; worlds: {}; may break: {}\n", kind.name, kind.about, "", keys_of(kind),
               fmt::join(worlds_of(kind), ", "), kind.may_break.empty() ? "nothing" : kind.may_break);
  }
  if (json) fmt::print("{}\n", list.dump(2));
  return kAsExpected;
}

}  // namespace

int list_scenarios(bool json, bool faults) {
  if (faults) return list_faults(json);
  Json list = Json::array();
  for (const BuiltIn& built_in : built_in_scenarios()) {
    const auto scenario = read_scenario(built_in.toml, built_in.name + ".toml");
    if (!scenario) {
      fmt::print(stderr, "leasescopectl: {}\n", scenario.error().text());
      return kFailed;
    }
    if (json) {
      list.push_back({{"name", built_in.name},
                      {"title", scenario->title},
                      {"about", scenario->about},
                      {"worlds", scenario->worlds()}});
    } else {
      fmt::print("{:<20} {:<34} {}\n", built_in.name, scenario->title, fmt::join(scenario->worlds(), ", "));
    }
  }
  if (json) fmt::print("{}\n", list.dump(2));
  return kAsExpected;
}

}  // namespace leasescope::ctl
