// events_filtered/<events>/<filter>: the table of events with a filter, from when it is asked for until all rows that
// pass are there, with the window's event loop turning meanwhile. Beside it in the same turn: one loop over the same
// events with the same question written out in C++, which makes the same list.
// events_sorted/<events>/<column>: likewise the table in another order than that of time, beside one loop that reads
// what rows are sorted by, and a std::stable_sort of a list of all rows by it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <numeric>
#include <vector>

#include <QApplication>

#include "core/history/kind_words.h"
#include "tests/bench/timeline/frames.h"
#include "tests/bench/timeline/night.h"
#include "tests/bench/timeline/silence.h"
#include "ui/models/events_model.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;
using Clock = std::chrono::steady_clock;
using Places = std::vector<std::uint32_t>;

struct Told {
  History history;
  Cast cast;
};

// So many events of a night of forty contenders on eight mutexes. Made once; none is held twice.
const Told& told(std::size_t events) {
  static std::unique_ptr<Told> kept;
  if (kept && kept->history.events.size() == events) return *kept;
  need_gui();
  kept.reset();
  kept = std::make_unique<Told>();
  History& history = kept->history;
  history.events.reserve(events);
  constexpr std::uint64_t kEventsASpan = 3, kSlice = 1'000'000;  // at least; inputs
  const Scenario scenario = night(events / kEventsASpan);
  VirtualRun run(scenario);
  for (bool more = true; more && history.events.size() < events;) {
    more = run.advance(TrueTime{} + scenario.length(), kSlice);
    const std::vector<Event>& last = run.history().events;
    const std::size_t room = std::min(events - history.events.size(), last.size());
    history.events.insert(history.events.end(), last.begin(), last.begin() + static_cast<std::ptrdiff_t>(room));
    run.forget_events();
  }
  history.names = run.history().names;
  history.legend = run.history().legend;
  history.now = history.events.back().hi;
  kept->cast.reset(scenario.contender_names());
  kept->cast.sync(history);
  return *kept;
}

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

