// watch_tick: one tick of a whole watch in its window, all panels on the screen and nine rules of alerts over ten
// thousand mutexes: quiet, where ages and leases alone go on, and busy, where twenty mutexes have changed hands since
// the last one. What the tick does and what it makes be painted is one figure; `p95_ms` is what the bar is about.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <chrono>
#include <thread>
#include <vector>

#include "core/store/store_type.h"
#include "tests/bench/timeline/frames.h"
#include "tests/bench/watch/watched_fleet.h"
#include "ui/theme/look.h"
#include "ui/watch/mutexes_panel.h"
#include "ui/watch/watch_perspective.h"
#include "ui/window/main_window.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;
using namespace std::chrono_literals;

constexpr int kTicks = 120;
constexpr auto kBetween = 110ms;  // views that take their time follow so often

// What a store's observer would tell is told by hand.
ToldFleet* fleet_observed = nullptr;

const StoreType& fleet_type() {
  static const StoreType type = [] {
    StoreType out;
    out.words = {"fleet"};
    out.title = "Fleet";
    out.schemes = {"fleet://"};
    out.printable = [](const StoreUrl&) { return std::string("fleet://host"); };
    out.observe = [](Loop& loop, const StoreUrl&, const ObserverTerms&,
                     ObserverListener& listener) -> std::unique_ptr<Observer> {
      fleet_observed->observed_by(loop, listener);
      return std::make_unique<ToldFleet::Nobody>();
    };
    return out;
  }();
  return type;
}

// One of each kind, none of which holds of a fleet that is well.
constexpr const char* kRules = R"(schema = 1
[[rule]]
name = "nobody"
kind = "no_owner"
mutex = "*"
for = "10m"
[[rule]]
name = "too many"
kind = "handoffs"
mutex = "*"
more_than = 5000
within = "10m"
[[rule]]
name = "late"
kind = "late_renewal"
mutex = "*"
left = "1ns"
[[rule]]
name = "fence"
kind = "fence_regression"
mutex = "*"
[[rule]]
name = "unseen"
kind = "not_observed"
mutex = "*"
for = "10m"
[[rule]]
name = "two"
kind = "two_believe"
mutex = "*"
for = "10m"
[[rule]]
name = "stuck"
kind = "waiters_stuck"
mutex = "*"
for = "10m"
[[rule]]
name = "unrenewed"
kind = "not_renewed"
mutex = "*"
left = "1ns"
[[rule]]
name = "away"
kind = "store_away"
store = "*"
for = "10m"
)";

// A window that watches them, as it stands before its reader.
class WatchedWindow {
 public:
  explicit WatchedWindow(std::size_t mutexes) {
    fleet_observed = &fleet_;
    window_.turnTo(perspective());
    window_.resize(1600, 1000);
    window_.show();
    StoreUrl url;
    url.type = &fleet_type();
    url.given = true;
    if (!session().add(url, {})) std::abort();
    fleet_.begin(mutexes);
    settle();
    if (const QString path = rules(); !session().setRules(path)) std::abort();
    perspective().mutexes()->table()->selectRow(0);
    settle();
  }
  ~WatchedWindow() { session().close(); }

  WatchPerspective& perspective() {
    return *static_cast<WatchPerspective*>(window_.perspective(QStringLiteral("watch")));
  }
  WatchSession& session() { return perspective().watched(); }
  ToldFleet& fleet() { return fleet_; }

  // Whatever its own timers do is done, and the next tick is one on which all views follow.
  void settle() {
    QElapsedTimer since;
    since.start();
    while (since.elapsed() < 60) QApplication::processEvents(QEventLoop::AllEvents, 5);
    std::this_thread::sleep_for(kBetween);
  }
  // In ms, until all that it changed is painted; its timers come later.
  double tick() {
    QElapsedTimer took;
    took.start();
    session().look();
    for (int i = 0; i < 3; ++i) QApplication::sendPostedEvents();  // what is laid out anew is painted then
    return static_cast<double>(took.nsecsElapsed()) / 1e6;
  }

 private:
  QString rules() {
    const QString path = folder_.filePath(QStringLiteral("rules.toml"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(kRules) < 0) std::abort();
    return path;
  }

  QTemporaryDir folder_;
  ToldFleet fleet_;
  MainWindow window_;
};

void watch_tick(benchmark::State& state) {
  need_gui();
  Look::instance().dress();
  const auto mutexes = static_cast<std::size_t>(state.range(0));
  const auto changes = static_cast<std::size_t>(state.range(1));
  WatchedWindow of(mutexes);
  std::vector<double> ticks;
  std::size_t next = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < changes; ++i) of.fleet().change(next++ * 7919 % mutexes);
    ticks.push_back(of.tick());
    state.SetIterationTime(ticks.back() / 1e3);
    of.settle();
  }
  state.counters["p95_ms"] = quantile(ticks, 0.95);
}

}  // namespace

BENCHMARK(watch_tick)
    ->ArgNames({"mutexes", "changes"})
    ->Args({10'000, 0})
    ->Args({10'000, 20})
    ->Iterations(kTicks)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
