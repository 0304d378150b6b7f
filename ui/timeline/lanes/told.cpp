#include "ui/timeline/lanes/told.h"

#include "ui/timeline/paint/leases.h"

namespace leasescope {
namespace {

constexpr int kFromMoment = 4, kWidth = 15, kToWords = 18;

void paint_balloon(Canvas& canvas, int x, int y) {
  const Colours& c = canvas.colours();
  const double l = x, t = y;
  canvas.polygon({{l + 1, t - 6}, {l + 14, t - 6}, {l + 14, t + 4}, {l + 6, t + 4}, {l + 1, t + 8}}, c.chart, true);
  canvas.polygon({{l + 2, t - 5}, {l + 13, t - 5}, {l + 13, t + 3}, {l + 6, t + 3}, {l + 2, t + 6.5}}, c.text, true);
  canvas.fill(x + 5, y - 3, 6, 1, c.chart);
  canvas.fill(x + 5, y, 4, 1, c.chart);
}

}  // namespace

void write_told(Canvas& canvas, const Scene& scene, int contender, TrueTime at, const QString& words) {
  const RowBox* const row = scene.layout.contender_row(contender);
  const Band lane = scene.layout.row.believed;
  if (row == nullptr || !scene.visible(*row) || !scene.shows(at) || lane.height < 14) return;
  const int x = scene.x(at) + kFromMoment, y = scene.y(*row) + lane.y + lane.height / 2;
  if (!canvas.places().claim({x, y - 6, kWidth, 14})) return;
  paint_balloon(canvas, x, y);
  const TextStyle style{canvas.colours().text, 10, 500};
  const QRect place(x + kToWords, y - 6, canvas.width_of(words, style), 12);
  // In a bar that goes on, or beside all: never across an edge.
  const SpanTrack& bars = scene.data.contenders()[static_cast<std::size_t>(contender)].believed;
  const std::size_t next = bars.first_ending_after(at);
  if (next < bars.size()) {
    const LeaseSpan bar = bars[next];
    const bool goes_on = bar.start.hi <= at;
    if (scene.x(goes_on ? scene.until(bar.end.lo) : bar.start.hi) <= place.right()) return;
  }
  if (place.right() < scene.right() && canvas.places().claim(place)) canvas.text(place.x(), y + 4, words, style);
}

}  // namespace leasescope
