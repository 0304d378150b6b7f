// A history written by hand, and what the checkers find in it.
#pragma once
#include <algorithm>

#include "core/history/recorder.h"
#include "core/store/port.h"
#include "simulator/fault/kind.h"

namespace leasescope::tests {

using namespace std::chrono_literals;

inline Legend legend_of_faults() {
  Legend legend;
  legend.faults = fault_legend();
  return legend;
}

// A history written by hand: times in ms.
class Story {
 public:
  Story() : recorder_({}, LeaseTerms{5s, 2s, {}}, legend_of_faults()) {
    for (const char* who : {"a", "b"}) tell(0, EventKind::kStarted, who);
  }
  void tell(int at_ms, EventKind kind, const char* who, Token token = 0, std::int64_t a = 0, std::int64_t b = 0,
            std::uint8_t detail = 0) {
    Event event;
    event.lo = event.hi = TrueTime{} + std::chrono::milliseconds(at_ms);
    event.node = recorder_.intern(who);
    event.mutex = recorder_.intern(mutex);
    event.kind = kind;
    event.token = token;
    event.a = a;
    event.b = b;
    event.detail = detail;
    recorder_.append(event);
  }
  // Between two moments, as in the live world.
  void tell(int lo_ms, int hi_ms, EventKind kind, const char* who, Token token = 0, Duration a = {}) {
    Event event;
    event.lo = TrueTime{} + std::chrono::milliseconds(lo_ms);
    event.hi = TrueTime{} + std::chrono::milliseconds(hi_ms);
    event.node = recorder_.intern(who);
    event.mutex = recorder_.intern(mutex);
    event.kind = kind;
    event.token = token;
    event.a = a.count();
    recorder_.append(event);
  }
  void refused(int at_ms, const char* who, const char* words) {
    tell(at_ms, EventKind::kAttempt, who, 0, name(words).handle, static_cast<std::int64_t>(RequestKind::kAcquire),
         static_cast<std::uint8_t>(AttemptResult::kFailed));
  }
  void called(int at_ms, const char* who, AttemptResult result = AttemptResult::kLost) {
    tell(at_ms, EventKind::kAttempt, who, 0, 0, static_cast<std::int64_t>(RequestKind::kAcquire),
         static_cast<std::uint8_t>(result));
  }
  void granted(int at_ms, const char* who, Token token) {
    tell(at_ms, EventKind::kGranted, who, token, Duration(7s).count());
  }
  // As in the live world: an answer comes at most so long after the store gave it.
  void known_within(Duration late) { recorder_.known_within(late); }
  const char* mutex = "m";  // of what is told
  Name name(const char* text) { return recorder_.intern(text); }
  const History& finish(int at_ms) {
    recorder_.finish(TrueTime{} + std::chrono::milliseconds(at_ms));
    return recorder_.history();
  }
  const History& now(int at_ms) {
    recorder_.advance(TrueTime{} + std::chrono::milliseconds(at_ms));
    return recorder_.history();
  }

 private:
  Recorder recorder_;
};

// The first of that kind.
inline const Incident& first(const History& history, IncidentKind kind) {
  const auto found = std::find_if(history.incidents.begin(), history.incidents.end(),
                                  [&](const Incident& incident) { return incident.kind == kind; });
  return found == history.incidents.end() ? history.incidents.at(history.incidents.size()) : *found;
}

inline std::size_t number(const History& history, IncidentKind kind) {
  return history.summary.incidents[static_cast<std::size_t>(kind)];
}

}  // namespace leasescope::tests
