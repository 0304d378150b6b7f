// Where rows end, and where the run does: time that was not run must not look free.
#include "ui/timeline/lanes/lane.h"

namespace leasescope {
namespace {

void paint_row_lines(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    canvas.hline(scene.y(row) + row.height - 1, 0, scene.right(), row.strong ? c.line_strong : c.line);
  }
}

// Dots for what is still to come, the window's ground beyond the run.
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

class Rims : public Lane {
 public:
  void paint(Canvas& canvas, const Scene& scene) const override {
    paint_row_lines(canvas, scene);
    paint_outside_of_run(canvas, scene);
  }
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kDisturbs, tr("not run yet"), tr("or still to be played"), [](Canvas& c, const QRect& at) {
               c.hatch(at.x(), at.y(), at.width(), at.height(), Tile::kVeil, c.colours().veil_line,
                       c.colours().veil_fill);
               c.frame(at.x(), at.y(), at.width(), at.height(), c.colours().line_strong);
             }}};
  }
};

}  // namespace

std::unique_ptr<Lane> rims_lane() { return std::make_unique<Rims>(); }

}  // namespace leasescope
