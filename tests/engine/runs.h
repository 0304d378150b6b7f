// Short ways to a run, for the tests of the engine.
#pragma once
#include <string>
#include <vector>

#include <QTest>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"

namespace leasescope::tests {

// A scenario that must be there; the message of a wrong one is shown.
inline Scenario scenario(const std::string& name, const std::vector<std::string>& sets = {}) {
  auto found = find_scenario(name, sets);
  if (!found) qFatal("%s", found.error().text().c_str());
  return *found;
}

inline Scenario written(const std::string& toml) {
  auto found = read_scenario(toml, "test.toml");
  if (!found) qFatal("%s", found.error().text().c_str());
  return *found;
}

// The beginning of a scenario with constant delays of 1 ms, so that moments can be reckoned; more of its [store] may
// follow.
inline const std::string kReckoned = R"(schema = 1
title = "t"
duration = "30s"
[mutex]
name = "m"
ttl = "5s"
transition = "2s"
[store]
latency = "1ms"
)";

inline TrueTime at(Duration time) { return TrueTime{} + time; }

// The first of the kind from then on; TrueTime::max() where there is none.
inline TrueTime first(const History& history, EventKind kind, const std::string& node, Duration from = {}) {
  for (const Event& event : history.events)
    if (event.kind == kind && history.names.text(event.node) == node && event.at() >= at(from)) return event.at();
  return TrueTime::max();
}

// The run, finished.
inline std::unique_ptr<VirtualRun> finished(const Scenario& of) {
  auto run = std::make_unique<VirtualRun>(of);
  run->advance(TrueTime::max());
  return run;
}

inline std::uint64_t hash_of(const Scenario& of) { return *finished(of)->outcome().trace_hash; }

inline const Event* find(const History& history, EventKind kind, const std::string& node, std::size_t from = 0) {
  for (std::size_t i = from; i < history.events.size(); ++i)
    if (history.events[i].kind == kind && history.names.text(history.events[i].node) == node) return &history.events[i];
  return nullptr;
}

inline std::size_t count(const History& history, EventKind kind) {
  std::size_t n = 0;
  for (const Event& event : history.events) n += event.kind == kind;
  return n;
}

}  // namespace leasescope::tests
