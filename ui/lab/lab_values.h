// What a run of the Lab goes by: a scenario's text and the store it runs on. A value, so that undo is going back to an
// older one.
#pragma once
#include <QByteArray>
#include <string>

#include <tl/expected.hpp>

#include "simulator/scenario/reader.h"

namespace leasescope {

struct LabValues {
  QByteArray toml;              // UTF-8; a scenario, never something that is refused
  std::string store = "model";  // "model", a store type's word or a URL

  bool live() const { return store != "model"; }
  friend bool operator==(const LabValues& a, const LabValues& b) { return a.toml == b.toml && a.store == b.store; }
};

// Where a scenario comes from, with the text that lies there: what was changed is told by it.
struct LabSource {
  std::string name;  // built-in name or path; of one that was never written, what it is called
  std::string toml;
  bool builtIn = true;
  bool written = true;  // it lies somewhere

  bool empty() const { return name.empty(); }
  bool isFile() const { return written && !builtIn; }
};

// The scenario under these values; what the file would reject, it rejects. Where the text is not that of the source,
// the scenario knows what was edited.
tl::expected<Scenario, InputError> readScenario(const LabSource& source, const LabValues& values);
tl::expected<LabSource, InputError> findSource(const std::string& nameOrPath);
// One that nobody has written yet: the least a scenario needs.
LabSource newSource();
// A store as it is shown and written: never with its password.
std::string shownStore(const std::string& store);

}  // namespace leasescope
