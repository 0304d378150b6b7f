// watch_table: one tick of the table of watched mutexes, with its view on the screen: all ages and leases go on, and
// twenty mutexes have changed hands. The floor is the look at each mutex alone, without a table.
#include <benchmark/benchmark.h>

#include <QApplication>

#include "tests/bench/timeline/frames.h"
#include "tests/bench/watch/watched_fleet.h"
#include "ui/panels/tables.h"
#include "ui/theme/look.h"
#include "ui/watch/mutexes_model.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;

constexpr std::size_t kChanges = 20;

void watch_table(benchmark::State& state) {
  need_gui();
  Look::instance().dress();
  const auto mutexes = static_cast<std::size_t>(state.range(0));
  WatchedFleet fleet(mutexes);
  Cast cast;
  cast.sync(fleet.watch().history());
  MutexesModel model;
  Table table;
  table.setModel(&model);
  table.resize(1100, 600);
  table.show();
  model.setWatch(&fleet.watch(), &cast);
  model.sync(fleet.now());
  model.sort(static_cast<int>(state.range(1)), Qt::AscendingOrder);
  model.setGrouping(static_cast<Grouping>(state.range(2)));
  QApplication::processEvents();
  std::size_t next = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kChanges; ++i) fleet.change(next++ * 7919 % mutexes);
    cast.sync(fleet.watch().history());
    model.sync(fleet.now());
    QApplication::processEvents();  // what is to be seen is painted
  }
}

void watch_rows_alone(benchmark::State& state) {
  WatchedFleet fleet(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state)
    for (const auto& each : fleet.watch().mutexes()) benchmark::DoNotOptimize(row_of(*each, fleet.now()));
}

constexpr auto kNone = static_cast<int>(Grouping::kNone), kSystem = static_cast<int>(Grouping::kSystem),
               kState = static_cast<int>(Grouping::kState);

}  // namespace

// By name, which does not change, and by what is left, which all the time does; in groups that do not change, and in
// those that do.
BENCHMARK(watch_table)
    ->Args({10'000, MutexesModel::kMutex, kNone})
    ->Args({10'000, MutexesModel::kLease, kNone})
    ->Args({10'000, MutexesModel::kMutex, kSystem})
    ->Args({10'000, MutexesModel::kMutex, kState})
    ->Args({10'000, MutexesModel::kLease, kState})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(watch_rows_alone)->Arg(10'000)->Unit(benchmark::kMillisecond);
