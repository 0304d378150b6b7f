// handoff/<store>/<waiters>: from the owner's stop until the next one owns, against that store's own floor (floor.h),
// the two in turns. handoff/<store>/<peer>: other people's mutexes on the same server. takeover/<store>: from the end
// of a dead owner's lease until the next one owns. Percentiles and their ratios are among the counters, in
// microseconds.
#include <benchmark/benchmark.h>
#include <QCoreApplication>

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "core/store/types/types.h"
#include "simulator/live/private_server.h"
#include "tests/bench/handoff/peer.h"
#include "tests/bench/handoff/relay.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;
using std::chrono::milliseconds;

constexpr int kSamples = 400, kOfMany = 100, kTakeOvers = 60;

// One a store, for all that is measured on it.
class Servers {
 public:
  const StoreUrl& of(const StoreType& type) {
    auto& server = servers_[&type];
    if (server == nullptr) {
      auto made = std::make_unique<PrivateServer>(type);
      if (auto started = made->start(); !started) throw std::runtime_error(started.error());
      server = std::move(made);
    }
    return server->url();
  }

 private:
  std::map<const StoreType*, std::unique_ptr<PrivateServer>> servers_;
};

Servers* servers = nullptr;

class Samples {
 public:
  void add(Watch::duration each) { all_.push_back(std::chrono::duration<double, std::micro>(each).count()); }
  // In microseconds; the fraction `part` of all are not above it.
  double percentile(double part) {
    std::sort(all_.begin(), all_.end());
    return all_[static_cast<std::size_t>(part * static_cast<double>(all_.size() - 1))];
  }

 private:
  std::vector<double> all_;
};

void tell(benchmark::State& state, Samples& ours) {
  state.counters["p50_us"] = ours.percentile(0.5);
  state.counters["p99_us"] = ours.percentile(0.99);
}

void tell(benchmark::State& state, Samples& ours, Samples& floor) {
  tell(state, ours);
  state.counters["floor_p50_us"] = floor.percentile(0.5);
  state.counters["floor_p99_us"] = floor.percentile(0.99);
  state.counters["p50_ratio"] = ours.percentile(0.5) / floor.percentile(0.5);
  state.counters["p99_ratio"] = ours.percentile(0.99) / floor.percentile(0.99);
}

Watch::duration sample_of(Floor& floor) {
  floor.prepare();
  std::this_thread::sleep_for(Relay::kToBeSaid);
  return floor.sample();
}

double seconds_of(Watch::duration d) { return std::chrono::duration<double>(d).count(); }

// Of a server of that type, whose releases wake who waits in that way.
StoreUrl url_of(const StoreType& type, WakeUp mode) {
  StoreUrl out = servers->of(type);
  out.wake_up = mode;
  return out;
}

void hand_off(benchmark::State& state, const StoreType& type, WakeUp mode, int waiters) {
  const StoreUrl url = url_of(type, mode);
  const auto floor = find_floor(type.name())->make(url);
  Relay relay(url, waiters, LeaseTerms{});
  Samples ours, floors;
  std::int64_t before = 0, requests = 0, counted = 0;
  relay.when_all_is_said([&] {
    if (const auto now = floor->requests()) requests += *now - before, ++counted;
  });
  for (auto _ : state) {
    floors.add(sample_of(*floor));
    before = floor->requests().value_or(0);
    const auto took = relay.hand_off();
    ours.add(took);
    state.SetIterationTime(seconds_of(took));
  }
  tell(state, ours, floors);
  if (counted > 0) state.counters["requests"] = static_cast<double>(requests) / static_cast<double>(counted);
}

void take_over(benchmark::State& state, const StoreType& type, WakeUp mode) {
  LeaseTerms terms;
  terms.ttl = milliseconds(200);
  terms.transition = milliseconds(100);
  Relay relay(url_of(type, mode), 2, terms);
  Samples ours;
  for (auto _ : state) {
    const auto took = relay.take_over();
    ours.add(took);
    state.SetIterationTime(std::max(seconds_of(took), 0.0));
  }
  tell(state, ours);
}

void peer(benchmark::State& state, const StoreType& type, const PeerKind& kind) {
  const StoreUrl& url = servers->of(type);
  const auto floor = find_floor(type.name())->make(url);
  Samples theirs, floors;
  for (auto _ : state) {
    for (int i = 0; i < kOfMany; ++i) floors.add(sample_of(*floor));
    for (const auto& each : kind.samples(url, kOfMany)) theirs.add(each);
    state.SetIterationTime(theirs.percentile(0.5) / 1e6);
  }
  tell(state, theirs, floors);
}

// What a server or a peer has to say against it ends one row and not the table.
template <typename Work>
void told(benchmark::State& state, Work&& work) {
  try {
    work();
  } catch (const NotInstalled& missing) {
    state.SkipWithError(fmt::format("not installed: {}", missing.what()).c_str());
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

void add(const std::string& name, int iterations, std::function<void(benchmark::State&)> work) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [work = std::move(work)](benchmark::State& state) { told(state, [&] { work(state); }); })
      ->UseManualTime()
      ->Iterations(iterations)
      ->Unit(benchmark::kMicrosecond);
}

// What a type is called in the table, in that way of waking.
std::string row_of(const StoreType& type, WakeUp mode) {
  return mode == WakeUp::kBroadcast ? std::string(type.name()) : fmt::format("{},{}", type.name(), text(mode));
}

void add_hand_offs(const StoreType& type) {
  for (const WakeUp mode : type.wake_ups)
    for (const int waiters : {1, 2, 10, 50})
      add(fmt::format("handoff/{}/{}", row_of(type, mode), waiters), waiters > 2 ? kOfMany : kSamples,
          [&type, mode, waiters](benchmark::State& state) { hand_off(state, type, mode, waiters); });
  for (const PeerKind& kind : peers())
    if (kind.store == type.name())
      add(fmt::format("handoff/{}/{}", type.name(), kind.name), 1,
          [&type, &kind](benchmark::State& state) { peer(state, type, kind); });
}

void add_all() {
  for (const StoreType* type : store_types())
    if (find_floor(type->name()) != nullptr) add_hand_offs(*type);
  for (const StoreType* type : store_types())
    if (type->carries(Family::kLease))
      for (const WakeUp mode : type->wake_ups)
        add(fmt::format("takeover/{}", row_of(*type, mode)), kTakeOvers,
            [type, mode](benchmark::State& state) { take_over(state, *type, mode); });
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const QCoreApplication application(argc, argv);
  Servers own;
  servers = &own;
  add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
