#include "ui/timeline/paint/strip.h"

#include <algorithm>

namespace leasescope {

void Strip::fill(int from, int to, const QColor& colour) {
  from = std::max(from - left_, 0);
  to = std::min(to - left_, static_cast<int>(colours_.size()));
  if (from >= to) return;
  std::fill(colours_.begin() + from, colours_.begin() + to, colour.rgba());
  from_ = from_ == to_ ? from : std::min(from_, from);
  to_ = std::max(to_, to);
}

void Strip::show(Canvas& canvas, int y, int height) const {
  if (from_ < to_)
    canvas.columns(left_ + from_, y, height, {colours_.data() + from_, static_cast<std::size_t>(to_ - from_)});
}

void Strip::put(Canvas& canvas, int y, int height) {
  show(canvas, y, height);
  std::fill(colours_.begin() + from_, colours_.begin() + to_, 0);
  from_ = to_ = 0;
}

}  // namespace leasescope
