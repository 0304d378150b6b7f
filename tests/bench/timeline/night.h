// A night of leases, for what is measured and tested of the chart: a run of forty contenders on eight mutexes, long
// enough for so many spans, with some incidents for every two faults.
#pragma once
#include <fmt/format.h>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/scenario.h"

namespace leasescope::bench {

inline FaultTable& add_step(Scenario& to, const char* kind, std::chrono::milliseconds at, const std::string& who) {
  FaultTable& step = to.faults.emplace_back();
  step.at = TimeExpression(at);
  step.kind = kind;
  step.target = who;
  return step;
}

// In turns somebody pauses longer than a lease, or is stopped and started again.
inline Scenario night(std::uint64_t spans, int faults = 24'000) {
  constexpr int kMutexes = 8, kContenders = 40;
  constexpr std::uint64_t kSpansASecond = 11;  // three a renewal: the mutex's, the holder's, what it believes
  const auto seconds = static_cast<std::int64_t>(spans / kSpansASecond);
  Scenario out;
  out.title = "Night";
  out.duration = TimeExpression(std::chrono::seconds(seconds));
  out.mutex.count = kMutexes;
  out.mutex.terms.ttl = std::chrono::seconds(2);
  out.mutex.terms.transition = std::chrono::seconds(1);
  out.resources.emplace_back().work.write_every = std::chrono::seconds(2);
  out.contenders.resize(kContenders);
  for (int i = 0; i < kContenders; ++i) out.contenders[static_cast<std::size_t>(i)].name = fmt::format("n{}", i);
  out.faults.reserve(static_cast<std::size_t>(faults) * 3 / 2);
  for (int i = 0; i < faults; ++i) {
    const auto at = std::chrono::milliseconds(seconds * 1'000 * i / faults);
    const std::string who = fmt::format("n{}", (i / 2 * 17) % kContenders);
    if (i % 2 == 0) {
      FaultTable& pause = add_step(out, "pause", at + std::chrono::seconds(3), who);
      pause.duration = TimeExpression(std::chrono::seconds(5));
      pause.words["clock"] = "runs";
    } else {
      add_step(out, "stop", at + std::chrono::seconds(10), who);
      add_step(out, "start", at + std::chrono::seconds(12), who);
    }
  }
  return out;
}

}  // namespace leasescope::bench
