// What everything stands on: the rows' grounds and the grid.
#include "ui/timeline/lanes/lane.h"

namespace leasescope {
namespace {

class Ground : public Lane {
 public:
  void paint(Canvas& canvas, const Scene& scene) const override {
    const Colours& c = canvas.colours();
    canvas.fill(0, 0, scene.right(), scene.height, c.chart);
    for (const RowBox& row : scene.layout.rows)
      if (scene.visible(row) && row.alternate)
        canvas.fill(0, scene.y(row), scene.right(), row.height, ground_of(canvas, row));
    const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
    const Ticks ticks = Ticks::for_viewport(scene.viewport.shown, 60);
    const TrueTime from = scene.viewport.from;
    const bool by_clock = scene.axis.shown != nullptr;  // whole seconds are those of its ruler
    TrueTime t = by_clock ? scene.axis.first(from, ticks.major, from) : Ticks::first(from, ticks.major);
    for (; t < scene.viewport.to(); t = by_clock ? scene.axis.next(t, ticks.major) : t + ticks.major)
      canvas.vline(scene.x(t), scene.layout.top(), bottom, c.grid);
  }
};

}  // namespace

std::unique_ptr<Lane> ground_lane() { return std::make_unique<Ground>(); }

}  // namespace leasescope
