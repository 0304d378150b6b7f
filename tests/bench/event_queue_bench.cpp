// event_queue/<structure>/<pending>: one pop and one push at a constant number of entries, over an engine's mix of
// delays.
#include <benchmark/benchmark.h>

#include <queue>

#include "core/base/random_stream.h"
#include "simulator/engine/event_queue.h"
#include "tests/support/heap_queue.h"

namespace {

using namespace leasescope;

// 80 % messages of about 0.5 ms, 15 % timers of 10 ms to 3 s, 5 % of 10 s to 30 s.
Duration delay(RandomStream& stream) {
  const std::uint64_t kind = stream.below(100);
  if (kind < 80) return Duration(static_cast<std::int64_t>(250'000 + stream.below(500'000)));
  if (kind < 95) return Duration(static_cast<std::int64_t>(10'000'000 + stream.below(2'990'000'000)));
  return Duration(static_cast<std::int64_t>(10'000'000'000 + stream.below(20'000'000'000)));
}

// The standard library's heap, with the order of pushing that equal times need.
class StandardQueue {
 public:
  void push(TrueTime at, Due due, std::uint32_t node, std::uint32_t payload) {
    queue_.push({{at, due, node, payload}, ++pushed_});
  }
  QueueEntry pop() {
    const QueueEntry top = queue_.top().entry;
    queue_.pop();
    return top;
  }

 private:
  struct Ordered {
    QueueEntry entry;
    std::uint64_t order = 0;
  };
  struct Later {
    bool operator()(const Ordered& a, const Ordered& b) const {
      return a.entry.at != b.entry.at ? a.entry.at > b.entry.at : a.order > b.order;
    }
  };
  std::priority_queue<Ordered, std::vector<Ordered>, Later> queue_;
  std::uint64_t pushed_ = 0;
};

template <class Queue>
void pop_and_push(benchmark::State& state) {
  Queue queue;
  RandomStream stream(1, "bench", "delays");
  for (std::int64_t i = 0; i < state.range(0); ++i) queue.push(TrueTime{} + delay(stream), Due::kWork, 0, 0);
  // The mix of what is pending settles before it is measured: what is long stays, what is short is replaced.
  for (std::int64_t i = 0; i < 4 * state.range(0); ++i) {
    const TrueTime now = queue.pop().at;
    queue.push(now + delay(stream), Due::kWork, 0, 0);
  }
  for (auto _ : state) {
    TrueTime now = queue.pop().at;
    queue.push(now + delay(stream), Due::kWork, 0, 0);
    benchmark::DoNotOptimize(now);
  }
}

}  // namespace

BENCHMARK(pop_and_push<EventQueue>)->Name("event_queue/radix")->RangeMultiplier(10)->Range(1, 1'000'000);
BENCHMARK(pop_and_push<tests::HeapQueue>)->Name("event_queue/heap4")->RangeMultiplier(10)->Range(1, 1'000'000);
BENCHMARK(pop_and_push<StandardQueue>)->Name("event_queue/priority_queue")->RangeMultiplier(10)->Range(1, 1'000'000);
