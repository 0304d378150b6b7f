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

// Of what `scenario` makes: a run needs it no more once it has begun, so that its memory is none of the run's.
template <class Scenario>
void measure(benchmark::State& state, Scenario scenario, int seconds) {
  const bench::PeakMemory memory;
  std::uint64_t inputs = 0, protocol = 0;
  for (auto _ : state) {
    state.PauseTiming();
    BareRun run(scenario());
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

void contention(benchmark::State& state) {
  const auto contenders = static_cast<int>(state.range(0));
  const int seconds = seconds_for(contenders);
  measure(
      state, [&] { return bench::contention(contenders, seconds); }, seconds);
}

// contention_system/<system>: a thousand contenders of each.
const bool kSystems = [] {
  each_system([]<class Terms>(std::type_identity<Terms>) {
    benchmark::RegisterBenchmark(("contention_system/" + std::string(Terms::kSystem)).c_str(),
                                 [](benchmark::State& state) {
                                   constexpr int kContenders = 1000;
                                   const int seconds = seconds_for(kContenders);
                                   measure(
                                       state, [&] { return bench::contention_by<Terms>(kContenders, seconds); },
                                       seconds);
                                 })
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kMillisecond);
  });
  return true;
}();

}  // namespace

BENCHMARK(contention)
    ->Name("contention")
    ->Arg(3)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(100'000)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
