// timeline_frame/<spans>: the chart of a night at random stretches of time, from a tenth of a second to the whole, with
// all lanes, labels and overlays, into a picture of 1920×1000. Beside it what lies under a random point, and how fast
// the night was folded. timeline_lane/<spans>/<lane>: what one lane takes of such frames.
// timeline_frame_<system>/<events>, timeline_lane_<system>/<events>/<lane>: the same of a night of another lock system.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include <QImage>
#include <QPainter>

#include "tests/bench/timeline/frames.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/paint/painter.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;
using Clock = std::chrono::steady_clock;

// All lanes, and what stands around them.
constexpr std::array kAround{"rail", "heads", "ruler"};
std::string part_name(std::size_t part) {
  return part < kLaneNames.size() ? std::string(kLaneNames[part]) : kAround[part - kLaneNames.size()];
}

constexpr std::int64_t kFrames = 1'000;
constexpr auto kLongEnough = std::chrono::seconds(60);  // so long, with fewer frames where they take too long

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

// All that the window can have over its chart, in the stretch that is shown: the cursor with the states of all rows,
// what is still to come, two forks, a length that is measured, markers with a note each, the pointer over one of them
// and over a bar, a current row, and in turns a selected incident and a selected bar. Drawn by a stream of its own, so
// that the stretches are those of the peers.
class OnTop {
 public:
  explicit OnTop(const Night& night) : night_(night) {}

  // What the window knows when it paints.
  void choose(const Scene& scene) {
    const auto at = [&](int tenths) { return scene.viewport.from + scene.viewport.span * tenths / 10; };
    kept_ = {};
    kept_.cursor = kept_.states_at = at(5);
    kept_.veil_from = at(8);
    kept_.forks = {at(3), at(6)};
    kept_.measured = {{at(4), at(7)}};
    mark(at);
    kept_.current_row = -1;
    for (const RowBox& row : scene.layout.rows)
      if (row.kind == RowKind::kContender && scene.visible(row) && kept_.current_row < 0) kept_.current_row = row.index;
    hovered_ = something(scene);
    selected_ = {};
    if (++frames_ % 2 == 0)
      selected_ = something(scene);
    else
      kept_.selected_incident = incident(scene);
  }

  // As the window has it made for each frame: where the bars lie now.
  const Overlay& over(const Scene& scene, const RailMarks& rail) {
    const auto bar = [&](const Hit& hit) {
      const QRect rect = bar_of(scene, hit, &rail);
      return rect.isEmpty() ? std::nullopt : std::optional(rect);
    };
    kept_.hovered = bar(hovered_);
    kept_.selected = bar(selected_);
    kept_.rail = &rail;
    return kept_;
  }

 private:
  template <class At>
  void mark(At at) {
    constexpr int kElsewhere = 16;
    markers_.clear();
    const TrueTime end = night_.data.now();
    for (int i = 0; i < kElsewhere; ++i)
      markers_.push_back({TrueTime{} + (end - TrueTime{}) * i / kElsewhere, QStringLiteral("Marker %1").arg(i), {}});
    for (const int tenths : {1, 2, 5, 9})
      markers_.push_back({at(tenths), QStringLiteral("here it begins"), QStringLiteral("a note of its reader")});
    const MarkerFlag here = markers_.back();
    std::stable_sort(markers_.begin(), markers_.end(),
                     [](const MarkerFlag& a, const MarkerFlag& b) { return a.at < b.at; });
    kept_.markers = &markers_;
    kept_.over_marker = static_cast<int>(std::find(markers_.begin(), markers_.end(), here) - markers_.begin());
  }

  // What lies under a point, of the first that have something.
  Hit something(const Scene& scene) {
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
      const auto across = static_cast<int>(draws_.below(static_cast<std::uint64_t>(scene.viewport.width)));
      const auto down = static_cast<int>(draws_.below(kHeight));
      if (const Hit hit = hit_test(scene, {scene.left() + across, down})) return hit;
    }
    return {};
  }

  // One in view, where there is one.
  int incident(const Scene& scene) const {
    const auto& all = night_.data.incidents();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (scene.shows(all[i].start, all[i].end)) return static_cast<int>(i);
    return all.empty() ? -1 : 0;
  }

  const Night& night_;
  RandomStream draws_{1, "bench", "overlays"};
  MarkerFlags markers_;
  Overlay kept_;
  Hit hovered_, selected_;
  std::uint64_t frames_ = 0;
};

