// recording: events a second from an append to the end of the file, all on one disk; recording_offer: how long whoever
// records is kept, at most; recording_read: events a second from the file to a history in memory.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <unistd.h>

#include "core/base/expect.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "simulator/run/virtual_run.h"
#include "tests/bench/contention_scenario.h"

namespace {

using namespace leasescope;

constexpr std::size_t kEvents = 1'000'000;

// Forty contenders on four mutexes, until there are so many events.
const History& night() {
  static const History history = [] {
    VirtualRun run(bench::contention(40, 100'000));
    while (run.history().events.size() < kEvents && run.advance(run.now() + std::chrono::seconds(10))) {
    }
    return run.history();
  }();
  return history;
}

std::string path_of(const char* name) {
  return (std::filesystem::temp_directory_path() / fmt::format("leasescope-{}-{}", getpid(), name)).string();
}

void write(const std::string& path) {
  auto writer = RecordingWriter::create(path);
  expect(writer.has_value(), "a recording can be made in the folder for temporary files");
  (*writer)->head({});
  (*writer)->append(night());
  expect((*writer)->finish(night(), {}).has_value(), "a recording can be written to its end");
}

void rate(benchmark::State& state, std::size_t events) {
  state.counters["events_per_second"] =
      benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsIterationInvariantRate);
}

void recording(benchmark::State& state) {
  const std::string path = path_of("write");
  const std::size_t events = night().events.size();
  std::uintmax_t bytes = 0;
  for (auto _ : state) {
    std::filesystem::remove(path);
    write(path);
    bytes = std::filesystem::file_size(path);
  }
  std::filesystem::remove(path);
  rate(state, events);
  state.counters["bytes_per_event"] = static_cast<double>(bytes) / static_cast<double>(events);
}

void recording_read(benchmark::State& state) {
  const std::string path = path_of("read");
  std::filesystem::remove(path);
  write(path);
  for (auto _ : state) {
    auto reader = RecordingReader::open(path);
    const auto history = reader->read();
    expect(history && history->events.size() == night().events.size(), "a recording is read whole");
  }
  std::filesystem::remove(path);
  rate(state, night().events.size());
}

// As a window does that looks twenty times a second at a run of 100 000 events a second, but without waiting between.
void recording_offer(benchmark::State& state) {
  constexpr std::size_t kAtOnce = 5'000;
  const std::string path = path_of("offer");
  std::chrono::steady_clock::duration longest{};
  for (auto _ : state) {
    std::filesystem::remove(path);
    auto writer = RecordingWriter::create(path);
    History history;
    history.names = night().names;
    history.legend = night().legend;
    history.events.reserve(night().events.size());
    while (history.events.size() < night().events.size()) {
      const auto from = night().events.begin() + static_cast<std::ptrdiff_t>(history.events.size());
      const std::size_t count = std::min(kAtOnce, night().events.size() - history.events.size());
      history.events.insert(history.events.end(), from, from + static_cast<std::ptrdiff_t>(count));
      const auto began = std::chrono::steady_clock::now();
      (*writer)->offer(history);
      longest = std::max(longest, std::chrono::steady_clock::now() - began);
    }
    expect((*writer)->finish(history, {}).has_value(), "a recording can be written to its end");
  }
  std::filesystem::remove(path);
  state.counters["longest_ms"] = std::chrono::duration<double, std::milli>(longest).count();
}

BENCHMARK(recording)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(recording_offer)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(recording_read)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
