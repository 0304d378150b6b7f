// Small worlds in which one thing goes wrong, as files.
#pragma once
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "tests/engine/runs.h"

namespace leasescope::tests {

// Alone: subscribed at 2 ms, granted at 3 ms, believes from 4 ms on, renews at 5.004 s, and its watchdog would fire
// 6.928 s after a send.
inline std::string world(const std::string& contenders, const std::string& faults) {
  return kReckoned + contenders + "[[resource]]\nlatency = \"1ms\"\n" + faults;
}

inline std::string contender(const std::string& name, const std::string& more = "") {
  return fmt::format("[[contender]]\nname = \"{}\"\n{}\n", name, more);
}

inline std::string fault(const std::string& kind, const std::string& at, const std::string& more) {
  return fmt::format("[[fault]]\nkind = \"{}\"\nat = \"{}\"\n{}\n", kind, at, more);
}

inline Scenario alone(const std::string& faults) { return written(world(contender("a"), faults)); }

inline TrueTime first(const History& history, EventKind kind) { return first(history, kind, "a"); }

inline std::size_t count_of(const History& history, EventKind kind, const std::string& node) {
  return static_cast<std::size_t>(std::count_if(history.events.begin(), history.events.end(), [&](const Event& event) {
    return event.kind == kind && history.names.text(event.node) == node;
  }));
}

}  // namespace leasescope::tests
