// The chart, painted: the same for the window, a PNG and an SVG.
#pragma once
#include "ui/timeline/paint/flags.h"
#include "ui/timeline/paint/rail.h"
#include "ui/timeline/paint/scene.h"

namespace leasescope {

// How many threads paint: two where it is an image of whole pixels. The picture is the same.
enum class Painters : std::uint8_t { kOne, kTwo };

// Everything that changes only with data, viewport, size and theme; a view keeps it as an image, and with it where its
// incidents lie in the rail.
RailMarks paint_chart(QPainter& painter, const Scene& scene, Theme theme, TileCache& tiles,
                      Painters painters = Painters::kTwo);

// What lies on top and moves: states in the headers, hover, selection, cursor.
struct Overlay {
  std::optional<TrueTime> cursor;
  std::optional<TrueTime> veil_from;                      // what is beyond is recorded, but not yet to be seen
  std::vector<TrueTime> forks;                            // where the run was forked
  TrueTime states_at{};                                   // of the row headers
  std::optional<std::pair<TrueTime, TrueTime>> measured;  // in any order
  const MarkerFlags* markers = nullptr;
  int over_marker = -1;  // the pointer is
  int selected_incident = -1;
  const RailMarks* rail = nullptr;         // of the chart below; else they are found again
  int current_row = -1;                    // a contender
  std::optional<QRect> selected, hovered;  // bars, in the picture's coordinates
};
void paint_overlay(QPainter& painter, const Scene& scene, Theme theme, TileCache& tiles, const Overlay& overlay);

// The whole run in a strip, with the stretch that is shown. Scale and incidents are never covered.
struct Minimap {
  const ChartData& data;
  QRect area;
  int head = 0;           // width of the row headers above it
  TrueTime from{}, to{};  // places, as the chart's clock has them (ClockMap)
  std::optional<TrueTime> playhead;
  int mutex = 0;  // whose ownership is told: of the topmost that is shown

  Viewport viewport() const;
  int x(TrueTime at) const;  // of a moment
  int x_of(TrueTime place) const;
  TrueTime time(int x) const;  // a place
  QRect view_frame() const;
  static constexpr int kRightMargin = 12;
};
void paint_minimap(QPainter& painter, const Minimap& minimap, Theme theme, TileCache& tiles);

}  // namespace leasescope
