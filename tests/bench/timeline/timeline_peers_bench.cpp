// What the chart's frames are measured beside, over the same night at the same stretches, in the same run.
// timeline_walked/<spans>: the painter that the tracks took the place of, its leases and gaps (walking_painter.h).
// The others draw the bars of the leases alone, without edges, hatches, labels or any other lane:
// timeline_naive/<spans>: looks at every lease of each row in view, and fills a rectangle for each that is seen.
// timeline_graphics_scene/<spans>: a QGraphicsScene with an item a lease, of a night that it can hold.
#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include <QGraphicsRectItem>
#include <QGraphicsScene>
#include <QPainter>
#include <QPixmap>

#include "tests/bench/timeline/frames.h"
#include "tests/bench/timeline/walking_painter.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;
using Clock = std::chrono::steady_clock;

// Calls with each track of a row's leases and the band that they lie in.
template <class Do>
void each_track(const ChartData& data, const ChartLayout& layout, const RowBox& row, Do&& action) {
  if (row.kind == RowKind::kMutex)
    action(data.mutexes()[static_cast<std::size_t>(row.index)].held, measures().mutex_band);
  if (row.kind != RowKind::kContender) return;
  const ContenderRow& contender = data.contenders()[static_cast<std::size_t>(row.index)];
  action(contender.held, layout.row.held);
  action(contender.believed, layout.row.believed);
}

// All that it looks at, in lists that are as fast to go through as any.
class EveryLease {
 public:
  explicit EveryLease(const Night& night) {
    for (const RowBox& row : night.layout.rows)
      each_track(night.data, night.layout, row, [&](const SpanTrack& track, Band band) {
        Lane lane{&row, band, {}};
        lane.bars.reserve(track.size());
        for (const LeaseSpan& span : track)
          lane.bars.push_back({span.start.hi, span.end.hi, night.data.hue(span.contender)});
        lanes_.push_back(std::move(lane));
      });
  }

  void paint(QPainter& painter, const Scene& scene) const {
    const Colours& c = colours(Theme::kLight);
    painter.fillRect(0, 0, kWidth, kHeight, c.chart);
    for (const Lane& lane : lanes_) {
      if (!scene.visible(*lane.row)) continue;
      const int y = scene.y(*lane.row) + lane.band.y;
      for (const Bar& bar : lane.bars) {
        if (!scene.shows(bar.from, scene.until(bar.to))) continue;
        const int from = scene.clipped_x(bar.from), to = scene.clipped_x(scene.until(bar.to));
        painter.fillRect(from, y, std::max(1, to - from), lane.band.height,
                         c.id[static_cast<std::size_t>(bar.hue)].ink);
      }
    }
  }

 private:
  struct Bar {
    TrueTime from, to;
    int hue = 0;
  };
  struct Lane {
    const RowBox* row = nullptr;  // of the night's layout
    Band band;
    std::vector<Bar> bars;
  };

  std::vector<Lane> lanes_;
};

// Seconds across, pixels down.
std::unique_ptr<QGraphicsScene> scene_of(const Night& night) {
  auto scene = std::make_unique<QGraphicsScene>();
  const Colours& c = colours(Theme::kLight);
  for (const RowBox& row : night.layout.rows)
    each_track(night.data, night.layout, row, [&](const SpanTrack& track, Band band) {
      for (const LeaseSpan& span : track) {
        const double from = static_cast<double>(span.start.hi.time_since_epoch().count()) / 1e9;
        const TrueTime end = span.end.hi == kOpenEnd ? night.data.now() : span.end.hi;
        const double to = static_cast<double>(end.time_since_epoch().count()) / 1e9;
        scene->addRect(from, row.y + band.y, to - from, band.height, Qt::NoPen,
                       c.id[static_cast<std::size_t>(night.data.hue(span.contender))].ink);
      }
    });
  return scene;
}

// Frames at the same stretches as the chart's own, and what they took.
template <class Paint>
void measure(benchmark::State& state, const Night& night, Paint&& paint) {
  RandomStream draws(1, "bench", "viewports");
  QPixmap picture(kWidth, kHeight);
  std::vector<double> frames;
  for (auto _ : state) {
    const Scene scene = random_scene(night, draws);
    const auto began = Clock::now();
    {
      QPainter painter(&picture);
      paint(painter, scene);
    }
    frames.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
    state.SetIterationTime(frames.back() / 1'000);
  }
  state.counters["p50_ms"] = quantile(frames, 0.5);
  state.counters["p95_ms"] = quantile(frames, 0.95);
  state.counters["spans"] = static_cast<double>(night.spans);
}

// The lists are made before anything is measured.
void timeline_walked(benchmark::State& state) {
  const Night& night = night_of(static_cast<std::uint64_t>(state.range(0)));
  const WalkingPainter walking(night.data);
  TileCache tiles;
  measure(state, night, [&](QPainter& painter, const Scene& scene) { walking.paint(painter, scene, tiles); });
}

void timeline_naive(benchmark::State& state) {
  const Night& night = night_of(static_cast<std::uint64_t>(state.range(0)));
  const EveryLease every(night);
  measure(state, night, [&](QPainter& painter, const Scene& scene) { every.paint(painter, scene); });
}

void timeline_graphics_scene(benchmark::State& state) {
  const Night& night = night_of(static_cast<std::uint64_t>(state.range(0)));
  const std::unique_ptr<QGraphicsScene> items = scene_of(night);
  measure(state, night, [&](QPainter& painter, const Scene& scene) {
    const Viewport& view = scene.viewport.shown;
    const QRectF source(static_cast<double>(view.from.time_since_epoch().count()) / 1e9, scene.scroll,
                        static_cast<double>(view.span.count()) / 1e9, kHeight);
    items->render(&painter, QRectF(scene.left(), 0, view.width, kHeight), source, Qt::IgnoreAspectRatio);
  });
}

}  // namespace

BENCHMARK(timeline_walked)
    ->Name("timeline_walked")
    ->Arg(1'000'000)
    ->Iterations(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(timeline_naive)
    ->Name("timeline_naive")
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Iterations(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(timeline_graphics_scene)
    ->Name("timeline_graphics_scene")
    ->Arg(100'000)
    ->Iterations(100)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
