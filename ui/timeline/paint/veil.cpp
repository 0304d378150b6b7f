#include "ui/timeline/paint/marks.h"

namespace leasescope {

void paint_veil(Canvas& canvas, const Scene& scene, TrueTime from) {
  const Colours& c = canvas.colours();
  const int left = scene.clipped_x(from), right = scene.clipped_x(std::max(scene.data.end(), scene.data.now()));
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  if (right > left)
    canvas.hatch(left, scene.layout.top(), right - left, bottom - scene.layout.top(), Tile::kVeil, c.veil_line,
                 c.veil_fill);
}

}  // namespace leasescope
