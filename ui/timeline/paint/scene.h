// One frame to be painted: the data, the stretch of time, the rows and how far they are scrolled.
#pragma once
#include <limits>
#include <optional>

#include "ui/timeline/paint/axis.h"
#include "ui/timeline/paint/canvas.h"
#include "ui/timeline/paint/chart_data.h"
#include "ui/timeline/paint/clock_view.h"
#include "ui/timeline/paint/layout.h"

namespace leasescope {

struct Scene {
  const ChartData& data;
  const ChartLayout& layout;
  ClockView viewport;              // over layout.plot_width()
  int height = 0;                  // of the picture; rows below are cut
  int scroll = 0;                  // of the rows, in pixels
  const RowBox* pinned = nullptr;  // a mutex's header that stays on top, over the rows that are scrolled under it
  bool on_top = false;             // this pass paints what stays on top alone
  int part_from = 0;               // ... or none but the rows between these two
  int part_to = kWhole;
  Axis axis = data.axis();                  // what the ruler counts
  std::int64_t origin = viewport.origin();  // every x() needs it

  int left() const { return layout.head; }
  int right() const { return layout.width; }
  // x of a time, held within a little more than the plot so that it is always an int.
  int x(TrueTime t) const {
    return left() +
           static_cast<int>(std::clamp<std::int64_t>(viewport.pixel(t, origin), -kBeyond, viewport.width + kBeyond));
  }
  // ... within the plot.
  int clipped_x(TrueTime t) const { return std::clamp(x(t), left(), right()); }
  // The first moment of a pixel, and how long so many pixels are at least, rounded down.
  TrueTime first_of(int x) const { return viewport.time(x - left()); }
  Duration time_of(int pixels) const { return viewport.least_of(pixels); }
  // Steps of the ruler whose labels of `label_px` do not touch. Pixels of a clock's own chart count its own time.
  Ticks ticks(int label_px) const {
    return viewport.clock == nullptr ? axis.ticks(viewport.shown, label_px)
                                     : Ticks::for_viewport(viewport.shown, label_px);
  }
  bool shows(TrueTime t) const { return t >= viewport.from && t < viewport.to(); }
  bool shows(TrueTime from, TrueTime to) const { return from < viewport.to() && to >= viewport.from; }
  TrueTime until(TrueTime end) const { return end == kOpenEnd ? data.now() : end; }

  // What stays on top: the rows that were pinned, below them a mutex's header.
  bool stays(const RowBox& row) const { return row.kept || &row == pinned; }
  int top_height() const { return layout.kept_height + (pinned != nullptr ? pinned->height : 0); }
  int y(const RowBox& row) const {
    if (&row == pinned) return layout.top() + layout.kept_height;
    return layout.top() + row.y - (row.kept ? 0 : scroll);
  }
  // Where the rows that are scrolled begin.
  int rows_top() const { return std::max(part_from, layout.top() + top_height()); }
  int rows_bottom() const { return std::min(part_to, height); }
  bool visible(const RowBox& row) const {
    if (on_top || stays(row)) return on_top && stays(row);
    return y(row) < rows_bottom() && y(row) + row.height > rows_top();
  }

  // Whether any of it is seen in this pass; in the picture's coordinates.
  bool meets_rows(Band band) const {
    const int top = on_top ? layout.top() : rows_top(), bottom = on_top ? rows_top() : rows_bottom();
    return band.y < bottom && band.y + band.height > top;
  }

  static constexpr std::int64_t kBeyond = 4096;
  static constexpr int kWhole = std::numeric_limits<int>::max();
};

inline const QColor& ground_of(const Canvas& canvas, const RowBox& row) {
  return row.alternate ? canvas.colours().chart_alt : canvas.colours().chart;
}
inline const IdentityColours& identity(const Canvas& canvas, const Scene& scene, int contender) {
  return canvas.colours().id[static_cast<std::size_t>(scene.data.hue(contender))];
}

}  // namespace leasescope
