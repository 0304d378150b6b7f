// contention/<contenders>: the shipped world with the shipped contender and worker, incidents and hash on.
#include <benchmark/benchmark.h>

#include "simulator/run/bare_run.h"
#include "simulator/scenario/reader.h"
#include "tests/bench/contention_scenario.h"

namespace {

void contention(benchmark::State& state) {
  const auto contenders = static_cast<int>(state.range(0));
  // Enough simulated time for about two million inputs.
  const int seconds = contenders < 10 ? 60'000 : 600'000 / contenders;
  const auto scenario =
      leasescope::read_scenario(leasescope::bench::contention_toml(contenders, seconds), "contention");
  if (!scenario) {
    state.SkipWithError(scenario.error().text().c_str());
    return;
  }
  std::uint64_t inputs = 0, protocol = 0;
  for (auto _ : state) {
    state.PauseTiming();
    leasescope::BareRun run(*scenario);
    state.ResumeTiming();
    run.advance(leasescope::TrueTime{} + scenario->length());
    inputs += run.inputs();
    protocol += run.protocol_inputs();
    std::uint64_t hash = run.trace_hash();
    benchmark::DoNotOptimize(hash);
  }
  using benchmark::Counter;
  state.counters["events_per_second"] = Counter(static_cast<double>(inputs), Counter::kIsRate);
  state.counters["protocol_events_per_second"] = Counter(static_cast<double>(protocol), Counter::kIsRate);
}

}  // namespace

BENCHMARK(contention)
    ->Name("contention")
    ->Arg(3)
    ->Arg(100)
    ->Arg(1000)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
