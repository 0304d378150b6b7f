#include "simulator/campaign/trail.h"

#include <array>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/campaign/verdict.h"
#include "simulator/engine/trace_hash.h"
#include "simulator/run/bare_run.h"

namespace leasescope {
namespace {

// In the order of Due; one that is newer is told by its number.
constexpr std::array<std::string_view, 20> kDues{"start",
                                                 "stop",
                                                 "timer contend",
                                                 "timer watchdog",
                                                 "callback done",
                                                 "work",
                                                 "request timeout",
                                                 "request",
                                                 "reply",
                                                 "store event",
                                                 "write",
                                                 "lease end",
                                                 "faults due",
                                                 "fault's end",
                                                 "fault's act",
                                                 "request served",
                                                 "resubscribed",
                                                 "timer executor",
                                                 "answer to a write",
                                                 "probe"};

std::string words(Due due) {
  const auto place = static_cast<std::size_t>(due);
  return place < kDues.size() ? std::string(kDues[place]) : fmt::format("input {}", place);
}

std::string moment(TrueTime at) { return format_seconds(at.time_since_epoch(), 9); }

}  // namespace

struct Trail::Parts {
  BareRun run;
  TrueTime end;
  std::vector<std::string> lines;  // of the last input and its events
  std::size_t told = 0;            // of them

  explicit Parts(const Scenario& scenario)
      : run(scenario), end(scenario.heal ? verdict_of(scenario).end : TrueTime{} + scenario.length()) {}

  // Of the run it observes.
  void input(const DispatchedInput& input) {
    lines.push_back(fmt::format("{} s  {} is handed {} ({:x} {:x} {:x})  {}", moment(input.at), name(input.node),
                                words(input.due), input.a, input.b, input.c, hash_text(run.trace_hash())));
  }
  void event(const Event& event) {
    const bool fault = event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded;
    const std::string_view detail = fault ? all_fault_kinds()[event.detail].name : std::string_view(detail_text(event));
    lines.push_back(fmt::format("{} s  {} on {}: {} {} #{} ({} {})  {}", moment(event.hi), name(event.node),
                                name(event.mutex), text(event.kind), detail, event.token, event.a, event.b,
                                hash_text(run.trace_hash())));
  }
  std::string_view name(Name of) const { return run.world().names().text(of); }
};

Trail::Trail(const Scenario& scenario) : parts_(std::make_unique<Parts>(scenario)) {}
Trail::Trail(Trail&&) noexcept = default;
Trail::~Trail() = default;

std::optional<std::string> Trail::next() {
  Parts& parts = *parts_;
  if (parts.told == parts.lines.size()) {
    parts.lines.clear();
    parts.told = 0;
    if (!parts.run.step(parts.end, parts)) return std::nullopt;
  }
  return parts.lines[parts.told++];
}

std::optional<Divergence> first_divergence(const Lines& here, const Lines& there) {
  Divergence out;
  while (true) {
    ++out.line;
    const std::optional<std::string> mine = here(), other = there();
    if (!mine && !other) return std::nullopt;
    if (mine == other) {
      out.before = *mine;
      continue;
    }
    out.here = mine.value_or("");
    out.there = other.value_or("");
    return out;
  }
}

}  // namespace leasescope
