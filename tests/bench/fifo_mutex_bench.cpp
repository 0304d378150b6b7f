// fifo_mutex/<contenders>: as many acquisitions as its peers (peers/) are asked for, again and again.
#include "tests/bench/fifo_mutex.h"

#include <benchmark/benchmark.h>

namespace {

void fifo_mutex(benchmark::State& state) {
  constexpr std::uint64_t kAcquisitions = 200'000;
  const auto contenders = static_cast<std::uint32_t>(state.range(0));
  double utilisation = 0, wait = 0;
  for (auto _ : state) {
    state.PauseTiming();
    leasescope::bench::FifoMutex mutex(contenders);
    state.ResumeTiming();
    mutex.run(kAcquisitions);
    utilisation = mutex.utilisation();
    wait = mutex.mean_wait_seconds();
  }
  const auto all = static_cast<double>(state.iterations() * kAcquisitions);
  state.counters["acquisitions_per_second"] = benchmark::Counter(all, benchmark::Counter::kIsRate);
  state.counters["utilisation"] = utilisation;
  state.counters["mean_wait_seconds"] = wait;
}

}  // namespace

BENCHMARK(fifo_mutex)
    ->Name("fifo_mutex")
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
