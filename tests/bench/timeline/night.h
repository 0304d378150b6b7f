// A night of leases for the benches of the chart: a run of forty contenders on eight mutexes, long enough for so many
// spans, with some ten thousand incidents among them, folded while it goes on.
#pragma once
#include <fmt/format.h>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/scenario.h"

namespace leasescope::bench {

// Lives as long as the lease does: an owner that pauses so long is overtaken.
inline Scenario night(std::uint64_t spans) {
  constexpr int kMutexes = 8, kContenders = 40, kPauses = 24'000;
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
  out.faults.reserve(kPauses);
  for (int i = 0; i < kPauses; ++i) {
    FaultTable& pause = out.faults.emplace_back();
    pause.at = TimeExpression(std::chrono::milliseconds(seconds * 1'000 / kPauses * i + 3'000));
    pause.kind = "pause";
    pause.target = fmt::format("n{}", (i * 17) % kContenders);
    pause.duration = TimeExpression(std::chrono::seconds(5));
    pause.words["clock"] = "runs";
  }
  return out;
}

}  // namespace leasescope::bench