void frames_of(benchmark::State& state, const Night& night) {
  RandomStream draws(1, "bench", "viewports"), points(1, "bench", "points");
  QImage picture(kWidth, kHeight, QImage::Format_RGB32);
  TileCache tiles;
  OnTop top(night);
  std::vector<double> frames, hovers;
  const auto began = Clock::now();
  for (auto _ : state) {
    if (Clock::now() - began > kLongEnough) {
      state.SetIterationTime(0);
      continue;
    }
    const Scene scene = random_scene(night, draws);
    auto start = Clock::now();
    double took = 0;
    {
      QPainter painter(&picture);
      const RailMarks rail = paint_chart(painter, scene, Theme::kLight, tiles);
      took = milliseconds_since(start);
      top.choose(scene);  // here, so that nothing of the stretch was looked at before its chart
      start = Clock::now();
      paint_overlay(painter, scene, Theme::kLight, tiles, top.over(scene, rail));
    }
    frames.push_back(took + milliseconds_since(start));
    state.SetIterationTime(frames.back() / 1'000);
    const QPoint at(scene.left() + static_cast<int>(points.below(static_cast<std::uint64_t>(scene.viewport.width))),
                    static_cast<int>(points.below(kHeight)));
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

void timeline_frame(benchmark::State& state) { frames_of(state, night_of(static_cast<std::uint64_t>(state.range(0)))); }

// What one lane takes of such frames.
void lane_of(benchmark::State& state, const Night& night) {
  const auto part = static_cast<std::size_t>(state.range(1)), lanes = night.data.lanes().size();
  RandomStream draws(1, "bench", "viewports");
  QImage picture(kWidth, kHeight, QImage::Format_RGB32);
  TileCache tiles;
  std::vector<double> paints, writes;
  for (auto _ : state) {
    const Scene scene = random_scene(night, draws);
    QPainter painter(&picture);
    Canvas canvas(painter, Theme::kLight, tiles);
    auto start = Clock::now();
    if (part < lanes) night.data.lanes()[part]->paint(canvas, scene);
    if (part == lanes) paint_rail(canvas, scene, rail_marks(scene));
    if (part == lanes + 1) paint_heads(canvas, scene);
    if (part == lanes + 2) paint_ruler(canvas, scene);
    paints.push_back(milliseconds_since(start));
    start = Clock::now();
    if (part < lanes) night.data.lanes()[part]->write(canvas, scene);
    writes.push_back(milliseconds_since(start));
    state.SetIterationTime((paints.back() + writes.back()) / 1'000);
  }
  state.SetLabel(part_name(part));
  state.counters["paint_p95_ms"] = quantile(paints, 0.95);
  state.counters["write_p95_ms"] = quantile(writes, 0.95);
}

void timeline_lane(benchmark::State& state) { lane_of(state, night_of(static_cast<std::uint64_t>(state.range(0)))); }

void all_lanes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t spans : {1'000'000, 10'000'000})
    for (std::size_t lane = 0; lane < kLaneNames.size() + kAround.size(); ++lane)
      bench->Args({spans, static_cast<std::int64_t>(lane)});
}

void frames_of_system(SystemNight system) {
  benchmark::RegisterBenchmark((std::string("timeline_frame_") + name_of(system)).c_str(),
                               [system](benchmark::State& state) {
                                 frames_of(state, night_of(system, static_cast<std::uint64_t>(state.range(0))));
                               })
      ->Arg(1'000'000)
      ->Iterations(kFrames)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void lanes_of_system(SystemNight system) {
  auto* const bench = benchmark::RegisterBenchmark(
      (std::string("timeline_lane_") + name_of(system)).c_str(), [system](benchmark::State& state) {
        lane_of(state, night_of(system, static_cast<std::uint64_t>(state.range(0))));
      });
  for (std::size_t lane = 0; lane < kLaneNames.size() + kAround.size(); ++lane)
    bench->Args({1'000'000, static_cast<std::int64_t>(lane)});
  bench->Iterations(300)->UseManualTime()->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
  for (const SystemNight system : kSystemNights) {
    frames_of_system(system);
    lanes_of_system(system);
  }
  return true;
}();

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
