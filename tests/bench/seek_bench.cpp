// seek/<events>: to a random input of a run of 1 000 contenders, and one step back from there. The run is that of
// contention/1000, with snapshots of the shipped spacing and budget.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "simulator/run/snapshots.h"
#include "tests/bench/contention_scenario.h"

namespace {

using namespace leasescope;

template <class Work>
double milliseconds(Work work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

double quantile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void seek(benchmark::State& state) {
  const auto events = static_cast<std::uint64_t>(state.range(0));
  const auto seconds = static_cast<int>(events / 1'500);  // enough simulated time for so many
  const Scenario scenario = bench::contention(1'000, seconds);
  BareRun run(scenario);
  Snapshots snapshots(run);
  snapshots.advance(run, TrueTime{} + scenario.length(), events);
  const std::uint64_t all = run.inputs();

  RandomStream draws(1, "bench", "seeks");
  std::vector<double> seeks, steps;
  for (auto _ : state) {
    const std::uint64_t wanted = draws.below(all + 1);
    seeks.push_back(milliseconds([&] { snapshots.seek_input(run, wanted); }));
    state.SetIterationTime(seeks.back() / 1'000);
    steps.push_back(milliseconds([&] { snapshots.step_back(run); }));
  }
  std::vector<double> copies;
  for (int i = 0; i < 100; ++i) {
    copies.push_back(milliseconds([&] {
      BareRun copy(run);
      benchmark::DoNotOptimize(copy);
    }));
  }
  state.counters["events"] = static_cast<double>(all);
  state.counters["median_ms"] = quantile(seeks, 0.5);
  state.counters["p99_ms"] = quantile(seeks, 0.99);
  state.counters["step_back_median_ms"] = quantile(steps, 0.5);
  state.counters["step_back_p99_ms"] = quantile(steps, 0.99);
  state.counters["copy_median_ms"] = quantile(copies, 0.5);
  state.counters["snapshot_bytes"] = static_cast<double>(run.bytes_beside(run));
  state.counters["snapshots"] = static_cast<double>(snapshots.size());
  state.counters["spacing"] = static_cast<double>(snapshots.spacing());
  state.counters["snapshots_mb"] = static_cast<double>(snapshots.bytes()) / 1e6;
}

}  // namespace

BENCHMARK(seek)
    ->Name("seek")
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Iterations(1'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
