// team_recording: events a second into a team's database on a private PostgreSQL, from an append to the last commit;
// team_who_at: how long it takes to find who owned a mutex at a moment, of a million events of a week and three
// observers' recordings: what `history MUTEX --at` asks on a connection that stands.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>

#include <fmt/format.h>

#include "core/base/expect.h"
#include "core/history/recording/recording_writer.h"
#include "core/history/team/days.h"
#include "core/history/team/team_sink.h"
#include "core/history/team/terms.h"
#include "core/store/postgres/store_type.h"
#include "simulator/live/private_server.h"

namespace {

using namespace leasescope;
using namespace leasescope::team;

constexpr std::size_t kEvents = 1'000'000;
constexpr int kMutexes = 100;
constexpr Duration kWeek = std::chrono::hours(24 * 7);
constexpr std::int64_t kEpoch = 1'764'000'000'000'000'000;
constexpr const char* kObservers[] = {"api-1", "api-2", "api-3"};

// Mutexes that change hands, as a watch sees them.
const History& week() {
  static const History history = [] {
    History out;
    std::mt19937 draw(7);
    const Name store = out.names.intern("redis://h");
    std::vector<Name> mutexes, owners;
    for (int i = 0; i < kMutexes; ++i) mutexes.push_back(out.names.intern(fmt::format("orders-{}", i)));
    for (int i = 0; i < 40; ++i) owners.push_back(out.names.intern(fmt::format("873@api-{}", i)));
    std::vector<Name> held(mutexes.size());
    std::vector<Token> granted(mutexes.size());
    const auto tell = [&](EventKind kind, Name who, Name mutex, Token token = kNoToken) {
      Event event;
      event.kind = kind;
      event.node = who;
      event.mutex = mutex;
      event.token = token;
      const auto share = static_cast<double>(out.events.size()) / static_cast<double>(kEvents);
      event.hi = TrueTime(Duration(static_cast<std::int64_t>(share * static_cast<double>(kWeek.count()))));
      event.lo = std::max(TrueTime{}, event.hi - Duration(draw() % 200'000'000));
      if (kind == EventKind::kGranted || kind == EventKind::kRenewed) event.a = 10'000'000'000;
      out.events.push_back(event);
    };
    for (const Name mutex : mutexes) {
      tell(EventKind::kUnobservedBegan, store, mutex);
      tell(EventKind::kUnobservedEnded, store, mutex);
    }
    for (Token token = 1; out.events.size() < kEvents; ++token) {
      const std::size_t at = draw() % mutexes.size();
      if (!held[at].empty()) tell(EventKind::kReleased, held[at], mutexes[at], granted[at]);
      held[at] = owners[draw() % owners.size()];
      granted[at] = token;
      tell(EventKind::kGranted, held[at], mutexes[at], token);
      if (draw() % 2 == 0) tell(EventKind::kRenewed, held[at], mutexes[at], token);
    }
    out.now = out.events.back().hi;
    return out;
  }();
  return history;
}

const StoreUrl& server() {
  static PrivateServer private_server(postgres::store_type());
  static const bool started = private_server.start().has_value();
  expect(started, "a private PostgreSQL can be started");
  return private_server.url();
}

void record(const StoreUrl& url, const char* observer) {
  TeamTerms terms;
  terms.observer = observer;
  auto sink = TeamSink::open(url, terms);
  expect(sink.has_value(), "a team's history can be begun");
  RecordingWriter writer("team", std::move(*sink));
  HistoryHeader header;
  header.epoch_ns = kEpoch;
  header.world = "live";
  writer.head(header);
  writer.append(week());
  expect(writer.finish(week(), {}).has_value(), "a team's history can be written to its end");
}

// Of its own, so that others are not in the way.
StoreUrl database(const std::string& name) {
  auto connection = Connection::open(server(), {});
  expect(connection.has_value(), "the private PostgreSQL can be reached");
  (void)(*connection)->say("create database " + name);
  StoreUrl out = server();
  out.database = name;
  return out;
}

void team_recording(benchmark::State& state) {
  int turn = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const StoreUrl url = database(fmt::format("recording_{}", turn++));
    state.ResumeTiming();
    record(url, kObservers[0]);
  }
  state.counters["events_per_second"] =
      benchmark::Counter(static_cast<double>(kEvents), benchmark::Counter::kIsIterationInvariantRate);
}

void team_who_at(benchmark::State& state) {
  static const StoreUrl url = [] {
    const StoreUrl made = database("who_at");
    for (const char* const observer : kObservers) record(made, observer);
    return made;
  }();
  auto reading = TeamReading::open(url);
  expect(reading.has_value(), "a team's history can be read");
  std::mt19937_64 draw(11);
  std::vector<double> ms;
  for (auto _ : state) {
    const std::string mutex = fmt::format("orders-{}", draw() % kMutexes);
    const auto at = kEpoch + static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(kWeek.count()));
    const auto began = std::chrono::steady_clock::now();
    const auto mutexes = mutexes_of(**reading, mutex, {});
    expect(mutexes && mutexes->size() == std::size(kObservers), "each observer knows each mutex");
    for (const TeamMutex& each : *mutexes) {
      const auto terms = terms_at(**reading, each, at);
      expect(terms.has_value(), "a moment can be asked for");
      benchmark::DoNotOptimize(terms->size());
    }
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
  }
  std::sort(ms.begin(), ms.end());
  state.counters["p50_ms"] = ms[ms.size() / 2];
  state.counters["p95_ms"] = ms[ms.size() * 95 / 100];
  state.counters["longest_ms"] = ms.back();
}

BENCHMARK(team_recording)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
BENCHMARK(team_who_at)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);

}  // namespace
