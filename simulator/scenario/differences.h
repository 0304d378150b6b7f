// What one scenario says otherwise than another, key by key: the way from one to the other as `--set` takes it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "simulator/scenario/scenario.h"

namespace leasescope {

struct Difference {
  std::string path;   // "mutex.ttl", "contender.0.count", "fault.1.at"; a list whose length differs is one: "fault"
  std::string value;  // as TOML writes it in one line; empty: the key is left out
  std::function<void(Scenario&)> take;  // makes another scenario say so; as long as both that were compared live
};

// In the order of a file; names, replays and what was edited before are no differences.
std::vector<Difference> differences(const Scenario& from, const Scenario& to);
// Those that its expectations do not speak of, by their paths: what `Scenario::edits` holds.
std::vector<std::string> edits_between(const Scenario& changed, const Scenario& original);
// Both run alike, whatever their files are called and look like.
bool same_run(const Scenario& a, const Scenario& b);

// What `--set` has to be told so that the text of `original` becomes `scenario`, "mutex.ttl=\"7s\"" each. The error
// names what no setting can do, such as taking a key out.
tl::expected<std::vector<std::string>, std::string> settings_for(const Scenario& scenario, const std::string& toml,
                                                                 const std::string& file);

}  // namespace leasescope
