// timeline_frame/<spans>: the chart of a night at random stretches of time, from a tenth of a second to the whole, with
// all lanes, labels and overlays, into a picture of 1920×1000. Beside it what lies under a random point, and how fast
// the night was folded.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>

#include "core/base/random_stream.h"
#include "tests/bench/timeline/night.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/paint/painter.h"

namespace {

using namespace leasescope;
using Clock = std::chrono::steady_clock;

#define LEASESCOPE_LANE_NAME(Name, name) #name,
// ... and what stands around them.
constexpr std::array kLaneNames{LEASESCOPE_LANES(LEASESCOPE_LANE_NAME) "rail", "heads", "ruler"};
#undef LEASESCOPE_LANE_NAME

constexpr int kWidth = 1920, kHeight = 1000;
constexpr std::int64_t kFrames = 1'000;
constexpr auto kLongEnough = std::chrono::seconds(60);  // so long, with fewer frames where they take too long

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

double quantile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// Fonts and pictures need an application, not a display.
void need_gui() {
  static int argc = 1;
  static std::string name = "leasescope_bench";
  static std::vector<char*> argv{name.data(), nullptr};
  qputenv("QT_QPA_PLATFORM", "offscreen");
  static const QGuiApplication application(argc, argv.data());
}

struct Night {
  ChartData data;
  ChartLayout layout;
  std::size_t spans = 0;
  double folding_ms = 0;
  std::uint64_t events = 0;
};

void fold(Night& night, VirtualRun& run) {
  const auto began = Clock::now();
  night.data.append(run.history());
  night.folding_ms += milliseconds_since(began);
  night.events = run.history().last();
  run.forget_events();
}

// Over the tracks of all leases.
template <class Of>
std::size_t sum_of(const ChartData& data, Of of) {
  std::size_t sum = 0;
  for (const MutexRow& mutex : data.mutexes()) sum += of(mutex.held);
  for (const ContenderRow& contender : data.contenders()) sum += of(contender.held) + of(contender.believed);
  return sum;
}

// Made once for all benches of that size; the one before it is dropped, as two would not fit everywhere.
const Night& night_of(std::uint64_t spans) {
  static std::uint64_t of = 0;
  static std::unique_ptr<Night> night;
  if (of == spans) return *night;
  need_gui();
  night.reset();
  night = std::make_unique<Night>();
  of = spans;
  const Scenario scenario = bench::night(spans);
  VirtualRun run(scenario);
  night->data.reset(run_facts(scenario));
  constexpr std::uint64_t kSlice = 1'000'000;  // inputs
  while (run.advance(TrueTime{} + scenario.length(), kSlice)) fold(*night, run);
  run.finish();
  fold(*night, run);
  night->layout = layout_chart(night->data, kWidth);
  night->spans = sum_of(night->data, [](const SpanTrack& track) { return track.size(); });
  return *night;
}

// A stretch of any length, all lengths as likely, anywhere in the run; the rows scrolled anywhere.
Scene random_scene(const Night& night, RandomStream& draws) {
  const double whole = static_cast<double>(night.data.now().time_since_epoch().count());
  const double least = 1e8, share = static_cast<double>(draws.below(1'000'001)) / 1e6;
  const auto span = static_cast<std::int64_t>(least * std::pow(whole / least, share));
  const auto room = static_cast<std::uint64_t>(std::max<std::int64_t>(1, static_cast<std::int64_t>(whole) - span));
  const TrueTime from{Duration(static_cast<std::int64_t>(draws.below(room)))};
  const int below = std::max(1, night.layout.height() - kHeight);
  return {night.data, night.layout, Viewport::fitting(from, from + Duration(span), night.layout.plot_width()), kHeight,
          static_cast<int>(draws.below(static_cast<std::uint64_t>(below)))};
}

Overlay overlay_of(const Scene& scene) {
  Overlay overlay;
  overlay.cursor = scene.viewport.from + scene.viewport.span / 2;
  overlay.states_at = *overlay.cursor;
  overlay.veil_from = scene.viewport.from + scene.viewport.span * 3 / 4;
  return overlay;
}

void timeline_frame(benchmark::State& state) {
  const Night& night = night_of(static_cast<std::uint64_t>(state.range(0)));
  RandomStream draws(1, "bench", "viewports");
  QPixmap picture(kWidth, kHeight);
  TileCache tiles;
  std::vector<double> frames, hovers;
  const auto began = Clock::now();
  for (auto _ : state) {
    if (Clock::now() - began > kLongEnough) {
      state.SetIterationTime(0);
      continue;
    }
    const Scene scene = random_scene(night, draws);
    auto start = Clock::now();
    {
      QPainter painter(&picture);
      paint_chart(painter, scene, Theme::kLight, tiles);
      paint_overlay(painter, scene, Theme::kLight, tiles, overlay_of(scene));
    }
    frames.push_back(milliseconds_since(start));
    state.SetIterationTime(frames.back() / 1'000);
    const QPoint at(scene.left() + static_cast<int>(draws.below(static_cast<std::uint64_t>(scene.viewport.width))),
                    static_cast<int>(draws.below(kHeight)));
    start = Clock::now();
    const Hit hit = hit_test(scene, at);
    benchmark::DoNotOptimize(describe(night.data, hit, scene.viewport.time(at.x() - scene.left())));
    hovers.push_back(milliseconds_since(start));
  }
  state.counters["frames"] = static_cast<double>(frames.size());
  state.counters["p50_ms"] = quantile(frames, 0.5);
  state.counters["p95_ms"] = quantile(frames, 0.95);
  state.counters["most_ms"] = quantile(frames, 1);
  state.counters["hover_p95_ms"] = quantile(hovers, 0.95);
  state.counters["spans"] = static_cast<double>(night.spans);
  const auto a_span = [&](std::size_t bytes) { return static_cast<double>(bytes) / static_cast<double>(night.spans); };
  state.counters["column_bytes"] =
      a_span(sum_of(night.data, [](const SpanTrack& track) { return track.column_bytes(); }));
  state.counters["bytes_beside"] =
      a_span(sum_of(night.data, [](const SpanTrack& track) { return track.bytes_beside(); }));
  state.counters["rows"] = static_cast<double>(night.layout.rows.size());
  state.counters["incidents"] = static_cast<double>(night.data.incidents().size());
  state.counters["folded_per_second"] = static_cast<double>(night.events) / (night.folding_ms / 1'000);
}

// timeline_lane/<spans>/<lane>: what one lane takes of such frames.
void timeline_lane(benchmark::State& state) {
  const Night& night = night_of(static_cast<std::uint64_t>(state.range(0)));
  const auto part = static_cast<std::size_t>(state.range(1)), lanes = night.data.lanes().size();
  RandomStream draws(1, "bench", "viewports");
  QPixmap picture(kWidth, kHeight);
  TileCache tiles;
  std::vector<double> paints, writes;
  for (auto _ : state) {
    const Scene scene = random_scene(night, draws);
    QPainter painter(&picture);
    Canvas canvas(painter, Theme::kLight, tiles);
    auto start = Clock::now();
    if (part < lanes) night.data.lanes()[part]->paint(canvas, scene);
    if (part == lanes) paint_rail(canvas, scene);
    if (part == lanes + 1) paint_heads(canvas, scene);
    if (part == lanes + 2) paint_ruler(canvas, scene);
    paints.push_back(milliseconds_since(start));
    start = Clock::now();
    if (part < lanes) night.data.lanes()[part]->write(canvas, scene);
    writes.push_back(milliseconds_since(start));
    state.SetIterationTime((paints.back() + writes.back()) / 1'000);
  }
  state.SetLabel(kLaneNames[part]);
  state.counters["paint_p95_ms"] = quantile(paints, 0.95);
  state.counters["write_p95_ms"] = quantile(writes, 0.95);
}

void all_lanes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t spans : {1'000'000, 10'000'000})
    for (std::size_t lane = 0; lane < kLaneNames.size(); ++lane) bench->Args({spans, static_cast<std::int64_t>(lane)});
}

}  // namespace

BENCHMARK(timeline_lane)
    ->Name("timeline_lane")
    ->Apply(all_lanes)
    ->Iterations(300)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(timeline_frame)
    ->Name("timeline_frame")
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Iterations(kFrames)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
