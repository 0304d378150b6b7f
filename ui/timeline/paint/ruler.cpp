#include <QCoreApplication>
#include <climits>
#include <utility>

#include "ui/timeline/paint/marks.h"

namespace leasescope {

namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Ruler)
};

constexpr int kMajorTick = 9;
constexpr int kLeastGap = 6;  // between two numbers

TextStyle number_style(const Canvas& canvas) { return {canvas.colours().muted, 10, 400, Face::kMono}; }

struct Scale {
  Ticks ticks;
  int decimals = 3;  // never more digits than the step needs; of the run's seconds milliseconds at least
};

Scale scale_of(Canvas& canvas, const Scene& scene) {
  const auto decimals = [&](const Ticks& ticks) {
    return scene.axis.isWallClock() ? ticks.decimals : std::max(3, ticks.decimals);
  };
  Ticks ticks = scene.ticks(60);
  int label = 0;
  for (const TrueTime end : {scene.viewport.from, scene.viewport.to()})
    label = std::max(label, canvas.width_of(scene.axis.tickText(end, decimals(ticks)), number_style(canvas)));
  if (label + 14 > 60) ticks = scene.ticks(label + 14);
  return {ticks, decimals(ticks)};
}

// Calls with each tick and, at those that have one, its number and where that stands.
template <class Tick>
void each_tick(Canvas& canvas, const Scene& scene, Tick tick) {
  const auto [ticks, decimals] = scale_of(canvas, scene);
  const TrueTime from = scene.viewport.from;
  int free_from = INT_MIN;  // a clock that is set shows two times close to each other
  for (TrueTime t = scene.axis.first(from - ticks.major, ticks.minor, from); t < scene.viewport.to();
       t = scene.axis.next(t, ticks.minor)) {
    const bool major = scene.axis.is_at(t, ticks.major, from);
    const int x = scene.x(t);
    PixelRange place{x + 4, x + 4};
    QString number;
    if (major && x >= scene.left() - 4) {
      number = scene.axis.tickText(t, decimals);
      place.to += canvas.width_of(number, number_style(canvas));
      if (place.to >= scene.right() || place.from < free_from) number.clear();
      if (!number.isEmpty()) free_from = place.to + kLeastGap;
    }
    tick(x, major, number, place);
  }
}

QString name_of_axis(const Scene& scene) {
  if (scene.axis.shown != nullptr) return Say::tr("clock of %1, s").arg(scene.axis.shown->letter);
  if (scene.axis.isWallClock()) return scene.axis.dayText(std::max(scene.viewport.from, TrueTime{}));
  return scene.data.facts().world == "live" ? Say::tr("time of the run, s") : Say::tr("simulated time, s");
}

}  // namespace

namespace {

// What no moment shows, and what is shown for the second time.
void paint_seams(Canvas& canvas, const Scene& scene) {
  const ClockView& view = scene.viewport;
  if (view.clock == nullptr) return;
  const Colours& c = canvas.colours();
  const auto again = [&](const ClockSeam& seam) {
    const PixelRange range = again_range(scene, seam);
    canvas.fill(range.from, 0, range.to - range.from, scene.layout.ruler, c.skew_fill);
  };
  if (const auto before = view.clock->seams(TrueTime::min(), view.from); !before.empty()) again(before.back());
  for (const auto& [seam, gap] : seen_seams(scene)) {
    again(*seam);
    canvas.hatch(gap.from, 0, gap.to - gap.from, scene.layout.ruler, Tile::kSkew, c.skew_line, c.skew_fill);
  }
}

}  // namespace

// Ticks from below, numbers right of the major ones; where a contender's clock was set a bar as high as the ruler.
void paint_ruler(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  const int h = scene.layout.ruler;
  canvas.fill(0, 0, scene.right(), h, c.header);
  paint_seams(canvas, scene);
  each_tick(canvas, scene, [&](int x, bool major, const QString& number, PixelRange place) {
    if (x >= scene.left()) canvas.vline(x, h - (major ? kMajorTick : 5), h, major ? c.muted : c.line_strong);
    if (!number.isEmpty()) canvas.text(place.from, h - kMajorTick, number, number_style(canvas));
  });
  int painted = INT_MIN;
  for (const TrueTime set : scene.axis.set_within(scene.viewport.from, scene.viewport.to()))
    if (const int x = scene.x(set); x != std::exchange(painted, x)) canvas.fill(x, 0, 2, h, c.skew_line);
  canvas.fill(0, 0, scene.left(), h - 1, c.header);
  canvas.hline(h - 1, 0, scene.right(), c.line);
  canvas.text(12, 17, name_of_axis(scene), {c.muted, 10});
}

void clear_ruler_under(Canvas& canvas, const Scene& scene, PixelRange flag) {
  each_tick(canvas, scene, [&](int, bool, const QString& number, PixelRange place) {
    if (number.isEmpty() || place.to <= flag.from || place.from >= flag.to) return;
    const int from = std::max(place.from, scene.left());
    canvas.fill(from, 0, place.to - from, scene.layout.ruler - kMajorTick + 1, canvas.colours().header);
  });
}

}  // namespace leasescope