template <class Busy>
void turn_while(Busy busy) {
  while (busy()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

// ---- filters

// The places of the events that pass, as a loop written for this question finds them.
template <class Passes>
Places scanned(const History& history, Passes passes) {
  Places out;
  for (std::size_t i = 0; i < history.events.size(); ++i)
    if (passes(history.events[i])) out.push_back(static_cast<std::uint32_t>(i));
  return out;
}

Name named(const History& history, const char* name) {
  for (std::uint32_t handle = 0; handle < history.names.size(); ++handle)
    if (history.names.text({handle}) == name) return {handle};
  return {};
}

Places renewals(const History& history) {
  return scanned(history, [](const Event& event) { return event.kind == EventKind::kRenewed; });
}
Places grants_of_one(const History& history) {
  return scanned(history, [who = named(history, "n7")](const Event& event) {
    return event.kind == EventKind::kGranted && event.node == who;
  });
}
Places of_two_for_a_while(const History& history) {
  const TrueTime from = TrueTime{} + std::chrono::seconds(1'000), to = TrueTime{} + std::chrono::seconds(100'000);
  return scanned(history, [=, a = named(history, "n7"), b = named(history, "n8")](const Event& event) {
    return event.hi >= from && event.hi <= to && event.token > 100 && (event.node == a || event.node == b) &&
           event.kind != EventKind::kRenewed;
  });
}

struct Asked {
  const char* filter;
  Places (*scan)(const History&);
};
constexpr std::array<Asked, 3> kAsked{{
    {"kind:renewed", renewals},
    {"by:n7 kind:granted", grants_of_one},
    {"time:1000s..100000s token:>100 (by:n7 or by:n8) not kind:renewed", of_two_for_a_while},
}};

void events_filtered(benchmark::State& state) {
  const Told& of = told(static_cast<std::size_t>(state.range(0)));
  const Asked& asked = kAsked[static_cast<std::size_t>(state.range(1))];
  EventsModel model;
  model.setHistory(&of.history, &of.cast);
  double table_ms = 0, scan_ms = 0, silence = 0;
  for (auto _ : state) {
    model.setFilter({});
    QApplication::processEvents();
    const Silence silent;
    auto began = Clock::now();
    const auto wrong = model.setFilter(QString::fromLatin1(asked.filter));
    turn_while([&] { return model.looks(); });
    const double took = milliseconds_since(began);
    silence = std::max(silence, silent.longest_ms());
    began = Clock::now();
    const Places places = asked.scan(of.history);
    scan_ms += milliseconds_since(began);
    table_ms += took;
    state.SetIterationTime(took / 1'000);
    if (wrong || static_cast<std::size_t>(model.rowCount()) != places.size())
      return state.SkipWithError("the table has other rows than the loop");
    state.counters["rows"] = static_cast<double>(places.size());
  }
  state.SetLabel(asked.filter);
  state.counters["over_scan"] = table_ms / scan_ms;
  state.counters["scan_ms"] = scan_ms / static_cast<double>(state.iterations());
  state.counters["silent_ms"] = silence;
  state.counters["list_bytes"] = static_cast<double>(model.listBytes());
}

// ---- orders

std::uint64_t key_of(const Told& of, const Event& event, int column) {
  if (column == EventsModel::kWho) return static_cast<std::uint64_t>(of.cast.indexOf(of.history, event.node) + 1);
  return column == EventsModel::kKind ? kind_key(event) : event.token;
}

void events_sorted(benchmark::State& state) {
  const Told& of = told(static_cast<std::size_t>(state.range(0)));
  const auto column = static_cast<int>(state.range(1));
  const std::vector<Event>& events = of.history.events;
  EventsModel model;
  model.setHistory(&of.history, &of.cast);
  double table_ms = 0, scan_ms = 0, sort_ms = 0, silence = 0;
  for (auto _ : state) {
    model.sort(EventsModel::kTime);
    turn_while([&] { return model.arranges(); });
    const Silence silent;
    auto began = Clock::now();
    model.sort(column);
    turn_while([&] { return model.arranges(); });
    const double took = milliseconds_since(began);
    silence = std::max(silence, silent.longest_ms());
    table_ms += took;
    state.SetIterationTime(took / 1'000);
    began = Clock::now();
    std::vector<std::uint64_t> keys;
    keys.reserve(events.size());
    for (const Event& event : events) keys.push_back(key_of(of, event, column));
    scan_ms += milliseconds_since(began);
    began = Clock::now();
    Places places(events.size());
    std::iota(places.begin(), places.end(), 0u);
    std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    sort_ms += milliseconds_since(began);
    constexpr std::size_t kLooks = 10'000;
    for (std::size_t row = 0; row < places.size(); row += std::max<std::size_t>(1, places.size() / kLooks))
      if (model.index(static_cast<int>(row), 0).data(kTimeRole).toLongLong() !=
          events[places[row]].at().time_since_epoch().count())
        return state.SkipWithError("the table is in another order than the sorted list");
  }
  state.SetLabel(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString());
  state.counters["over_scan"] = table_ms / scan_ms;
  state.counters["over_stable_sort"] = table_ms / sort_ms;
  state.counters["scan_ms"] = scan_ms / static_cast<double>(state.iterations());
  state.counters["silent_ms"] = silence;
}

void all_filters(benchmark::internal::Benchmark* bench) {
  for (std::size_t asked = 0; asked < kAsked.size(); ++asked)
    bench->Args({10'000'000, static_cast<std::int64_t>(asked)});
}

}  // namespace

BENCHMARK(events_filtered)->Apply(all_filters)->Iterations(3)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(events_sorted)
    ->Args({10'000'000, EventsModel::kWho})
    ->Args({10'000'000, EventsModel::kKind})
    ->Args({10'000'000, EventsModel::kToken})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
