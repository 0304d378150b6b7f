// What several lanes, the rail, the ruler and the minimap paint with; painter.cpp has the order.
#pragma once
#include <type_traits>

#include "ui/timeline/paint/rail.h"

namespace leasescope {

// lanes/refusals.cpp
// Refused writes that share a plate: of one fate and one term that follow each other closely, also beyond the picture's
// edges; of several terms where they lie on the same pixels. No more than the pixels have room for.
struct Refusals {
  WriteFate fate = WriteFate::kNone;
  std::size_t first = 0, last = 0;  // of the resource's writes
  std::uint64_t count = 0;
  bool one_height = true;  // all of one term, and the resource had seen the same before each
};
std::vector<Refusals> refusals_of(const Scene& scene, const ResourceRow& resource);

// tape.cpp: the stretch of pixels an incident's marks take: at least three wide.
PixelRange incident_range(const Scene& scene, TrueTime start, TrueTime end);
inline PixelRange incident_range(const Scene& scene, const IncidentMark& incident) {
  return incident_range(scene, incident.start, incident.end);
}
// Stretches of pixels that touch each other, painted as one. They come in order of their left sides.
template <class Paint>
class PixelRuns {
 public:
  explicit PixelRuns(Paint paint) : paint_(std::move(paint)) {}
  PixelRuns(const PixelRuns&) = delete;
  PixelRuns& operator=(const PixelRuns&) = delete;
  ~PixelRuns() { end(); }

  void add(PixelRange range) {
    if (run_.to > run_.from && range.from > run_.to) end();
    if (run_.to == run_.from) run_ = range;
    run_.to = std::max(run_.to, range.to);
  }
  void end() {
    if (run_.to > run_.from) paint_(run_);
    run_ = {};
  }

 private:
  Paint paint_;
  PixelRange run_;
};

// Calls with each incident of a track that has pixels of its own: those that lie within the narrow marks of others of
// their kind are seen as these. `action` may answer whether it wants more.
template <class Do>
void each_incident(const Scene& scene, const IntervalTrack& track, Do&& action) {
  track.each(
      scene.viewport.from, scene.viewport.to() - Duration(1), [&](std::uint32_t i, TrueTime start, TrueTime end) {
        const PixelRange range = incident_range(scene, start, end);
        if constexpr (std::is_same_v<decltype(action(std::size_t{i}, scene.data.incidents()[i], range)), bool>) {
          if (!action(std::size_t{i}, scene.data.incidents()[i], range)) return TrueTime::max();
        } else {
          action(std::size_t{i}, scene.data.incidents()[i], range);
        }
        return range.to - range.from > measures().incident_min_width ? start : scene.first_of(range.to) - Duration(1);
      });
}
// The same where narrow ones need not be told apart: `narrow` gets the pixels of those that lie on or beside each
// other, `wide` what each_incident gives.
template <class Narrow, class Wide>
void each_incident_run(const Scene& scene, const IntervalTrack& track, Narrow&& narrow, Wide&& wide) {
  const int width = measures().incident_min_width;
  track.each_run(scene.viewport.from, scene.viewport.to() - Duration(1), scene.time_of(width - 1),
                 [&](std::size_t first, std::size_t end) {
                   PixelRange range = incident_range(scene, track.begin(first), track.end(first));
                   if (range.to - range.from > width) {
                     const std::size_t i = track.of(first);
                     wide(i, scene.data.incidents()[i], range);
                     return track.begin(first);
                   }
                   if (end > first + 1) range.to = incident_range(scene, track.begin(end - 1), track.end(end - 1)).to;
                   narrow(range);
                   return scene.first_of(range.to) - Duration(1);
                 });
}

// lanes/clock_seams.cpp
// Where the chart's clock was set, in view, from left to right: of those that end in one pixel the first. A step
// forward has a gap, a step back a moment from which on times are shown again.
struct SeenSeam {
  const ClockSeam* seam = nullptr;
  PixelRange gap;
};
std::vector<SeenSeam> seen_seams(const Scene& scene);
// Over which the clock shows what it has shown before.
PixelRange again_range(const Scene& scene, const ClockSeam& seam);

// ruler.cpp
void paint_ruler(Canvas& canvas, const Scene& scene);
// Takes away the numbers that a flag over these pixels would cut.
void clear_ruler_under(Canvas& canvas, const Scene& scene, PixelRange flag);

// painter.cpp: what lanes above the grounds are asked for, one after the other: the moments of a picture, apart where
// the clock has a gap that is seen.
std::vector<ClockView> parts_of(const Scene& scene);

// painter.cpp: in the ruler, over the cursor; which must be in view.
QRect cursor_plate(const Scene& scene, TrueTime at);

// veil.cpp: what is recorded, but not yet to be seen
void paint_veil(Canvas& canvas, const Scene& scene, TrueTime from);

// heads.cpp
void paint_heads(Canvas& canvas, const Scene& scene);
// What changes with the cursor: states and the fence, written into the headers.
void paint_head_states(Canvas& canvas, const Scene& scene, TrueTime at);
QString state_text(const ChartData& data, int contender, TrueTime at);

// ---- helpers
inline constexpr int kHeadText = 12;                         // where the words of a row's header begin
inline int axis_of(const Scene& scene, const RowBox& row) {  // of a resource's
  return scene.y(row) + row.height - measures().resource_axis_from_bottom;
}
// The first mark at or after a moment, and of those from `from` on; marks are in order of their `at`. What is near is
// found soonest.
template <class Marks>
std::size_t first_at(const Marks& marks, TrueTime at, std::size_t from = 0) {
  std::size_t step = 1, low = from;
  while (from > 0 && low + step < marks.size() && marks[low + step].at < at) {
    low += step;
    step *= 2;
  }
  const auto begin = marks.begin() + static_cast<std::ptrdiff_t>(low);
  const auto end = from > 0 && low + step < marks.size() ? begin + static_cast<std::ptrdiff_t>(step) : marks.end();
  const auto found = std::lower_bound(begin, end, at, [](const auto& mark, TrueTime t) { return mark.at < t; });
  return static_cast<std::size_t>(found - marks.begin());
}
// The span in force at a moment, or none.
std::optional<LeaseSpan> span_at(const SpanTrack& spans, TrueTime at);

}  // namespace leasescope
