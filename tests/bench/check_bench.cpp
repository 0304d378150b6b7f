// check/fast_path/<calls>: all outcomes known; check/search/<calls>: one in a hundred unknown, ten clients. By the
// model of a fenced mutex; check/search_<model> by the others. check/offence_<model>: illegal at its end, and what
// shows it; not where several hold a lock, which takes minutes.
#include <benchmark/benchmark.h>

#include <string>

#include <fmt/format.h>

#include "core/base/expect.h"
#include "core/check/check.h"
#include "tests/support/lock_history.h"

namespace {

using namespace leasescope;
using namespace leasescope::check;

void judged(benchmark::State& state, const Model& model, const Calls& calls, Verdict expected) {
  for (auto _ : state) expect(judge(model, calls, {}).verdict == expected, "the verdict of a benchmark is known");
  state.counters["calls_per_second"] =
      benchmark::Counter(static_cast<double>(calls.calls.size()), benchmark::Counter::kIsIterationInvariantRate);
}

void legal(benchmark::State& state, Model model, std::uint32_t unknown_ppm) {
  tests::LockHistory history(model, unknown_ppm);
  judged(state, model, history.make(static_cast<std::size_t>(state.range(0))), Verdict::kOk);
}

// One more call on the lock at the end, by one who cannot have it.
void illegal(benchmark::State& state, Model model, std::uint32_t unknown_ppm) {
  tests::LockHistory history(model, unknown_ppm);
  Calls calls = history.make(static_cast<std::size_t>(state.range(0)));
  Call last = calls.calls.back();
  last.f = model.kind == ModelKind::kSemaphore   ? Operation::kRelease
           : model.kind == ModelKind::kReadWrite ? Operation::kWriteUnlock
                                                 : Operation::kUnlock;
  last.ending = Ending::kOk;
  last.client = last.process = calls.names.intern("nobody");
  last.fence = kNoToken;
  for (const Call& call : calls.calls) last.called = std::max(last.called, call.called);
  last.called.place = last.returned.place = INT64_MAX - 1;
  last.called.ns += 1'000;
  last.returned = last.called;
  calls.calls.push_back(last);
  judged(state, model, calls, Verdict::kIllegal);
}

const bool registered = [] {
  constexpr std::uint32_t kOneInAHundred = 10'000;
  const auto add = [](const std::string& name, auto run, Model model, std::uint32_t unknown_ppm, int calls) {
    benchmark::RegisterBenchmark(name.c_str(), run, model, unknown_ppm)->Arg(calls)->Unit(benchmark::kMillisecond);
  };
  const Model fenced{ModelKind::kFenced};
  add("check/fast_path", legal, fenced, 0, 100'000);
  add("check/search", legal, fenced, kOneInAHundred, 10'000);
  for (int i = 0; i < kModels; ++i) {
    const Model model{static_cast<ModelKind>(i), static_cast<ModelKind>(i) == ModelKind::kSemaphore ? 3U : 2U};
    const std::string_view name = text(model.kind);
    if (model.kind != ModelKind::kFenced)
      add(fmt::format("check/search_{}", name), legal, model, kOneInAHundred, 10'000);
    const bool several = model.kind == ModelKind::kSemaphore || model.kind == ModelKind::kReadWrite;
    if (model.kind != ModelKind::kMutex && !several)  // nobody's unlock is one of a mutex without owners
      add(fmt::format("check/offence_{}", name), illegal, model, kOneInAHundred, 10'000);
  }
  add("check/offence_known", illegal, fenced, 0, 100'000);
  return true;
}();

}  // namespace
