#include "simulator/run/trail.h"

#include <array>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/engine/trace_hash.h"
#include "simulator/engine/world.h"
#include "simulator/run/verdict.h"

namespace leasescope {
namespace {

// In the order of Due; one that is newer is told by its number.
constexpr std::array<std::string_view, 19> kDues{"start",
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
                                                 "answer to a write"};

std::string words(Due due) {
  const auto place = static_cast<std::size_t>(due);
  return place < kDues.size() ? std::string(kDues[place]) : fmt::format("input {}", place);
}

std::string moment(TrueTime at) { return format_seconds(at.time_since_epoch(), 9); }

}  // namespace

struct Trail::Parts {
  World world;
  TraceHash hash;
  TrueTime end;
  std::size_t told = 0;  // of the last input's events
  bool begun = false;

  explicit Parts(const Scenario& scenario)
      : world(scenario, make_facts(scenario)),
        end(scenario.heal ? verdict_of(scenario).end : TrueTime{} + scenario.length()) {}

  std::string tell(const DispatchedInput& input) {
    hash.add(input, world.names());
    return fmt::format("{} s  {} is handed {} ({:x} {:x} {:x})  {}", moment(input.at), world.names().text(input.node),
                       words(input.due), input.a, input.b, input.c, hash_text(hash.digest()));
  }
  std::string tell(const Event& event) {
    hash.add(event, world.names());
    const bool fault = event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded;
    const std::string_view detail = fault ? all_fault_kinds()[event.detail].name : std::string_view(detail_text(event));
    return fmt::format("{} s  {} on {}: {} {} #{} ({} {})  {}", moment(event.hi), world.names().text(event.node),
                       world.names().text(event.mutex), text(event.kind), detail, event.token, event.a, event.b,
                       hash_text(hash.digest()));
  }
};

Trail::Trail(const Scenario& scenario) : parts_(std::make_unique<Parts>(scenario)) {}
Trail::Trail(Trail&&) noexcept = default;
Trail::~Trail() = default;

std::optional<std::string> Trail::next() {
  Parts& parts = *parts_;
  if (parts.begun && parts.told < parts.world.events().size()) return parts.tell(parts.world.events()[parts.told++]);
  if (!parts.world.step(parts.end)) return std::nullopt;
  parts.begun = true;
  parts.told = 0;
  return parts.tell(parts.world.input());
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
