#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

QColor ground_of(const Canvas& canvas, const RowBox& row) {
  return row.alternate ? canvas.colours().chart_alt : canvas.colours().chart;
}

}  // namespace

void paint_ground(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  canvas.fill(0, 0, scene.right(), scene.height, c.chart);
  for (const RowBox& row : scene.layout.rows)
    if (scene.visible(row) && row.alternate)
      canvas.fill(0, scene.y(row), scene.right(), row.height, ground_of(canvas, row));
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  const Ticks ticks = Ticks::for_viewport(scene.viewport, 60);
  for (TrueTime t = Ticks::first(scene.viewport.from, ticks.major); t < scene.viewport.to(); t += ticks.major)
    canvas.vline(scene.x(t), scene.layout.top(), bottom, c.grid);
}

void paint_incident_tints(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  for (const IncidentKind kind : {IncidentKind::kBeliefOverlap, IncidentKind::kDoubleGrant}) {
    for (const IncidentMark& incident : scene.data.incidents()) {
      if (incident.kind != kind || !scene.shows(incident.start, incident.end)) continue;
      const Band block = scene.layout.mutex_block(incident.mutex);
      const PixelRange range = incident_range(scene, incident);
      canvas.fill(range.from, scene.layout.top() + block.y - scene.scroll, range.to - range.from, block.height,
                  kind == IncidentKind::kDoubleGrant ? c.critical_tint : c.overlap_tint);
    }
  }
}

void paint_row_lines(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    canvas.hline(scene.y(row) + row.height - 1, 0, scene.right(), row.kind == RowKind::kMutex ? c.line_strong : c.line);
  }
}

// Time that was not run must not look free: dots for what is still to come, the window's ground beyond the run.
void paint_outside_of_run(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  const int top = scene.layout.top();
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  const auto cover = [&](int from, int to, bool veil) {
    if (to <= from) return;
    if (veil)
      canvas.hatch(from, top, to - from, bottom - top, Tile::kVeil, c.veil_line, c.veil_fill);
    else
      canvas.fill(from, top, to - from, bottom - top, c.window);
  };
  const TrueTime end = std::max(scene.data.end(), scene.data.now());
  const int begin_x = scene.clipped_x(TrueTime{});
  const int now_x = scene.clipped_x(scene.data.now());
  const int end_x = scene.clipped_x(end);
  cover(scene.left(), begin_x, false);
  cover(now_x, end_x, true);
  cover(end_x, scene.right(), false);
  if (scene.data.now() < end && scene.shows(scene.data.now())) canvas.vline(now_x, top, bottom, c.text);
  if (begin_x > scene.left()) canvas.vline(begin_x - 1, top, bottom, c.line);
  if (end_x < scene.right()) canvas.vline(end_x, top, bottom, c.line);
}

void paint_veil(Canvas& canvas, const Scene& scene, TrueTime from) {
  const Colours& c = canvas.colours();
  const int left = scene.clipped_x(from), right = scene.clipped_x(std::max(scene.data.end(), scene.data.now()));
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  if (right > left)
    canvas.hatch(left, scene.layout.top(), right - left, bottom - scene.layout.top(), Tile::kVeil, c.veil_line,
                 c.veil_fill);
}

}  // namespace leasescope
