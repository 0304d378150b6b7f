#include "ui/timeline/paint/axis.h"

#include <algorithm>

namespace leasescope {
namespace {

using namespace std::chrono_literals;

// Of a clock, from the second on: longer ones are whole days, as 1, 2, 5, 10 …
struct Step {
  Duration major, minor;
};
constexpr Step kSteps[] = {{1s, 200ms}, {2s, 500ms}, {5s, 1s},     {10s, 2s},     {20s, 5s},     {30s, 5s},
                           {1min, 10s}, {2min, 30s}, {5min, 1min}, {10min, 2min}, {20min, 5min}, {30min, 5min},
                           {1h, 10min}, {2h, 30min}, {3h, 30min},  {6h, 1h},      {12h, 2h},     {24h, 6h}};
constexpr Duration kDay = 24h;

}  // namespace

Ticks Axis::ticks(const Viewport& viewport, int label_px) const {
  // A fast clock's seconds are short ones.
  const std::int64_t fastest = shown == nullptr ? 0 : shown->course.fastest();
  const Ticks plain = Ticks::for_viewport(viewport, label_px + static_cast<int>(label_px * fastest / 1'000'000));
  if (!isWallClock() || plain.major < 1s) return plain;
  for (const Step& step : kSteps)
    if (viewport.pixels(step.major) >= label_px) return {step.major, step.minor, 0};
  for (Duration unit = kDay;; unit *= 10)
    for (const int factor : {1, 2, 5})
      if (viewport.pixels(unit * factor) >= label_px || unit > Duration::max() / 1000)
        return {unit * factor, factor == 1 ? unit / 5 : unit, 0};
}

// By how much a clock's zero lies before the run's, within a step.
std::int64_t Axis::phase(Duration step, TrueTime from) const {
  if (!isWallClock()) return 0;
  const std::int64_t offset = zoneOffset(from).count();
  const std::int64_t ns = (epoch_ns % step.count() + offset % step.count()) % step.count();
  return ns < 0 ? ns + step.count() : ns;
}

TrueTime Axis::first(TrueTime t, Duration step, TrueTime from) const {
  if (shown != nullptr) return shown->course.next_whole(t - Duration(1), step);
  const Duration shift(phase(step, from));
  return Ticks::first(t + shift, step) - shift;
}

TrueTime Axis::next(TrueTime t, Duration step) const {
  return shown != nullptr ? shown->course.next_whole(t, step) : t + step;
}

bool Axis::is_at(TrueTime t, Duration step, TrueTime from) const {
  if (shown != nullptr) return shown->course.is_whole(t, step);
  return (t.time_since_epoch().count() + phase(step, from)) % step.count() == 0;
}

std::vector<TrueTime> Axis::set_within(TrueTime from, TrueTime to) const {
  std::vector<TrueTime> out;
  if (shown == nullptr) return out;
  const std::vector<OffsetCourse::Point>& points = shown->course.points;
  const auto first = std::partition_point(points.begin(), points.end(),
                                          [&](const OffsetCourse::Point& point) { return point.at < from; });
  for (auto i = static_cast<std::size_t>(first - points.begin()); i < points.size() && points[i].at < to; ++i)
    if (points[i].at > TrueTime{} && shown->course.is_set_at(i)) out.push_back(points[i].at);
  return out;
}

}  // namespace leasescope
