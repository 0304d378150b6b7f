// contention/<contenders>: the shipped world with the shipped contender and worker, incidents and hash on.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "simulator/run/bare_run.h"
#include "tests/bench/contention_scenario.h"
#include "tests/bench/peak_memory.h"

namespace {

using namespace leasescope;

// About two million inputs, but never less than a minute, so that every contender has had its pause.
int seconds_for(int contenders) { return contenders < 10 ? 60'000 : std::max(60, 600'000 / contenders); }

void contention(benchmark::State& state) {
  const auto contenders = static_cast<int>(state.range(0));
  const bench::PeakMemory memory;
  const int seconds = seconds_for(contenders);
  std::uint64_t inputs = 0, protocol = 0;
  for (auto _ : state) {
    state.PauseTiming();
    BareRun run(bench::contention(contenders, seconds));
    state.ResumeTiming();
    run.advance(TrueTime{} + std::chrono::seconds(seconds));
    inputs += run.inputs();
    protocol += run.protocol_inputs();
    std::uint64_t hash = run.trace_hash();
    benchmark::DoNotOptimize(hash);
  }
  using benchmark::Counter;
  state.counters["events_per_second"] = Counter(static_cast<double>(inputs), Counter::kIsRate);
  state.counters["protocol_events_per_second"] = Counter(static_cast<double>(protocol), Counter::kIsRate);
  state.counters["peak_rss_mb"] = memory.megabytes();
}

}  // namespace

BENCHMARK(contention)
    ->Name("contention")
    ->Arg(3)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(100'000)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
