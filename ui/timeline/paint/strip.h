// What a row shows of many narrow things: one colour a pixel, side by side, put down at once. A picture of a whole
// night has thousands of them in a row, and a rectangle for each costs more than all its pixels.
#pragma once
#include <vector>

#include "ui/timeline/paint/scene.h"

namespace leasescope {

class Strip {
 public:
  explicit Strip(const Scene& scene)
      : left_(scene.left()), colours_(static_cast<std::size_t>(scene.right() - scene.left())) {}

  // Opaque; over what was filled before. What lies beyond the plot is left out.
  void fill(int from, int to, const QColor& colour);
  // Puts down what was filled; `put` begins anew then.
  void show(Canvas& canvas, int y, int height) const;
  void put(Canvas& canvas, int y, int height);

 private:
  int left_;
  std::vector<QRgb> colours_;  // 0: nothing there
  int from_ = 0, to_ = 0;      // filled, from the left side
};

}  // namespace leasescope
