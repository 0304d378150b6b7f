// crowd/<store>/<contenders>: that many in one process for five minutes (ttl 10 s, transition 6 s, ten of each mutex),
// and crowd/<store>/most for one: as many as its descriptor limit carries, two each; crowd/redis/shared/<contenders>:
// on two lines together. Counted are the share of a core, the memory and the descriptors that they take, renewals, and
// what must not be: ownerships that were lost, calls or lines that failed.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <QCoreApplication>

#include <csignal>
#include <filesystem>

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

std::size_t open_descriptors() {
  const auto all = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

struct Size {
  std::size_t contenders;
  std::chrono::seconds length;
  bool shares_lines = false;
};

void crowd(benchmark::State& state, const StoreType& type, const Size& size) {
  const std::size_t contenders = size.contenders, ways = size.shares_lines ? 1 : contenders;
  if (const auto room = allow_descriptors_for(ways, false); !room) return state.SkipWithError(room.error().c_str());
  PrivateServer server(type, {{}, static_cast<int>(2 * ways), false});
  if (const auto started = server.start(); !started) return state.SkipWithError(started.error().c_str());
  if (const Looked looked = type.probe(server.url(), Family::kLease, {"crowd-0"}, {}); !looked)
    return state.SkipWithError(looked.error().c_str());
  LeaseTerms terms;
  terms.ttl = std::chrono::seconds(10);
  terms.transition = std::chrono::seconds(6);
  StoreUrl url = server.url();
  if (size.shares_lines) url.options["lines"] = "shared";
  const PeakMemory memory;
  for (auto _ : state) {
    Crowd all(url, contenders, std::max<std::size_t>(1, contenders / kOfAMutex), terms);
    all.gather();
    const double before = seconds_of_processor();
    all.stay(size.length);
    const double whole = static_cast<double>(size.length.count());
    state.SetIterationTime(whole);
    state.counters["contenders"] = static_cast<double>(contenders);
    state.counters["core_percent"] = 100 * (seconds_of_processor() - before) / whole;
    state.counters["peak_mb"] = memory.megabytes();
    state.counters["descriptors"] = static_cast<double>(open_descriptors());
    state.counters["renewals"] = static_cast<double>(all.renewals());
    state.counters["lost"] = static_cast<double>(all.losses());
    state.counters["troubles"] = static_cast<double>(all.troubles());
  }
}

void add(const StoreType& type, const std::string& name, const Size& size) {
  benchmark::RegisterBenchmark(fmt::format("crowd/{}/{}", type.name(), name).c_str(),
                               [&type, size](benchmark::State& state) {
                                 try {
                                   crowd(state, type, size);
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
    add(*type, "1000", {1000, std::chrono::minutes(5)});
    add(*type, "most", {most_by_descriptors(), std::chrono::minutes(1)});
  }
  if (const StoreType* const redis = find_store_type("redis"); redis != nullptr)
    add(*redis, "shared/10000", {10'000, std::chrono::minutes(5), true});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
