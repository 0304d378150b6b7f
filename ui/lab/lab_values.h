// What the reader changed in a scenario: a value of its own, so that undo is going back to an older one.
#pragma once
#include <map>
#include <set>
#include <string>

#include <tl/expected.hpp>

#include "simulator/scenario/reader.h"

namespace leasescope {

struct LabValues {
  std::map<std::string, std::string> overrides;  // as `--set` takes them: "mutex.ttl" → "5s"
  std::set<int> faultsOff;                       // rows of the plan
  std::string store = "model";                   // "model", a store type's word or a URL

  bool live() const { return store != "model"; }
  // Against the file; the store is no part of it.
  bool changed() const { return !overrides.empty() || !faultsOff.empty(); }
  friend bool operator==(const LabValues& a, const LabValues& b) {
    return a.overrides == b.overrides && a.faultsOff == b.faultsOff && a.store == b.store;
  }
};

// Where a scenario comes from; its text is kept, so that values can be read over it again.
struct LabSource {
  std::string name;  // built-in name or path
  std::string toml;
  bool builtIn = true;

  bool empty() const { return name.empty(); }
};

// The scenario under these values; what the file would reject, it rejects.
tl::expected<Scenario, InputError> readScenario(const LabSource& source, const LabValues& values);
tl::expected<LabSource, InputError> findSource(const std::string& nameOrPath);
// A store as it is shown and written: never with its password.
std::string shownStore(const std::string& store);

}  // namespace leasescope
