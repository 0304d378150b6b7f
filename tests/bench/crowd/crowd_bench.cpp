// crowd/<store>/<contenders>: that many in one process for five minutes (ttl 10 s, transition 6 s, ten of each mutex),
// and crowd/<store>/most for one: as many as its descriptor limit carries, two each. Counted are the share of a core
// and the memory that they take, renewals, and what must not be: ownerships that were lost, calls or lines that failed.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <QCoreApplication>

#include <csignal>

#include <fmt/format.h>

#include "core/store/types/types.h"
#include "simulator/live/descriptor_limit.h"
#include "simulator/live/private_server.h"
#include "tests/bench/crowd/crowd.h"
#include "tests/bench/peak_memory.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;

constexpr std::size_t kOfAMutex = 10, kAtRest = 150;

double seconds_of_processor() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& of) { return static_cast<double>(of.tv_sec) + of.tv_usec / 1e6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::size_t most_by_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_max / 2 - kAtRest;
}

void crowd(benchmark::State& state, const StoreType& type, std::size_t contenders, std::chrono::seconds length) {
  if (const auto room = allow_descriptors_for(contenders, false); !room)
    return state.SkipWithError(room.error().c_str());
  PrivateServer server(type, {{}, static_cast<int>(2 * contenders), false});
  if (const auto started = server.start(); !started) return state.SkipWithError(started.error().c_str());
  if (const Looked looked = type.probe(server.url(), Family::kLease, {"crowd-0"}, {}); !looked)
    return state.SkipWithError(looked.error().c_str());
  LeaseTerms terms;
  terms.ttl = std::chrono::seconds(10);
  terms.transition = std::chrono::seconds(6);
  const PeakMemory memory;
  for (auto _ : state) {
    Crowd all(server.url(), contenders, std::max<std::size_t>(1, contenders / kOfAMutex), terms);
    all.gather();
    const double before = seconds_of_processor();
    all.stay(length);
    const double whole = static_cast<double>(length.count());
    state.SetIterationTime(whole);
    state.counters["contenders"] = static_cast<double>(contenders);
    state.counters["core_percent"] = 100 * (seconds_of_processor() - before) / whole;
    state.counters["peak_mb"] = memory.megabytes();
    state.counters["renewals"] = static_cast<double>(all.renewals());
    state.counters["lost"] = static_cast<double>(all.losses());
    state.counters["troubles"] = static_cast<double>(all.troubles());
  }
}

void add(const StoreType& type, const std::string& name, std::size_t contenders, std::chrono::seconds length) {
  benchmark::RegisterBenchmark(fmt::format("crowd/{}/{}", type.name(), name).c_str(),
                               [&type, contenders, length](benchmark::State& state) {
                                 try {
                                   crowd(state, type, contenders, length);
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kSecond);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const QCoreApplication application(argc, argv);
  for (const StoreType* type : store_types()) {
    if (!type->carries(Family::kLease)) continue;
    add(*type, "1000", 1000, std::chrono::minutes(5));
    add(*type, "most", most_by_descriptors(), std::chrono::minutes(1));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
